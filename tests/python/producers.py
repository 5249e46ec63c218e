"""Classes of arrays in the device memory of the tests, one for each way to tell of it. They do nothing else."""

import ctypes
import types

import numpy as np

import jitreduce as jr
from jitreduce import _jitreduce

DEVICE = jr.default_context().dlpack_device
_python = ctypes.pythonapi
_python.PyCapsule_New.restype = ctypes.py_object
_python.PyCapsule_New.argtypes = (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)
_python.PyCapsule_GetPointer.restype = ctypes.c_void_p
_python.PyCapsule_GetPointer.argtypes = (ctypes.py_object, ctypes.c_char_p)
_python.PyCapsule_SetName.argtypes = (ctypes.py_object, ctypes.c_char_p)


class Device(ctypes.Structure):
    """DLDevice."""

    _fields_ = [("type", ctypes.c_int32), ("id", ctypes.c_int32)]


class Tensor(ctypes.Structure):
    """DLTensor."""

    _fields_ = [("data", ctypes.c_void_p), ("device", Device), ("ndim", ctypes.c_int32), ("code", ctypes.c_uint8),
                ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16), ("shape", ctypes.POINTER(ctypes.c_int64)),
                ("strides", ctypes.POINTER(ctypes.c_int64)), ("byte_offset", ctypes.c_uint64)]


class Managed(ctypes.Structure):
    """DLManagedTensorVersioned."""

    _fields_ = [("major", ctypes.c_uint32), ("minor", ctypes.c_uint32), ("context", ctypes.c_void_p),
                ("deleter", ctypes.c_void_p), ("flags", ctypes.c_uint64), ("tensor", Tensor)]


class Array:
    """What all of them are: elements of NumPy's in device memory, as a view of a DeviceArray."""

    def __init__(self, x, strides=None):
        self.ours = x if isinstance(x, jr.DeviceArray) else self.copy_of(np.asarray(x))
        self.shape = self.ours.shape if strides is None else np.asarray(x).shape
        self.strides = strides or self.ours._array.strides

    @classmethod
    def copy_of(cls, x):
        """The elements as they lie, in device memory."""
        if x.flags.c_contiguous:
            return jr.DeviceArray.of(x)
        order = sorted(range(x.ndim), key=lambda axis: -x.strides[axis])
        copy = jr.DeviceArray.of(np.ascontiguousarray(x.transpose(order)))
        seen = copy._array
        array = _jitreduce.Array.at(copy, seen.type, x.shape, x.strides, seen.address, False, *seen.device, 1)
        return jr._device.of_memory(jr.default_context(), copy, array)

    def numpy(self):
        """The elements."""
        return self.ours.numpy()


class OwnArray(Array):
    """Told by __dlpack__ and __dlpack_device__ of version 1; results come by from_dlpack of its namespace."""

    asked = []  # the streams that capsules were asked for
    stream = 1  # on which "the library" works

    def __dlpack_device__(self):
        return self.ours.__dlpack_device__()

    def __dlpack__(self, *, stream=None, max_version=None):
        self.asked.append(stream)
        return self.ours.__dlpack__(stream=stream, max_version=max_version)

    def __array_namespace__(self):
        return types.SimpleNamespace(from_dlpack=type(self).from_dlpack)

    @classmethod
    def from_dlpack(cls, x):
        """An array of this class that keeps another one."""
        x.__dlpack__(stream=cls.stream, max_version=(1, 0))
        return cls(x)


class OldArray(Array):
    """Told by __dlpack__ as it was before version 1; results come by from_dlpack of this module, in which the class is."""

    def __dlpack_device__(self):
        return self.ours.__dlpack_device__()

    def __dlpack__(self, stream=None):
        return self.ours.__dlpack__(stream=stream)


def from_dlpack(x):
    """An OldArray that keeps another one."""
    x.__dlpack__(stream=1)
    return OldArray(x)


class InterfaceArray(Array):
    """Told by __cuda_array_interface__."""

    told = {}  # in the place of what is true

    @property
    def __cuda_array_interface__(self):
        return {**self.ours.__cuda_array_interface__, **self.told}


class Exchanged(Array):
    """Told by DLPack's exchange table."""

    stream = 0  # on which "the library" works
    counts = dict.fromkeys(("export", "allocate", "import", "borrow", "current", "deleted"), 0)
    flags = 0
    kind = None  # (code, bits, lanes) in the place of what is true
    pool = None  # a list: what is allocated stays, as it does where a library's memory goes into a graph


