#!/usr/bin/python3
"""silx's and pyFAI's own tests of what they compute with OpenCL, against numpy, scipy and their code in C; those that fetch no image from the network."""
import os
import re
import sys

import pyFAI.opencl
import silx.opencl

from client import DEVICE, main, run, test

SUITES = {
    silx.opencl: "addition array_utils convolution doubleword kahan sparse stats",
    pyFAI.opencl: "openCL ocl_azim_csr ocl_azim_lut ocl_histo ocl_sort",
}


def check(file):
    said = run(sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-q", file, env={"PYOPENCL_CTX": f"0:{DEVICE}", "PYOPENCL_NO_CACHE": "1"})
    count = re.search(r"(\d+) passed", said)
    print(said[-1000:])
    assert count and int(count[1]) > 0, "error: no test passed"


for package, names in SUITES.items():
    for name in names.split():
        def one(file=os.path.join(os.path.dirname(package.__file__), "test", f"test_{name}.py")):
            check(file)
        one.__name__ = name
        test(one)


main()
