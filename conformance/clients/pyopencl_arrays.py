#!/usr/bin/python3
"""PyOpenCL's layers of generated kernels against numpy."""
import os

os.environ["PYOPENCL_NO_CACHE"] = "1"  # it would keep the kernels of another build of the driver
import numpy as np
import pyopencl as cl
import pyopencl.algorithm
import pyopencl.array as array
import pyopencl.clmath as clmath
import pyopencl.clrandom as clrandom
from pyopencl.elementwise import ElementwiseKernel
from pyopencl.reduction import ReductionKernel
from pyopencl.scan import ExclusiveScanKernel, GenericScanKernel, InclusiveScanKernel

from client import DEVICE, main, test

device = cl.get_platforms()[0].get_devices()[DEVICE]
context = cl.Context([device])
queue = cl.CommandQueue(context)
rng = np.random.default_rng(1)
SIZES = (1, 2, 3, 17, 255, 256, 257, 4096, 100003)
TYPES = (np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32, np.int64, np.uint64, np.float32, np.float64)


def some(n, t):
    if np.issubdtype(t, np.integer):
        info = np.iinfo(t)
        return rng.integers(info.min, info.max, n, dtype=t, endpoint=True)
    return (rng.random(n) * 200 - 100).astype(t)


def give(a):
    return array.to_device(queue, a)


@test
def arithmetic():
    for t in TYPES:
        for n in SIZES:
            a, b = some(n, t), some(n, t)
            x, y = give(a), give(b)
            with np.errstate(all="ignore"):
                np.testing.assert_array_equal((x + y).get(), a + b)
                np.testing.assert_array_equal((x - y).get(), a - b)
                np.testing.assert_array_equal((x * y).get(), a * b)
            np.testing.assert_array_equal(x.astype(np.float64).get(), a.astype(np.float64))


@test
def comparison_and_choice():
    for t in (np.int32, np.float32, np.float64):
        a, b = some(1000, t), some(1000, t)
        a[::7] = b[::7]
        x, y = give(a), give(b)
        for op in ("__lt__", "__le__", "__eq__", "__ne__", "__ge__", "__gt__"):
            np.testing.assert_array_equal(getattr(x, op)(y).get().astype(bool), getattr(a, op)(b))
        np.testing.assert_array_equal(array.maximum(x, y).get(), np.maximum(a, b))
        np.testing.assert_array_equal(array.if_positive(x, x, y).get(), np.where(a > 0, a, b))


@test
def layout():
    a = some(60 * 70, np.float32).reshape(60, 70)
    x = give(a)
    np.testing.assert_array_equal(x[3:50].get(), a[3:50])
    np.testing.assert_array_equal(array.transpose(x, (1, 0)).get(), a.T)
    np.testing.assert_array_equal(x.reshape(70, 60).get(), a.reshape(70, 60))
    np.testing.assert_array_equal(array.concatenate([x, x]).get(), np.concatenate([a, a]))
    index = rng.permutation(4200).astype(np.int32)
    np.testing.assert_array_equal(array.take(x.reshape(4200), give(index)).get(), a.reshape(4200)[index])
    np.testing.assert_array_equal(x.real.get(), a)
    x[5:9] = 0
    a[5:9] = 0
    np.testing.assert_array_equal(x.get(), a)
    np.testing.assert_array_equal(array.arange(queue, 100, dtype=np.int32).get(), np.arange(100, dtype=np.int32))


@test
def complex_numbers():
    for real, t in ((np.float32, np.complex64), (np.float64, np.complex128)):
        a = (some(5000, real) + 1j * some(5000, real)).astype(t)
        b = (some(5000, real) + 1j * some(5000, real)).astype(t)
        x, y = give(a), give(b)
        close = dict(rtol=1e-4 if real == np.float32 else 1e-12)
        np.testing.assert_allclose((x * y).get(), a * b, **close)
        np.testing.assert_allclose((x / y).get(), a / b, **close)
        np.testing.assert_array_equal(x.conj().get(), a.conj())
        np.testing.assert_allclose(abs(x).get(), abs(a), **close)


@test
def functions():
    for t, close in ((np.float32, 1e-5), (np.float64, 1e-13)):
        a = some(10000, t) / 101
        x = give(a)
        for name in ("sin", "cos", "tan", "exp", "floor", "ceil", "fabs", "tanh", "atan", "sinh", "cosh"):
            want = getattr(np, {"atan": "arctan"}.get(name, name))(a)
            np.testing.assert_allclose(getattr(clmath, name)(x).get(), want, rtol=close, atol=close, err_msg=name)
        for name in ("sqrt", "log"):
            np.testing.assert_allclose(getattr(clmath, name)(abs(x)).get(), getattr(np, name)(abs(a)), rtol=close, atol=close)


@test
def elementwise():
    k = ElementwiseKernel(context, "float a, float *x, long *y, double2 *z", "z[i] = (double2)(a * x[i], y[i])", "mixed")
    for n in SIZES:
        a, b, z = some(n, np.float32), some(n, np.int64), array.zeros(queue, n, cl.cltypes.double2)
        k(np.float32(2.5), give(a), give(b), z)
        got = z.get()
        np.testing.assert_array_equal(got["x"], (np.float32(2.5) * a).astype(np.float64))
        np.testing.assert_array_equal(got["y"], b.astype(np.float64))


