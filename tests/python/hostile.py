"""Values that no argument should be, for tests that give them to everything."""

import array
import collections
import ctypes
import datetime
import decimal
import fractions

import numpy as np

import jitreduce as jr


class OwnError(Exception):
    """What an object of the caller's raises by itself: it is handed on as it is."""


def _raises(*unused, **unused_too):
    raise OwnError("of the object's own")


def broken(name, value=_raises, **more):
    """An object of whose class one member is wrong."""
    return type(f"Broken_{name.strip('_')}", (), {name: value, **more})()


def interface(**more):
    """An object that tells of device memory wrongly."""
    told = {"shape": (2,), "typestr": "<f4", "data": (0, False), "version": 3, **more}
    return broken("__cuda_array_interface__", {key: value for key, value in told.items() if value is not Ellipsis})


def numbers():
    """Numbers and what looks like one."""
    return [None, True, 1.5, float("nan"), float("inf"), -1, -2**63, 2**31, 2**63, 2**64, 10**5000, 1j, np.float64("nan"), np.int64(-1),
            np.bool_(True), np.datetime64("2020-01-01"), np.str_("text"), np.complex128(1), np.longdouble(1),
            broken("__index__"), broken("__index__", lambda self: "text"), broken("__float__"), broken("__float__", lambda self: "text"),
            broken("__int__"), broken("__bool__"), broken("__hash__"), broken("__hash__", None), broken("__eq__"), broken("__repr__")]


def things():
    """Texts, containers, functions."""
    return ["", "text", "\0", "a\0b", "\ud800", "x" * 5000, b"", b"bytes", bytearray(b"bytes"), [], [1], [None], (), (1,), (None,), (1, 2, 3, 4), {},
            {1: 2}, {"a": None}, set(), range(3), object(), int, len, lambda: 1, Ellipsis, NotImplemented, memoryview(b"abc"),
            (i for i in (1, 2)), iter([1]), frozenset((1,)), collections.deque([1]), decimal.Decimal(1), fractions.Fraction(1, 3), datetime.date(2020, 1, 1),
            array.array("u", "ab"), ctypes.c_void_p(16), ctypes.c_int(1), broken("__array__", lambda self, *unused, **unused_too: np.zeros(2), dtype=np.dtype("f8")),
            broken("__len__"), broken("__len__", lambda self: -1), broken("__iter__"), broken("__iter__", lambda self: 5),
            broken("__getattr__"), broken("__fspath__"), broken("__fspath__", lambda self: 5)]


def arrays():
    """Arrays that are none, or of what is no number, or that lie as none may."""
    x = np.arange(6.0)
    frozen = x.copy()
    frozen.flags.writeable = False
    return [np.array(["a", "b"]), np.array([b"a", b"b"]), np.array([1, None], object), np.zeros(2, "M8[s]"), np.zeros(2, "m8[s]"),
            np.zeros(2, "c16"), np.zeros(2, "i4,f4"), np.zeros(2, "V3"), np.zeros(2, np.longdouble), np.zeros(2, ">f4"), np.array(1.5), np.zeros(0),
            np.zeros((0, 3)), np.zeros((1,) * 30), x[::2], x[::-1], np.broadcast_to(np.float64(1), (3,)), frozen, np.ma.masked_array(x, x > 2), np.matrix([[1.0, 2.0]]),
            np.zeros(6, bool), np.arange(6, dtype="f4"), np.zeros((2, 3))[:, 1:], np.random.default_rng, np.dtype("f4"), np.float32]


def tellers():
    """Objects that tell of their memory, and tell it wrongly."""
    return [broken("__array__"), broken("__array_interface__", {}), broken("__array_interface__", 5), broken("__dlpack__"),
            broken("__dlpack_device__"), broken("__dlpack_device__", lambda self: (1, 0)), broken("__dlpack_device__", lambda self: None),
            broken("__dlpack_device__", lambda self: ()), broken("__dlpack_device__", lambda self: ("cpu", 0)), broken("__dlpack_device__", 5),
            broken("__dlpack__", lambda self, **unused: 5, __dlpack_device__=lambda self: (2, 0)),
            broken("__dlpack__", lambda self: 5, __dlpack_device__=lambda self: (1, 0)),
            broken("__dlpack__", lambda self, **unused: None, __dlpack_device__=lambda self: (99, 0)),
            broken("__cuda_array_interface__", None), broken("__cuda_array_interface__", {}), broken("__cuda_array_interface__", 5),
            broken("__cuda_array_interface__", property(_raises)), interface(shape=Ellipsis), interface(shape=5), interface(shape=(-1,)), interface(shape=("a",)),
            interface(shape=(2**62, 2**62)), interface(shape=(1,) * 70), interface(typestr=Ellipsis), interface(typestr=5), interface(typestr="<f3"),
            interface(typestr="|O8"), interface(data=Ellipsis), interface(data=5), interface(data=None), interface(data=("a", 0)), interface(data=(-1, 0)),
            interface(data=(2**64, 0)), interface(data=()), interface(strides=5), interface(strides=(4, 4)), interface(strides=("a",)), interface(strides=(2**70,)), interface(stream=0),
            interface(stream="a"), interface(stream=-1), interface(stream=2**64), interface(mask=5), broken("__cuda_stream__"), broken("__cuda_stream__", 5), broken("__cuda_stream__", ()),
            broken("__cuda_stream__", lambda self: None), broken("__cuda_stream__", lambda self: ("a", "b")), broken("dtype", property(_raises)), broken("dtype", 5),
            broken("shape", property(_raises)), broken("mask", 1, filled=1), broken("cuda_stream", "text"), broken("ptr", _raises), broken("item", _raises, shape=())]


def of_devices():
    """Contexts, streams and arrays that are closed, or of another device."""
    closed = jr.Context("sim")
    stream, x = jr.Stream(context=closed), jr.DeviceArray(3, "float32", context=closed)
    closed.close()
    return [closed, stream, x, jr.Context, jr.Context("sim"), jr.DeviceArray(3, "float32"), jr.DeviceArray(0, "float64"), jr.Stream(), jr.Reduction("sum")]


def everything():
    """All of them."""
    return [*numbers(), *things(), *arrays(), *tellers(), *of_devices()]
