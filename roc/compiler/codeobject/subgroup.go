package codeobject

// SubGroupSize is how many work-items a sub-group of the embedded agent has: those of a work-group in the order of their linear
// local ids. The last one of a work-group may have fewer.
const SubGroupSize = 16
