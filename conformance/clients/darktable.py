#!/usr/bin/python3
"""darktable's modules with its own presets on a photograph that is none, on OpenCL against its code for the CPU."""
import os
import re
import sqlite3
import struct

import cv2
import numpy as np
import pyopencl as cl

from client import DEVICE, main, run, test

# A preset of each module. How far the two codes of a module are apart, darktable decides: a pixel here and there may go the other way.
MODULES = ("exposure bilat colorzones lowpass diffuse sharpen colorbalancergb channelmixerrgb rgbcurve tonecurve splittoning monochrome "
           "colorbalance").split()
XMP = """<?xml version="1.0"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:darktable="http://darktable.sf.net/" darktable:xmp_version="4" darktable:raw_params="0"
 darktable:auto_presets_applied="1" darktable:history_end="1" darktable:iop_order_version="4"><darktable:history><rdf:Seq>
<rdf:li darktable:num="0" darktable:operation="{}" darktable:enabled="1" darktable:modversion="{}" darktable:params="{}" darktable:multi_name=""
 darktable:multi_priority="0" darktable:blendop_version="{}" darktable:blendop_params="{}"/>
</rdf:Seq></darktable:history></rdf:Description></rdf:RDF></x:xmpmeta>"""


def export(out, *arguments):
    """Runs darktable-cli in the folder of the test, and returns the image in linear floats and what it said."""
    if os.path.exists(out):
        os.remove(out)
    name = re.sub("[^a-z0-9]", "", cl.get_platforms()[0].get_devices()[DEVICE].name.lower())
    home = os.path.abspath("darktable")
    said = run("darktable-cli", "scene.png", *arguments, out, "--core", "--configdir", home, "--cachedir", home, "--library", home + "/library.db",
               "--conf", f"cldevice_v4_{name}=0 0 0 16 16 128 0 0 0.000 0.000",  # it leaves CPUs out unless told
               "-d", "opencl", "-d", "perf", *([] if out == "opencl.pfm" else ["--disable-opencl"]), env={"XDG_RUNTIME_DIR": os.getcwd()})
    return cv2.imread(out, cv2.IMREAD_UNCHANGED), said + run.stderr


def scene():
    y, x = np.mgrid[0:300, 0:450]
    image = np.stack([0.5 + 0.4 * np.sin(x / 37) * np.cos(y / 23), x / 450, y / 300], -1)
    image[(x - 220) ** 2 + (y - 150) ** 2 < 70 ** 2] = [0.9, 0.55, 0.4]
    image[40:90:8, 40:200] = 0.02
    image[220:260, 320:420] = 1
    image += np.random.default_rng(3).normal(0, 0.02, image.shape)
    cv2.imwrite("scene.png", (image.clip(0, 1) * 255).astype(np.uint8))


def check(module, preset):
    scene()
    export("plain.pfm")  # makes the presets
    rows = sqlite3.connect("darktable/data.db").execute("select operation, op_version, op_params, blendop_version, blendop_params from presets order by name").fetchall()
    version, params, *blend = next(row[1:] for row in rows if row[0] == module) if preset is None else preset + rows[0][3:]
    with open("scene.xmp", "w") as f:
        f.write(XMP.format(module, version, params.hex(), blend[0], blend[1].hex()))
    want, _ = export("cpu.pfm", "scene.xmp")
    got, said = export("opencl.pfm", "scene.xmp")
    wrong = [line for line in said.splitlines() if re.search("failed|couldn't|could not build|version mismatch|on CPU, blended", line)]
    assert not wrong, "error: " + "\n".join(wrong)
    assert len(re.findall("processed .* on GPU", said)) >= 3, "error: not all was done with OpenCL\n" + said[-3000:]
    assert got.shape == want.shape and want.std() > 0.05, "error: the image is blank"
    d = abs(got - want)
    print(f"{module}: off by {d.max():.5f} at most, {d.mean():.6f} in the mean")
    assert d.mean() < 0.001 and (d > 0.03).mean() < 0.001, f"error: off by {d.mean()} in the mean, {(d > 0.03).mean():.2%} of the values by more than 0.03"


for module in MODULES:
    def one(module=module):
        check(module, None)
    one.__name__ = module
    test(one)


@test
def nlmeans():
    """Its tiles in local memory have the edges of the image clamped in two directions."""
    check("nlmeans", (2, struct.pack("<4f", 2, 50, 0.5, 1)))


main()
