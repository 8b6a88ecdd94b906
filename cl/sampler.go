package cl

// Sampler is a sampler object (OpenCL API 3.0 section 5.7). While no device supports images, none is ever made.
type Sampler struct{ Object }