_alive = {}


def _fill(tensor, x):
    code = {"i": 0, "u": 1, "f": 2, "b": 6}[np.dtype(x.ours.dtype).kind]
    size = np.dtype(x.ours.dtype).itemsize
    sizes = (ctypes.c_int64 * (2 * len(x.shape)))(*x.shape, *(stride // size for stride in x.ours._array.strides))
    tensor.data, tensor.byte_offset = x.ours.address or None, 0
    tensor.device = Device(*x.ours._array.device)
    tensor.code, tensor.bits, tensor.lanes = Exchanged.kind or (code, 8 * size, 1)
    tensor.ndim = len(x.shape)
    tensor.shape = ctypes.cast(sizes, ctypes.POINTER(ctypes.c_int64))
    tensor.strides = ctypes.cast(ctypes.byref(sizes, 8 * len(x.shape)), ctypes.POINTER(ctypes.c_int64))
    x.sizes = sizes


def _managed(x):
    made = Managed(major=1, minor=2, flags=Exchanged.flags, deleter=ctypes.cast(_delete, ctypes.c_void_p).value)
    _fill(made.tensor, x)
    _alive[ctypes.addressof(made)] = (made, x)
    return ctypes.addressof(made)


@ctypes.PYFUNCTYPE(None, ctypes.c_void_p)
def _delete(address):
    Exchanged.counts["deleted"] += 1
    del _alive[address]


def _counted(name, *types_):
    def decorate(function):
        def call(*arguments):
            Exchanged.counts[name] += 1
            return function(*arguments) or 0

        return ctypes.PYFUNCTYPE(ctypes.c_int, *types_)(call)

    return decorate


_pointer = ctypes.POINTER(ctypes.c_void_p)
TYPES = {(0, 8): "int8", (0, 64): "int64", (0, 32): "int32", (1, 8): "uint8", (1, 64): "uint64", (2, 32): "float32",
         (2, 64): "float64", (6, 8): "bool", (2, 16): "float16"}


@_counted("allocate", ctypes.POINTER(Tensor), _pointer, ctypes.c_void_p, ctypes.c_void_p)
def _allocate(like, made, _context, _fail):
    like = like.contents
    shape = tuple(like.shape[i] for i in range(like.ndim))
    x = Exchanged(jr.DeviceArray(shape, TYPES[like.code, like.bits]))
    made[0] = _managed(x)
    if Exchanged.pool is not None:
        Exchanged.pool.append(x)


@_counted("export", ctypes.py_object, _pointer)
def _export(x, out):
    out[0] = _managed(x)


@_counted("import", ctypes.c_void_p, ctypes.POINTER(ctypes.c_void_p))
def _import(managed, out):
    if managed in _alive:  # one of its own
        x = _alive.pop(managed)[1]
    else:
        capsule = _python.PyCapsule_New(managed, b"dltensor_versioned", None)
        array = _jitreduce.Array.of_capsule(capsule, 0)
        x = Exchanged(jr._device.of_memory(jr.default_context(), None, array))
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(x))
    out[0] = id(x)


@_counted("borrow", ctypes.py_object, ctypes.POINTER(Tensor))
def _borrow(x, tensor):
    _fill(tensor.contents, x)


@_counted("current", ctypes.c_int, ctypes.c_int32, ctypes.POINTER(ctypes.c_void_p))
def _current(kind, number, stream):
    assert (kind, number) == DEVICE
    stream[0] = Exchanged.stream or None


class _Table(ctypes.Structure):
    _fields_ = [("major", ctypes.c_uint32), ("minor", ctypes.c_uint32)] + [
        (name, ctypes.c_void_p) for name in ("older", "allocate", "export", "import", "borrow", "current")]


def table(major=1, older=None):
    """An exchange table of the functions above."""
    functions = (_allocate, _export, _import, _borrow, _current)
    return _Table(major, 2, ctypes.addressof(older) if older else None,
                  *(ctypes.cast(function, ctypes.c_void_p).value for function in functions))


def capsule_of(made):
    """The capsule that a class has."""
    return _python.PyCapsule_New(ctypes.addressof(made), b"dlpack_exchange_api", None)


_table = table()
Exchanged.__dlpack_c_exchange_api__ = capsule_of(_table)
ALL = (jr.DeviceArray, OwnArray, OldArray, InterfaceArray, Exchanged)


def made(kind, x):
    """An array of one of those classes with the elements of one of NumPy's."""
    return Array(x).ours if kind is jr.DeviceArray else kind(x)
