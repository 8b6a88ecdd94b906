#!/usr/bin/python3
"""OpenCV's transparent API (UMat) on the OpenCL device against its own code for the CPU."""
import os

from client import DEVICE, main, test

os.environ["OPENCV_OPENCL_DEVICE"] = f":CPU|GPU|ACCELERATOR:{DEVICE}"
os.environ["OPENCV_OPENCL_CACHE_ENABLE"] = "0"  # it would keep the kernels of another build of the driver
import cv2
import numpy as np

assert cv2.ocl.haveOpenCL(), "error: OpenCV finds no OpenCL"
cv2.ocl.setUseOpenCL(True)
assert cv2.ocl.useOpenCL(), "error: OpenCV does not use the device"
rng = np.random.default_rng(2)
GRAY = cv2.GaussianBlur(rng.integers(0, 256, (241, 317), dtype=np.uint8), (5, 5), 1.5)
COLOUR = cv2.GaussianBlur(rng.integers(0, 256, (241, 317, 3), dtype=np.uint8), (7, 7), 2)
FLOAT = rng.random((150, 170), dtype=np.float32)
MASK = (GRAY > 120).astype(np.uint8)


def same(f, *arrays, off=1, few=0.01):
    """f gives on UMats what it gives on arrays: no element further off than off, no more than few of them at all if they are integers."""
    want = f(*arrays)
    got = f(*[cv2.UMat(a) for a in arrays])
    for g, w in zip(got if isinstance(got, (tuple, list)) else [got], want if isinstance(want, (tuple, list)) else [want]):
        g = g.get() if isinstance(g, cv2.UMat) else np.asarray(g)
        assert g.shape == np.shape(w), f"error: shape {g.shape}, not {np.shape(w)}"
        d = np.abs(g.astype(np.float64) - np.asarray(w, np.float64))
        assert d.max() <= off and (few is None or np.asarray(w).dtype.kind == "f" or (d > 0).mean() <= few), f"error: off by up to {d.max()}, {(d > 0).mean():.2%} differ"


@test
def filters():
    for image in (GRAY, COLOUR):
        same(lambda x: cv2.blur(x, (5, 3)), image)
        same(lambda x: cv2.GaussianBlur(x, (7, 7), 1.7), image)
        same(lambda x: cv2.medianBlur(x, 5), image, off=0)
        same(lambda x: cv2.filter2D(x, -1, np.outer([1, 2, 1], [1, 0, -1]).astype(np.float32)), image)
        same(lambda x: cv2.bilateralFilter(x, 5, 30, 5), image, few=0.05)


@test
def derivatives():
    same(lambda x: cv2.Sobel(x, cv2.CV_16S, 1, 0), GRAY, off=0)
    same(lambda x: cv2.Scharr(x, cv2.CV_16S, 0, 1), GRAY, off=0)
    same(lambda x: cv2.Laplacian(x, cv2.CV_16S, ksize=3), GRAY, off=0)
    same(lambda x: cv2.Canny(x, 40, 90), GRAY, off=255, few=0.001)


@test
def morphology():
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (7, 5))
    for op in (cv2.MORPH_ERODE, cv2.MORPH_DILATE, cv2.MORPH_OPEN, cv2.MORPH_GRADIENT, cv2.MORPH_TOPHAT):
        same(lambda x: cv2.morphologyEx(x, op, kernel), GRAY, off=0)
        same(lambda x: cv2.morphologyEx(x, op, kernel), COLOUR, off=0)


@test
def geometry():
    for interpolation in (cv2.INTER_NEAREST, cv2.INTER_LINEAR, cv2.INTER_AREA):
        same(lambda x: cv2.resize(x, (130, 97), interpolation=interpolation), COLOUR, off=2, few=None)
    turn = cv2.getRotationMatrix2D((150, 120), 27, 0.9)
    same(lambda x: cv2.warpAffine(x, turn, (317, 241), flags=cv2.INTER_LINEAR), GRAY, off=6, few=0.01)
    lens = np.array([[1, .1, 3], [.05, .95, 2], [1e-4, 2e-4, 1]])
    same(lambda x: cv2.warpPerspective(x, lens, (317, 241)), GRAY, off=4, few=None)
    same(lambda x: cv2.flip(x, -1), COLOUR, off=0)
    same(lambda x: cv2.transpose(x), COLOUR, off=0)
    same(lambda x: cv2.pyrDown(x), GRAY, few=None)
    same(lambda x: cv2.pyrUp(x), GRAY, few=None)


