package main

import "C" // for detach.c
