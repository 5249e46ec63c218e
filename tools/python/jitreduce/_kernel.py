"""Kernels of the caller's own, and device memory for them."""

from . import _engine, _jitreduce, _layout, _types
from ._context import default_context


class DeviceArray:
    """An array in device memory, C-ordered: what kernels work on.

    >>> x = jitreduce.DeviceArray.of(numpy.arange(3.0))
    >>> x.shape, x.dtype, x.numpy()
    ((3,), 'float64', array([0., 1., 2.]))
    """

    def __init__(self, shape, dtype, *, context=None):
        self._context = context or default_context()
        self.shape = (shape,) if isinstance(shape, int) else tuple(shape)
        kind = _types.of_dtype(dtype)
        self.dtype = _types.ARRAY_API[kind]
        self._strides = _layout.strides_in(range(len(self.shape)), self.shape, _engine.ITEM_BYTES[kind])
        self._kind = kind
        self._memory = _jitreduce.Memory(self._context._context, self.nbytes)

    @classmethod
    def of(cls, x, *, context=None):
        """An array in device memory with the elements of one in host memory, which are copied."""
        view = _engine.view(x, "x")
        if _layout.memory_order([view], [_engine.ITEM_BYTES[view.type]]) != tuple(range(len(view.shape))):
            raise ValueError("the array is not C-ordered: numpy.ascontiguousarray(x), which is a copy")
        made = cls(view.shape, _types.ARRAY_API[view.type], context=context)
        made._memory.write(view)
        return made

    @property
    def nbytes(self):
        """The bytes of all elements."""
        size = _engine.ITEM_BYTES[self._kind]
        for length in self.shape:
            size *= length
        return size

    @property
    def address(self):
        """Where it lies in device memory."""
        return self._memory.address

    def copy_to_host(self):
        """A memoryview of the elements, copied after all work of the default stream."""
        array = _jitreduce.Array(self._kind, self.shape, self._strides)
        self._memory.read(array)
        return memoryview(array)

    def numpy(self):
        """An array of NumPy's with the elements, copied."""
        import numpy  # pylint: disable=import-outside-toplevel

        return numpy.asarray(self.copy_to_host())


ARGUMENT_BYTES = 16  # at least: a kernel that takes more than it is given reads zeros


def _argument(value):
    """The bytes of a kernel's argument."""
    if isinstance(value, DeviceArray):
        return value.address.to_bytes(8, "little")
    if isinstance(value, bool):
        return bytes([value])
    if isinstance(value, int):
        return value.to_bytes(8, "little", signed=value < 0)
    if isinstance(value, float) and not hasattr(value, "dtype"):
        return bytes(memoryview(_number("f64", value)).cast("B"))
    try:
        return memoryview(value).tobytes()
    except TypeError:
        raise TypeError(f"{value!r} cannot be an argument of a kernel: pass a DeviceArray, a number of Python (int is "
                        "passed as 64 bits, float as double), or one of NumPy's or ctypes'") from None


def _number(kind, value):
    array = _jitreduce.Array(kind, (1,), (_engine.ITEM_BYTES[kind],))
    array.store(value)
    return array


def _three(size):
    return (size,) if isinstance(size, int) else tuple(size)


class Kernel:
    """A kernel of CUDA C text, specialised by constants, compiled once, kept in the cache.

    source      the text; entry: the kernel's name, of an extern "C" function or as in "saxpy<float>"
    constants   {"SCALE": "2.0f", "COUNT": 4}: `#define`s before the text
    headers     {"name.h": text}: found by #include; real files are never included
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

    def __init__(self, source, entry, constants=None, *, name=None, headers=None, options=(), context=None):
        self._context = context or default_context()
        self.entry = entry
        self._kernel = _jitreduce.Kernel(
            self._context._context, name or "kernel", source, entry,
            tuple((key, str(value)) for key, value in (constants or {}).items()), tuple((headers or {}).items()),
            tuple(options))

    def __repr__(self):
        return f"<jitreduce.Kernel {self.entry}>"

    def __call__(self, grid, block, args=(), *, shared_bytes=0, stream=None):
        """Launches the kernel. stream: the number of a CUDA stream; None: the default one.

        Arrays among the arguments must live until the launch is done."""
        handle = getattr(stream, "cuda_stream", None) or getattr(stream, "ptr", None) or stream or 0
        self._kernel.launch(_three(grid), _three(block), shared_bytes, int(handle), tuple(_argument(value).ljust(ARGUMENT_BYTES, b"\0") for value in args))

    def info(self):
        """What the kernel takes: registers of a thread, shared, local and constant bytes, most threads of a block."""
        return self._kernel.info()
