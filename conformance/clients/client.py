"""What drives real clients of OpenCL shares: sub-tests that speak as the CTS's harness does, so that the same runner reads them.

A script decorates functions with @test and ends in main(). A function fails by raising, and skips by raising Skip.
"""
import json
import os
import subprocess
import sys
import traceback

tests = {}
DEVICE = int(os.environ.get("CONFORMANCE_DEVICE", 0))  # number of the device to test, on the first platform


class Skip(Exception):
    """The sub-test does not apply, for the reason given."""


def test(f):
    tests[f.__name__] = f
    return f


def run(*command, env=None, ok=(0,), stdin=None):
    """Runs a command and returns what it wrote to stdout; fails unless its exit status is one of ok. The deadline is the runner's."""
    print("$", " ".join(map(str, command)), flush=True)
    p = subprocess.run(list(map(str, command)), capture_output=True, env={**os.environ, **(env or {})}, input=stdin)
    out, err = p.stdout.decode(errors="replace"), p.stderr.decode(errors="replace")
    if p.returncode not in ok:
        print(out[-6000:], err[-6000:], sep="\n")
        raise AssertionError(f"error: {command[0]} ended with status {p.returncode}")
    run.stderr = err
    return out


def reference(driver="/etc/OpenCL/vendors/pocl.icd"):
    """An environment in which PoCL is the driver, or another one: a registration file or a library."""
    if not os.path.exists(driver):
        raise Skip(f"there is no {driver} to compare with")
    return {"OCL_ICD_VENDORS": driver}


def main():
    if sys.argv[1:] == ["--list"]:
        for name in tests:
            print("\t" + name)
        return
    results, bad = {}, False
    for name in sys.argv[1:] or tests:
        print(name + "...", flush=True)
        try:
            tests[name]()
            results[name] = "pass"
            print(name, "passed", flush=True)
        except Skip as why:
            results[name] = "skip"
            print(f"{why}\n{name} test not supported", flush=True)
        except BaseException as why:
            results[name], bad = "fail", True
            traceback.print_exc(file=sys.stdout)
            print(f"error: {type(why).__name__}: {why}\n{name} FAILED", flush=True)
    file = os.environ.get("CL_CONFORMANCE_RESULTS_FILENAME")
    if file:
        with open(file, "w") as f:
            json.dump({"cmd": sys.argv[0], "args": "", "results": results}, f)
    sys.exit(bad)
