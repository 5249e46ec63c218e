"""Kernels of the caller's own."""

import operator
import os

from . import _device, _jitreduce, _types
from ._context import default_context


ARGUMENT_BYTES = 16  # at least: a kernel that takes more than it is given reads zeros
PARAMETER_BYTES = 32764  # at most, of all parameters. Source: the CUDA Programming Guide, "Kernel parameters"


def _argument(value):
    """The bytes of a kernel's argument."""
    if hasattr(type(value), "__dlpack_device__") or hasattr(value, "__cuda_array_interface__"):
        seen = _device.view(value, "an argument")
        if seen.device[0] != _device.CPU:
            return seen.address.to_bytes(8, "little")
        if seen.shape:
            raise ValueError(f"an argument of shape {seen.shape} is in host memory: jitreduce.DeviceArray.of(x) copies it to the "
                             "device; a struct is a scalar of NumPy's or a ctypes.Structure")
    if isinstance(value, bool):
        return bytes([value])
    if isinstance(value, int):
        return value.to_bytes(8, "little", signed=value < 0)
    if isinstance(value, float) and not hasattr(value, "dtype"):
        return bytes(memoryview(_number("f64", value)).cast("B"))
    try:
        return memoryview(value).tobytes()
    except TypeError:
        raise TypeError(f"{value!r} cannot be an argument of a kernel: pass an array in device memory, a number of Python (int is "
                        "passed as 64 bits, float as double), or one of NumPy's or ctypes'") from None


def _number(kind, value):
    array = _jitreduce.Array(kind, (1,), (_types.ITEM_BYTES[kind],))
    array.store(value)
    return array


def _whole(name, value):
    """A size of a launch, which CUDA holds in 32 bits."""
    if not hasattr(type(value), "__index__"):
        raise TypeError(f"{name}={value!r} is no whole number")
    if not 0 <= operator.index(value) < 1 << 32:
        raise OverflowError(f"{name}={value!r} does not fit into 32 bits without a sign")
    return operator.index(value)


def _three(name, size):
    sizes = size if isinstance(size, (tuple, list)) else (size,)
    if not 1 <= len(sizes) <= 3:
        raise TypeError(f"{name}={size!r}: give a number, or a tuple of one to three")
    return tuple(_whole(name, one) for one in sizes)


def _counted(count, word):
    return f"{count} {word}{'' if count == 1 else 's'}"


class Kernel:
    """A kernel of CUDA C text, specialised by constants, compiled once, kept in the cache.

    source      the text; entry: the kernel's name, of an extern "C" function or as in "saxpy<float>"
    constants   {"SCALE": "2.0f", "COUNT": 4}: `#define`s before the text
    headers     {"name.h": text}: found by #include, before real files
    include_folders   folders of real files: each one that the texts name is in the cache's key by its bytes
    toolkit_headers   True: also the CUDA toolkit's: <cuda_fp16.h>, <cuda/std/...>, <cub/block/...>
    options     further options of NVRTC
    A call launches it, asynchronously: kernel(grid, block, args); grid and block are numbers or tuples of up to three.

    >>> y = jitreduce.DeviceArray.of(numpy.ones(4, "f4"))
    >>> kernel = jitreduce.Kernel('''extern "C" __global__ void scale(float *y, float by) {
    ...     if (threadIdx.x < COUNT) y[threadIdx.x] *= by;
    ... }''', "scale", {"COUNT": 3})
    >>> kernel(1, 32, (y, numpy.float32(5)))
    >>> y.numpy()
    array([5., 5., 5., 1.], dtype=float32)
    """

    def __init__(self, source, entry, constants=None, *, name=None, headers=None, options=(), context=None,
                 include_folders=(), toolkit_headers=False):
        self._context = context or default_context()
        self.entry = entry
        self._kernel = _jitreduce.Kernel(
            self._context._context, name or "kernel", source, entry,
            tuple((key, str(value)) for key, value in (constants or {}).items()), tuple((headers or {}).items()),
            tuple(options), tuple(map(os.fspath, include_folders)), bool(toolkit_headers))
        info = self._kernel.info()
        self._parameter_count = info["parameter_count"]
        known = info["parameter_bytes"] if self._parameter_count >= 0 else PARAMETER_BYTES
        self._argument_bytes = max(ARGUMENT_BYTES, known)  # the driver reads as many as a parameter has

    def __repr__(self):
        return f"<jitreduce.Kernel {self.entry}>"

    def __call__(self, grid, block, args=(), *, shared_bytes=0, stream=None):
        """Launches the kernel. stream: a CUDA stream, or its number; None: the default one.

        As many arguments as the kernel has parameters; drivers before CUDA 12.4 do not tell how many these are. Arrays among
        the arguments must live until the launch is done, and are not waited for."""
        arguments = tuple(_argument(value).ljust(self._argument_bytes, b"\0") for value in args)
        if self._parameter_count not in (-1, len(arguments)):
            raise TypeError(f"the kernel {self.entry} has {_counted(self._parameter_count, 'parameter')}, and "
                            f"{_counted(len(arguments), 'argument')} {'was' if len(arguments) == 1 else 'were'} given")
        self._kernel.launch(_three("grid", grid), _three("block", block), _whole("shared_bytes", shared_bytes),
                            _device.stream_number(stream) or 1, arguments)

    def info(self):
        """What the kernel takes: registers of a thread, shared, local and constant bytes, most threads of a block, its
        parameters and their bytes (-1 and 0: the driver does not tell)."""
        return self._kernel.info()
