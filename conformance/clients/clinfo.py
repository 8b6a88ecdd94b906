#!/usr/bin/python3
"""clinfo in each of its output modes: it ends well, says nothing on stderr, and all modes tell the same story."""
import re

from client import main, run, test


def clinfo(*options):
    out = run("clinfo", *options)
    assert run.stderr == "", f"error: on stderr: {run.stderr}"
    bad = [line for line in out.splitlines() if re.search(r"<.*(error|CL_INVALID|failed).*>|clGet\w+ ?:|error -\d", line, re.I)]
    assert not bad, "error: " + "\n".join(bad)
    return out


def field(out, name):
    m = re.search(rf"{re.escape(name)}\s{{2,}}(.+)", out)
    assert m, f"error: no {name}"
    return m.group(1).strip()


@test
def human():
    out = clinfo("--human")
    assert out == clinfo(), "error: not the default"
    assert set(re.findall(r"^  \w[\w ]+  ", out, re.M)) <= set(re.findall(r"^  \w[\w ]+  ", clinfo("-a"), re.M)), "error: -a shows less"
    assert int(field(out, "Number of platforms")) == 1 and int(field(out, "Number of devices")) >= 1
    assert field(out, "Device Available") == "Yes" and field(out, "Compiler Available") == "Yes"


@test
def raw():
    out, text = clinfo("--raw"), clinfo()
    for number in ("MAX_COMPUTE_UNITS", "GLOBAL_MEM_SIZE", "LOCAL_MEM_SIZE", "MAX_WORK_GROUP_SIZE"):
        assert int(field(out, "CL_DEVICE_" + number).split()[0]) > 0
    assert field(out, "CL_DEVICE_NAME") == field(text, "Device Name")
    assert field(out, "CL_DEVICE_EXTENSIONS").split() == field(text, "Device Extensions").split()


@test
def raw_and_all():
    assert set(re.findall(r"CL_DEVICE_\w+", clinfo("--raw"))) <= set(re.findall(r"CL_DEVICE_\w+", clinfo("-a", "--raw")))


@test
def list_of_devices():
    out = clinfo("-l")
    assert "Platform #0" in out and "Device #0" in out
    assert re.search(r"\[\w+/0\]|\S", clinfo("--list", "--raw"))


@test
def offline_devices():
    clinfo("--offline")


@test
def one_device():
    out = clinfo("-d", "0:0")
    assert len(re.findall(r"^\s+Device Name", out, re.M)) == 1


@test
def one_property():
    out = clinfo("--raw", "--prop", "CL_DEVICE_VERSION")
    assert "OpenCL 3.0" in out and "CL_DEVICE_VENDOR_ID" not in out


@test
def default_device():
    """clinfo creates contexts of every kind and says which device it gets."""
    out = clinfo()
    for line in ("clCreateContext(NULL, ...) [default]", "clCreateContextFromType(NULL, CL_DEVICE_TYPE_ALL)"):
        assert not re.search(r"No devices|error", field(out, line), re.I), line


main()