@test
def colours():
    for code in (cv2.COLOR_BGR2GRAY, cv2.COLOR_BGR2HSV, cv2.COLOR_BGR2YCrCb, cv2.COLOR_BGR2RGBA, cv2.COLOR_BGR2XYZ, cv2.COLOR_BGR2Lab):
        same(lambda x: cv2.cvtColor(x, code), COLOUR, off=2, few=0.05)


@test
def histograms():
    same(lambda x: cv2.equalizeHist(x), GRAY, off=0)
    same(lambda x: cv2.calcHist([x], [0], None, [64], [0, 256]), GRAY, off=0)
    same(lambda x: cv2.createCLAHE(2, (8, 8)).apply(x), GRAY)


@test
def arithmetic():
    other = np.flipud(GRAY).copy()
    for f in (cv2.add, cv2.subtract, cv2.multiply, cv2.absdiff, cv2.bitwise_and, cv2.bitwise_xor, cv2.min, cv2.max):
        same(lambda x, y: f(x, y), GRAY, other, off=0)
    same(lambda x, y: cv2.addWeighted(x, 0.3, y, 0.6, 5), GRAY, other)
    same(lambda x, y: cv2.compare(x, y, cv2.CMP_GT), GRAY, other, off=0)
    same(lambda x: cv2.LUT(x, np.arange(255, -1, -1, dtype=np.uint8)), GRAY, off=0)


@test
def numbers():
    same(lambda x: cv2.exp(x), FLOAT, off=1e-5)
    same(lambda x: cv2.log(x + 1 if isinstance(x, np.ndarray) else cv2.add(x, 1)), FLOAT, off=1e-5)
    same(lambda x: cv2.sqrt(x), FLOAT, off=1e-6)
    same(lambda x: cv2.pow(x, 2.5), FLOAT, off=1e-5)
    same(lambda x, y: cv2.cartToPolar(x, y), FLOAT, np.fliplr(FLOAT).copy(), off=1e-2)
    same(lambda x: cv2.normalize(x, None, 3, 9, cv2.NORM_MINMAX), FLOAT, off=1e-5)


@test
def reductions():
    for image in (GRAY, COLOUR):
        same(lambda x: cv2.sumElems(x), image, off=0)
        # without a mask Python hands over an empty one, of which OpenCV makes no buffer: it says so, and computes on the host
        same(lambda x, mask: cv2.meanStdDev(x, mask=mask), image, MASK, off=1e-4)  # in floats
        same(lambda x, mask: cv2.norm(x, cv2.NORM_L1, mask=mask), image, MASK, off=0)
        same(lambda x: cv2.reduce(x, 0, cv2.REDUCE_SUM, dtype=cv2.CV_32S), image, off=0)
    same(lambda x: cv2.countNonZero(x), GRAY & 1, off=0)
    same(lambda x: cv2.minMaxLoc(x)[:2], FLOAT, off=0)
    same(lambda x: cv2.integral(x), GRAY, off=0)


@test
def matrices():
    same(lambda x, y: cv2.gemm(x, y, 1.5, None, 0), FLOAT, FLOAT.T.copy(), off=1e-4, few=None)
    same(lambda x: cv2.dft(x, flags=cv2.DFT_COMPLEX_OUTPUT), FLOAT[:128, :128].copy(), off=1e-2, few=None)
    same(lambda x: cv2.dct(x), FLOAT[:128, :128].copy(), off=1e-3, few=None)


@test
def features():
    same(lambda x: cv2.cornerHarris(x, 3, 3, 0.04), FLOAT, off=1e-5, few=None)
    same(lambda x: cv2.matchTemplate(x, x[20:60, 30:80] if isinstance(x, np.ndarray) else cv2.UMat(GRAY[20:60, 30:80].copy()), cv2.TM_CCOEFF_NORMED), GRAY, off=1e-3, few=None)
    same(lambda x: cv2.adaptiveThreshold(x, 255, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY, 11, 2), GRAY, off=255, few=0.01)
    same(lambda x: cv2.threshold(x, 100, 200, cv2.THRESH_TRUNC)[1], GRAY, off=0)


@test
def optical_flow():
    flow = lambda x, y: cv2.calcOpticalFlowFarneback(x, y, None, 0.5, 2, 15, 2, 5, 1.2, 0)
    same(flow, GRAY, np.roll(GRAY, 2, 1), off=0.2, few=None)


@test
def denoising():
    same(lambda x: cv2.fastNlMeansDenoising(x, None, 10, 5, 11), GRAY[:96, :96].copy(), off=2, few=None)


main()
