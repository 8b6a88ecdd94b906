// What the driver has recorded is written when the process exits, by whatever thread and whatever else is under way.
#include "icd.h"

int aq_recording;
extern int aq_forked;
void aq_finish(void);

__attribute__((destructor)) static void finish(void)
{
	if (aq_recording && !aq_forked)
		aq_finish();
}
