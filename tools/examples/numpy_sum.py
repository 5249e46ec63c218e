"""Reduces NumPy arrays through the shared library, with ctypes alone.

JITREDUCE_LIBRARY names libjitreduce.so where the linker does not find it.

Prints:
sum 499999500000.0
max 999999.0
"""

import ctypes
import os

import numpy as np

JR_F64, JR_OP_SUM, JR_OP_MAX = 6, 1, 4  # the numbers of jitreduce/types.h, which never change


class Value(ctypes.Structure):
    _fields_ = [("type", ctypes.c_int), ("f64", ctypes.c_double), ("rest", ctypes.c_char * 56)]


class Error(ctypes.Structure):
    _fields_ = [("size", ctypes.c_size_t), ("status", ctypes.c_int), ("stage", ctypes.c_char_p), ("message", ctypes.c_char_p)]


class Options(ctypes.Structure):  # its first members; what is behind them is 0
    _fields_ = [("size", ctypes.c_size_t), ("device", ctypes.c_char_p), ("rest", ctypes.c_char * 1024)]


class Spec(ctypes.Structure):
    _fields_ = [("size", ctypes.c_size_t), ("op", ctypes.c_int), ("type", ctypes.c_int), ("rest", ctypes.c_char * 1024)]


def sized(struct, **members):
    """A struct that starts with its size, so that older and newer libraries read only the members they know."""
    return struct(size=ctypes.sizeof(struct), **members)


def check(library, status):
    if status != 0:
        raise RuntimeError(library.jr_last_error().contents.message.decode())


def main():
    library = ctypes.CDLL(os.environ.get("JITREDUCE_LIBRARY", "libjitreduce.so.0"))
    library.jr_last_error.restype = ctypes.POINTER(Error)
    data = np.arange(1_000_000, dtype=np.float64)
    context, value = ctypes.c_void_p(), Value()
    check(library, library.jr_context_open(ctypes.byref(sized(Options, device=b"auto")), ctypes.byref(context)))
    for name, op in (("sum", JR_OP_SUM), ("max", JR_OP_MAX)):
        spec = sized(Spec, op=op, type=JR_F64)
        check(library, library.jr_reduce_host(context, ctypes.byref(spec), ctypes.c_void_p(data.ctypes.data),
                                              ctypes.c_uint64(data.size), ctypes.byref(value)))
        print(name, value.f64)
    library.jr_context_close(context)


main()
