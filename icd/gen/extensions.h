// What the extensions of the driver add to CL/cl.h and the installed CL/cl_ext.h may lack, written after the OpenCL specification.
// gen reads it as it reads those.
