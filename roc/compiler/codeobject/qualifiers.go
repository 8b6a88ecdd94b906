package codeobject

// Values of ArgInfo's AddressSpace, Access and TypeQualifiers: those of cl.h for clGetKernelArgInfo (OpenCL API 3.0 section 5.9.4).
const (
	AddressGlobal, AddressLocal, AddressConstant, AddressPrivate               = 0x119B, 0x119C, 0x119D, 0x119E
	AccessReadOnly, AccessWriteOnly, AccessReadWrite, AccessNone               = 0x11A0, 0x11A1, 0x11A2, 0x11A3
	QualifierConst, QualifierRestrict, QualifierVolatile, QualifierPipe uint64 = 1, 2, 4, 8
)
