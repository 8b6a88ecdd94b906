#!/usr/bin/python3
"""clpeak: every measurement comes to an end, with a number above zero."""
import re

from client import DEVICE, main, run, test


def peak(option):
    out = run("clpeak", "-p", 0, "-d", DEVICE, option)
    assert not re.search(r"error|fail", out, re.I), out
    numbers = [float(n) for n in re.findall(r"^ +[\w()\- ]+ : +(\d+\.\d+)(?: \w+)?$", out, re.M)]
    assert numbers and min(numbers) > 0, "error: " + out


for option in ("global-bandwidth", "compute-sp", "compute-dp", "compute-integer", "transfer-bandwidth", "kernel-latency"):
    def one(option=option):
        peak("--" + option)
    one.__name__ = option.replace("-", "_")
    test(one)

main()
