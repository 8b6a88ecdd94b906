#!/usr/bin/python3
"""CLBlast: its tuners, which compare every variant of its kernels with a reference, and its routines against numpy."""
import ctypes
import os
import re
import tempfile

import numpy as np
import pyopencl as cl

from client import DEVICE, main, run, test

blas = ctypes.CDLL("libclblast.so.1")
context = cl.Context([cl.get_platforms()[0].get_devices()[DEVICE]])
queue = cl.CommandQueue(context)
rng = np.random.default_rng(3)
KINDS = {"S": (np.float32, ctypes.c_float, 1e-4), "D": (np.float64, ctypes.c_double, 1e-12)}
ROW, NO, YES = 101, 111, 112


def tuner(name, *options):
    """At sizes that every configuration divides: each compiles, runs, and gives what the reference does."""
    with tempfile.TemporaryDirectory() as where:
        os.chdir(where)
        out = re.sub(r"\x1b\[\d+m", "", run("clblast_tuner_" + name, "-platform", 0, "-device", DEVICE, "-precision", 32, "-runs", 2, *options))
        os.chdir("/")
    good = out.count("results match")
    bad = [line for line in out.splitlines() if re.search(r"L2 error|compilation error|error code|exception", line)]
    assert good > 0 and not bad, "error: " + "\n".join(bad[:5] or [out[-2000:]])


@test
def tuner_xaxpy():
    tuner("xaxpy", "-n", 1 << 21, "-fraction", 16)


@test
def tuner_xdot():
    tuner("xdot", "-n", 1 << 20)


@test
def tuner_xgemv():
    tuner("xgemv", "-m", 2048, "-n", 2048, "-fraction", 8)


@test
def tuner_xger():
    tuner("xger", "-m", 1024, "-n", 1024, "-fraction", 16)


@test
def tuner_transpose():
    tuner("transpose_fast", "-m", 1024, "-n", 1024, "-fraction", 16)


@test
def tuner_copy():
    tuner("copy_fast", "-m", 1024, "-n", 1024, "-fraction", 16)


@test
def tuner_xgemm():
    tuner("xgemm", "-m", 128, "-n", 128, "-k", 128, "-fraction", 1024)


def call(name, *arguments):
    """Calls a routine of the C interface on the queue and waits. Arrays become buffers and are read back into."""
    buffers, given = [], []
    for a in arguments:
        if isinstance(a, np.ndarray):
            b = cl.Buffer(context, cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR, hostbuf=a)
            buffers.append((a, b))
            given.append(ctypes.c_void_p(b.int_ptr))
            given.append(ctypes.c_size_t(0))
        elif isinstance(a, int):
            given.append(ctypes.c_size_t(a))
        else:
            given.append(a)
    q = ctypes.c_void_p(queue.int_ptr)
    status = getattr(blas, "CLBlast" + name)(*given, ctypes.byref(q), None)
    assert status == 0, f"error: CLBlast{name} returned {status}"
    queue.finish()
    for a, b in buffers:
        cl.enqueue_copy(queue, a, b)


def close(got, want, tolerance):
    np.testing.assert_allclose(got, want, rtol=tolerance, atol=tolerance * np.abs(want).max())


def vector(n, t):
    return rng.standard_normal(n).astype(t)


@test
def level_1():
    for p, (t, c, e) in KINDS.items():
        for n in (1, 7, 256, 10007):
            x, y = vector(n, t), vector(n, t)
            z = y.copy()
            call(p + "axpy", n, c(1.5), x, 1, z, 1)
            close(z, 1.5 * x + y, e)
            z = x.copy()
            call(p + "scal", n, c(-2), z, 1)
            close(z, -2 * x, e)
            for name, want in (("dot", np.dot(x, y)),):
                r = np.zeros(1, t)
                call(p + name, n, r, x, 1, y, 1)
                close(r[0], want, e * 10)
            for name, want in (("nrm2", np.linalg.norm(x)), ("asum", np.abs(x).sum())):
                r = np.zeros(1, t)
                call(p + name, n, r, x, 1)
                close(r[0], want, e * 10)
            a, b = x.copy(), y.copy()
            call(p + "swap", n, a, 1, b, 1)
            assert (a == y).all() and (b == x).all()


@test
def level_2():
    for p, (t, c, e) in KINDS.items():
        for m, n in ((5, 3), (64, 64), (200, 131)):
            a, x, y = vector((m, n), t), vector(n, t), vector(m, t)
            z = y.copy()
            call(p + "gemv", ctypes.c_int(ROW), ctypes.c_int(NO), m, n, c(2), a, n, x, 1, c(0.5), z, 1)
            close(z, 2 * a @ x + 0.5 * y, e * 10)
            z = x.copy()
            call(p + "gemv", ctypes.c_int(ROW), ctypes.c_int(YES), m, n, c(1), a, n, y, 1, c(1), z, 1)
            close(z, a.T @ y + x, e * 10)
            b = a.copy()
            call(p + "ger", ctypes.c_int(ROW), m, n, c(3), y, 1, x, 1, b, n)
            close(b, a + 3 * np.outer(y, x), e * 10)


@test
def level_3():
    for p, (t, c, e) in KINDS.items():
        for m, n, k in ((4, 5, 6), (128, 128, 128), (100, 33, 77)):
            a, b, d = vector((m, k), t), vector((k, n), t), vector((m, n), t)
            z = d.copy()
            call(p + "gemm", ctypes.c_int(ROW), ctypes.c_int(NO), ctypes.c_int(NO), m, n, k, c(1.5), a, k, b, n, c(-1), z, n)
            close(z, 1.5 * a @ b - d, e * 20)
            z = d.copy()
            call(p + "gemm", ctypes.c_int(ROW), ctypes.c_int(YES), ctypes.c_int(YES), m, n, k, c(1), a.T.copy(), m, b.T.copy(), k, c(0), z, n)
            close(z, a @ b, e * 20)


main()