@test
def reduction():
    dot = ReductionKernel(context, np.float64, neutral="0", reduce_expr="a+b", map_expr="(double)x[i]*y[i]", arguments="float *x, float *y")
    for n in SIZES:
        a, b = some(n, np.float32), some(n, np.float32)
        np.testing.assert_allclose(dot(give(a), give(b)).get(), np.dot(a.astype(np.float64), b.astype(np.float64)), rtol=1e-9, atol=1e-6)
        c = some(n, np.int32)
        assert array.max(give(c)).get() == c.max() and array.min(give(c)).get() == c.min()
        assert array.sum(give(c), dtype=np.int64).get() == c.sum(dtype=np.int64)


@test
def scan():
    for t in (np.int32, np.int64, np.float64):
        inclusive = InclusiveScanKernel(context, t, "a+b", neutral="0")
        exclusive = ExclusiveScanKernel(context, t, "a+b", neutral="0")
        for n in SIZES:
            a = rng.integers(-1000, 1000, n).astype(t)
            x, y = give(a), give(a)
            inclusive(x)
            np.testing.assert_array_equal(x.get(), np.cumsum(a, dtype=t))
            exclusive(y)
            np.testing.assert_array_equal(y.get(), np.cumsum(a, dtype=t) - a)


@test
def segmented_scan():
    k = GenericScanKernel(context, np.int32, arguments="int *x, char *first, int *out", input_expr="x[i]",
                          scan_expr="across_seg_boundary ? b : a+b", neutral="0", is_segment_start_expr="first[i]", output_statement="out[i] = item")
    for n in SIZES:
        a, first = rng.integers(-9, 9, n).astype(np.int32), (rng.random(n) < 0.05).astype(np.int8)
        out = array.empty(queue, n, np.int32)
        k(give(a), give(first), out)
        want, s = [], 0
        for v, f in zip(a, first):
            s = v if f else s + v
            want.append(s)
        np.testing.assert_array_equal(out.get(), want)


@test
def compaction():
    for n in SIZES:
        a = some(n, np.int32)
        out, count, _ = pyopencl.algorithm.copy_if(give(a), "ary[i] > 0")
        want = a[a > 0]
        assert count.get() == len(want)
        np.testing.assert_array_equal(out.get()[:len(want)], want)
        yes, no, count, _ = pyopencl.algorithm.partition(give(a), "ary[i] % 2 == 0")
        even = np.fmod(a, 2) == 0
        np.testing.assert_array_equal(yes.get()[:even.sum()], a[even])
        np.testing.assert_array_equal(no.get()[:(~even).sum()], a[~even])


@test
def radix_sort():
    k = pyopencl.algorithm.RadixSort(context, "int *x, int *v", key_expr="x[i]", sort_arg_names=["x", "v"], key_dtype=np.int32)
    for n in (1, 17, 1000, 30011):
        a, v = rng.integers(0, 1 << 20, n).astype(np.int32), np.arange(n, dtype=np.int32)
        (x, y), _ = k(give(a), give(v), key_bits=20)
        order = np.argsort(a, kind="stable")
        np.testing.assert_array_equal(x.get(), a[order])
        np.testing.assert_array_equal(y.get(), v[order])


@test
def bitonic_sort():
    from pyopencl.bitonic_sort import BitonicSort
    k = BitonicSort(context)
    for t in (np.int32, np.float32, np.float64):
        a = some(1 << 10, t) # more take more local memory than PyOpenCL looks whether there is
        x = give(a)
        k(x)
        np.testing.assert_array_equal(x.get(), np.sort(a))


@test
def random():
    for generator in (clrandom.PhiloxGenerator(context, seed=5), clrandom.ThreefryGenerator(context, seed=5)):
        x = generator.uniform(queue, 1 << 18, np.float32).get()
        assert 0 <= x.min() and x.max() <= 1 and abs(x.mean() - 0.5) < 0.005 and len(np.unique(x)) > 200000
        x = generator.normal(queue, 1 << 18, np.float64).get()
        assert abs(x.mean()) < 0.01 and abs(x.std() - 1) < 0.01 and abs((x ** 4).mean() - 3) < 0.1
        x = generator.uniform(queue, 1 << 16, np.int32, a=-5, b=5).get()
        assert set(np.unique(x)) == set(range(-5, 5))


@test
def images():
    for shape in ((5, 7), (64, 64), (31, 100)):
        a = rng.random(shape + (4,)).astype(np.float32)
        image = cl.image_from_array(context, a, 4)
        out = array.empty(queue, shape + (4,), np.float32)
        program = cl.Program(context, """
            __kernel void f(read_only image2d_t in, __global float4 *out) {
              const sampler_t s = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
              int2 p = (int2)(get_global_id(0), get_global_id(1));
              out[p.y * get_global_size(0) + p.x] = read_imagef(in, s, p) * 2;
            }""").build()
        program.f(queue, shape[::-1], None, image, out.data)
        np.testing.assert_array_equal(out.get(), a * 2)


main()
