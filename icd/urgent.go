package main

// #include "icd.h"
import "C"

func init() { C.aq_share_urgent() }
