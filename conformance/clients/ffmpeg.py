#!/usr/bin/python3
"""ffmpeg's OpenCL filters on frames of its own test source, against the same filters on PoCL."""
import numpy as np

from client import DEVICE, main, reference, test

W, H = 352, 240
SOURCE = f"testsrc2=size={W}x{H}:rate=5"
FILTERS = {
    "avgblur": "avgblur_opencl=sizeX=3",
    "boxblur": "boxblur_opencl=luma_radius=3:luma_power=2",
    "convolution": "convolution_opencl=0m='0 -1 0 -1 5 -1 0 -1 0':1m='1 2 1 2 4 2 1 2 1':1rdiv=1/16",
    "dilation": "dilation_opencl=threshold0=30",
    "erosion": "erosion_opencl=threshold1=30",
    "nlmeans": "nlmeans_opencl=p=3:r=3",
    "pad": "pad_opencl=w=400:h=300:x=20:y=10:color=red",
    "prewitt": "prewitt_opencl=scale=2",
    "roberts": "roberts_opencl=scale=2",
    "sobel": "sobel_opencl=delta=10",
    "transpose": "transpose_opencl=dir=cclock_flip",
    "unsharp": "unsharp_opencl=luma_msize_x=7:luma_msize_y=5:luma_amount=1.5",
}
PROGRAM = """
__kernel void fade(__write_only image2d_t to, unsigned int frame, __read_only image2d_t from) {
  const sampler_t s = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_MIRRORED_REPEAT | CLK_FILTER_LINEAR;
  int2 p = (int2)(get_global_id(0), get_global_id(1));
  float2 q = convert_float2(p) / convert_float2(get_image_dim(to));
  write_imagef(to, p, read_imagef(from, s, q * 1.7f + 0.13f) * (0.5f + 0.1f * frame));
}
"""


def frames(graph, inputs=1, env=None):
    sources = ["-f", "lavfi", "-i", SOURCE] + ["-f", "lavfi", "-i", f"mandelbrot=size={W}x{H}:rate=5"] * (inputs - 1)
    out = run_bytes(["ffmpeg", "-hide_banner", "-loglevel", "error", "-init_hw_device", f"opencl=cl:0.{DEVICE if env is None else 0}", "-filter_hw_device", "cl", *sources,
                     "-filter_complex", graph, "-frames:v", "3", "-f", "rawvideo", "-"], env)
    return np.frombuffer(out, np.uint8)


def run_bytes(command, env):
    import os
    import subprocess
    p = subprocess.run(command, capture_output=True, env={**os.environ, **(env or {})})
    assert p.returncode == 0 and not p.stderr, "error: " + p.stderr.decode(errors="replace")[-3000:]
    return p.stdout


def compare(graph, inputs=1, off=1):
    """The frames agree with PoCL's but for rounding: no byte differs by more than off, and few at all."""
    got, want = frames(graph, inputs), frames(graph, inputs, reference())
    assert got.size == want.size and got.size > 0
    assert got.std() > 5, "error: the frames are blank"
    d = np.abs(got.astype(int) - want)
    assert d.max() <= off and (d > 0).mean() < 0.02, f"error: off by up to {d.max()}, {(d > 0).mean():.2%} of the bytes differ"


for name, text in FILTERS.items():
    def one(text=text):
        compare(f"format=yuv420p,hwupload,{text},hwdownload,format=yuv420p")
    one.__name__ = name
    test(one)


@test
def colorkey():
    compare("format=rgba,hwupload,colorkey_opencl=color=blue:similarity=0.4:blend=0.2,hwdownload,format=rgba")


@test
def overlay():
    """Against ffmpeg's own overlay: PoCL 3.1 is wrong here."""
    got = frames("[0]format=yuv420p,hwupload[a];[1]format=yuva420p,scale=160:120,hwupload[b];[a][b]overlay_opencl=x=30:y=40,hwdownload,format=yuv420p", 2)
    want = frames("[0]format=yuv420p[a];[1]format=yuva420p,scale=160:120[b];[a][b]overlay=x=30:y=40,format=yuv420p", 2)
    assert (got == want).all(), f"error: {(got != want).mean():.2%} of the bytes differ"


@test
def xfade():
    for transition in ("fade", "wipeleft", "slidedown"):
        compare("[0]format=yuv420p,hwupload[a];[1]format=yuv420p,hwupload[b];"
                f"[a][b]xfade_opencl=transition={transition}:duration=0.4:offset=0,hwdownload,format=yuv420p", 2)


def ramp(w, h, env=None):
    """Luma and chroma of a grey ramp from left to right, in linear light, after tonemap."""
    grey = f"geq=lum='64+X*876/{w - 1}':cb=512:cr=512,format=p010,setparams=color_primaries=bt2020:color_trc=smpte2084:colorspace=bt2020nc"
    out = frames(f"scale={w}:{h},format=yuv420p10,{grey},hwupload,tonemap_opencl=tonemap=mobius:format=nv12:primaries=bt709:transfer=bt709:matrix=bt709,"
                 "hwdownload,format=nv12", env=env).reshape(3, -1).astype(int)
    return out[:, :w * h].reshape(3, h, w), out[:, w * h:]


@test
def tonemap():
    """The ramp must stay one, in frames as oclgrind draws them: PoCL has no 16-bit images of two channels.

    The kernel has a data race, which oclgrind --data-races shows: the first work-item of the last work-group to count itself adds this
    frame to the brightness so far, without a barrier, while the others still read it. So from the second frame on, when there is a
    brightness, only the first work-item of each work-group, which has read it before it counts, has one possible result; of the
    others' two readings each is the old or the new.
    """
    luma, chroma = ramp(W, H)
    frame = luma[0]
    assert (frame == frame[0]).all() and (np.diff(frame[0]) >= 0).all(), "error: the ramp is none any more"
    assert frame[0, -1] - frame[0, 0] > 150 and abs(chroma[0] - 128).max() <= 3, "error: grey is not grey"
    for n, frame in enumerate(luma):
        assert max(len(set(column)) for column in frame.T) <= (1 if n == 0 else 4), f"error: frame {n} has more than old and new"
    (got, _), (want, _) = ramp(64, 96), ramp(64, 96, reference("/usr/lib/oclgrind/liboclgrind-rt-icd.so"))
    assert abs(got[0] - want[0]).max() <= 1, "error: not oclgrind's first frame"
    for y in (0, 1):
        for x in (0, 1):  # a work-item has 2 x 2 pixels, a work-group 16 x 16 work-items
            first, same = got[:, y::32, x::32], want[:, y::32, x::32]
            assert abs(first - same).max() <= 1, f"error: {first.tolist()}, oclgrind has {same.tolist()}"


@test
def own_program():
    with open("fade.cl", "w") as f:
        f.write(PROGRAM)
    compare("format=rgba,hwupload,program_opencl=source=fade.cl:kernel=fade,hwdownload,format=rgba")


@test
def upload_and_download():
    for pixels in ("yuv420p", "rgba", "nv12", "gray16le", "rgba64le", "yuv444p16le"):
        same = run_bytes(["ffmpeg", "-hide_banner", "-loglevel", "error", "-f", "lavfi", "-i", SOURCE, "-vf", f"format={pixels}", "-frames:v", "3",
                          "-f", "rawvideo", "-"], None)
        assert (frames(f"format={pixels},hwupload,hwdownload,format={pixels}") == np.frombuffer(same, np.uint8)).all(), pixels


main()
