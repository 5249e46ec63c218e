"""Arrays in device memory: those of others, seen where they are, and ours."""

import functools
import math
import operator
import sys
from collections.abc import Mapping

from . import _columns, _given, _jitreduce, _layout, _types
from ._context import context_of, context_of_device, default_context, kept
from ._documented import checked
from ._given import shown

CPU, CUDA, CUDA_HOST, SIMULATED, CUDA_MANAGED = 1, 2, 3, 12, 13  # DLPack's kinds of devices
ON_GPU = (CUDA, CUDA_HOST, CUDA_MANAGED)
MAX_VERSION = (1, 2)  # of DLPack
TYPESTR_OF = {kind: ("|" if size == 1 else "<") + kind[0] + str(size)
              for kind, size in _types.ITEM_BYTES.items() if kind != "bf16" and kind[0] != "e"}
TYPESTRS = {end + text[1:]: kind for kind, text in TYPESTR_OF.items() for end in "<|="}


def stream_number(stream):
    """The number of a CUDA stream: of PyTorch's, CuPy's, cuda.core's and Numba's, or a number. None: no stream is meant.

    0 and 1 are the default stream, 2 is each thread's own.

    >>> stream_number(0), stream_number(2), stream_number(None)
    (1, 2, None)
    """
    if stream is None:
        return None
    try:
        number = _stream_handle(stream)
        number = 0 if number is None else operator.index(number)
    except (TypeError, ValueError, IndexError, KeyError):
        raise TypeError(f"{shown(stream)} is not a CUDA stream: pass its number, or an object with __cuda_stream__, as PyTorch's, "
                        "CuPy's and cuda.core's streams are") from None
    if not 0 <= number < 1 << 64:
        raise ValueError(f"stream={shown(number)}: a CUDA stream is 0 or above, in 64 bits")
    return number or 1


def _stream_handle(stream):
    pair = getattr(stream, "__cuda_stream__", None)
    if pair is not None:
        stream = (pair() if callable(pair) else pair)[1]
    else:
        for name in ("cuda_stream", "ptr", "handle"):
            if hasattr(stream, name):
                stream = getattr(stream, name)
                break
    return getattr(stream, "value", stream)


def _current_stream(x):
    """The stream on which an array's library works now, where that is known; else the default one."""
    module = sys.modules.get(type(x).__module__.partition(".")[0])
    try:
        if module is None:
            return 1
        if module.__name__ == "cupy":
            return module.cuda.get_current_stream().ptr or 1
        if module.__name__ == "torch":
            return module.cuda.current_stream(x.device).cuda_stream or 1
    except AttributeError:
        pass
    return 1


def _of_dlpack(x, stream):
    """The Array that x.__dlpack__ describes; the library of x makes the stream wait for x."""
    if not hasattr(x, "__dlpack__"):
        raise TypeError("it has no __dlpack__")
    try:
        capsule = x.__dlpack__(stream=stream, max_version=MAX_VERSION)
    except TypeError:  # before version 1
        capsule = x.__dlpack__(stream=stream)
    return _jitreduce.Array.of_capsule(capsule, stream or 0)


def _of_cupy(x):
    """The Array of a CuPy array, with its device; None: only __dlpack__ describes it. A capsule costs as much as several
    reductions, __cuda_array_interface__ little, but names no device."""
    interface = x.__cuda_array_interface__
    if interface["typestr"] not in TYPESTRS or not interface.get("stream"):
        return None
    return _of_cuda_interface(x, None, interface, x.data.device_id)


def _of_cuda_interface(x, stream, interface=None, number=-1):
    """The Array that x.__cuda_array_interface__ describes (https://nvidia.github.io/numba-cuda/user/cuda_array_interface.html)."""
    interface = x.__cuda_array_interface__ if interface is None else interface
    if not isinstance(interface, Mapping):
        raise TypeError(f"its __cuda_array_interface__ is {shown(interface)}, not a dict")
    missing = [name for name in ("shape", "typestr", "data") if name not in interface]
    if missing:
        raise TypeError(f"its __cuda_array_interface__ has no {missing[0]!r}")
    if interface.get("mask") is not None:
        raise TypeError("the array has a mask, which would be ignored: pass its data, and the mask as where")
    kind = TYPESTRS.get(interface["typestr"]) if isinstance(interface["typestr"], str) else None
    if kind is None:
        raise TypeError(f"elements of {shown(interface['typestr'])} cannot be reduced: only integers, floats and booleans can")
    shape = _sizes("shape", interface["shape"])
    if any(size < 0 for size in shape):
        raise ValueError(f"its shape {shape} has a negative length")
    strides = interface.get("strides")
    strides = (_layout.strides_in(range(len(shape)), shape, _types.ITEM_BYTES[kind]) if strides is None else
               _sizes("strides", strides))
    if _reach(kind, shape, strides) >= 1 << 63:
        raise ValueError(f"its shape {shape} takes more bytes than 64 bits can address")
    made_on = interface.get("stream")
    if made_on is not None and whole_of("stream", made_on) == 0:
        raise ValueError("the array names stream 0, which __cuda_array_interface__ forbids: 1 is the default "
                         "stream, 2 the thread's own")
    address, readonly = _data_of(interface["data"])
    return _jitreduce.Array.at(x, kind, shape, strides, address, readonly, CUDA, number,
                               (whole_of("stream", made_on) if made_on is not None else 0) or stream or 1)


def whole_of(name, value):
    """A 64-bit number from the interface of an array."""
    number = _given.whole(f"its {name}", value)
    if not 0 <= number < 1 << 64:
        raise ValueError(f"its {name}={shown(value)} does not fit into 64 bits without a sign")
    return number


def _sizes(name, value):
    """A shape or strides."""
    sizes = tuple(_given.whole(f"its {name}", one) for one in _given.items(f"its {name}", value))
    if not all(-(1 << 63) <= size < 1 << 63 for size in sizes):
        raise ValueError(f"its {name}={shown(value)} does not fit into 64 bits")
    return sizes


def _data_of(value):
    """The address, and whether it may only be read."""
    pair = _given.items("its data", value)
    if len(pair) != 2:
        raise TypeError(f"its data={shown(value)} is not an address and whether it may only be read")
    return whole_of("address", 0 if pair[0] is None else pair[0]), _given.flag("its data", pair[1])


def dlpack_device(x):
    """The kind and the number of the device of x."""
    device = x.__dlpack_device__() if callable(x.__dlpack_device__) else x.__dlpack_device__
    if type(device) is tuple and tuple(map(type, device)) == (int, int):  # of NumPy, of whose small arrays this would be half the cost
        return device
    pair = _given.items("its __dlpack_device__", device)
    if len(pair) != 2:
        raise TypeError(f"its __dlpack_device__ returns {shown(device)}, not a kind of device and its number")
    return tuple(_given.whole("its __dlpack_device__", one) for one in pair)


_kept_kind = functools.lru_cache(maxsize=64)(_types.found)


def _kind_of(dtype):
    """The library's name of a dtype; NumPy takes microseconds to name one."""
    try:
        return _kept_kind(dtype)
    except TypeError:  # it cannot be a key
        return _types.found(dtype)


def _see(x, stream):
    """The Array that sees an argument's memory, wherever it is."""
    if type(x) is _jitreduce.Array:  # pylint: disable=unidiomatic-typecheck
        return x
    if isinstance(x, DeviceArray):
        if stream is not None and stream != (x._array.stream or 1):
            x._share()
        return x._array
    if _jitreduce.exchanges(type(x)):
        return _jitreduce.Array.of(x)
    seen = _of_cupy(x) if type(x).__module__ == "cupy" and hasattr(x, "__cuda_array_interface__") else None
    if seen is not None:
        return seen
    device = dlpack_device(x)[0] if hasattr(type(x), "__dlpack_device__") else CPU
    if device != CPU:
        return _of_dlpack(x, stream or _current_stream(x))
    if hasattr(x, "__cuda_array_interface__"):
        return _of_cuda_interface(x, stream)
    kind = _kind_of(x.dtype) if hasattr(x, "dtype") else None
    if kind is None and getattr(getattr(x, "dtype", None), "kind", None) in ("m", "M"):
        raise TypeError("dates or times")  # of one, buffers have the bytes
    if kind in _types.UNNAMED and hasattr(type(x), "view"):  # of ml_dtypes: buffers have no format for them
        seen = _jitreduce.Array.of(x.view(f"u{_types.ITEM_BYTES[kind]}"))
        return _jitreduce.Array.at(seen, kind, seen.shape, seen.strides, seen.address, seen.readonly, CPU, 0, 0)
    try:
        return _jitreduce.Array.of(x)
    except (BufferError, TypeError) as error:
        if hasattr(type(x), "__dlpack__") and not str(error).startswith("elements of"):
            return _of_dlpack(x, None)
        raise


def _to_array(x, name):
    """Advice: the call that turns a value into an array."""
    if name == "out":
        return "results are written into an array that exists, as numpy.empty(shape, dtype) makes it, and would be lost in a copy"
    if isinstance(x, (str, bytes, Mapping)) or x is None:
        return "pass an array of numbers, as NumPy's"
    if hasattr(type(x), "__iter__") and not hasattr(type(x), "__len__") or isinstance(x, (set, frozenset)):
        return f"numpy.fromiter({name}, float) makes one"
    if hasattr(x, "as_py"):
        return f"{name}.as_py() is the number of a scalar of pyarrow"
    return f"numpy.asarray({name}) makes one"


def seen(x, name, stream=None):
    """(what results are like, the Array that sees an argument's memory, an Array that is false at nulls or None)."""
    try:
        x, present = (x, None) if name == "out" else _columns.taken(x, name)
        return x, _see(x, stream), None if present is None else _see(present, None)
    except (TypeError, BufferError, ValueError, AttributeError) as error:
        if isinstance(error, TypeError) and str(error).startswith(f"{name}, ") and "columns" not in name:
            raise
        if isinstance(error, TypeError) and str(error).startswith("elements of") or getattr(getattr(x, "dtype", None), "kind", None) in ("T", "V"):
            raise TypeError(f"{name}: {_types.wrong_elements(x, name) or error}") from None
        if getattr(getattr(x, "dtype", None), "kind", None) in ("m", "M"):
            raise TypeError(f"{name}: elements of {x.dtype} are dates or times: {name}.view('int64') are their numbers, the "
                            "least of which is NaT") from None
        why = "" if "bytes-like object" in str(error) else f" ({error})"  # Python's words for the buffer protocol
        raise TypeError(f"{name}, of {type(x).__name__}, is not an array whose memory can be read: {_to_array(x, name)}{why}") from None


def view(x, name, stream=None):
    """The Array that sees an argument's memory. stream: where device memory is used; None: where it is made."""
    _, array, present = seen(x, name, stream)
    if present is not None:
        refuse_nulls(name)
    return array


def refuse_nulls(name):
    """Raises ValueError for nulls where no element can be left out."""
    raise ValueError(f"{name} has nulls, and this call leaves no elements out: fill or drop them, as {name}.fillna(0) or {name}.drop_nulls() does")


def context_for(context, array):
    """The context that is to reduce an array in device memory: the caller's, else one of the array's device."""
    kind, number = array.device
    if kind not in (*ON_GPU, SIMULATED):
        raise ValueError(f"the array is on a device of DLPack's kind {kind}: only host memory and CUDA devices are supported")
    if context is None:
        return default_context() if number < 0 else context_of_device(number, kind == SIMULATED)
    info = context.device_info()
    if info["simulated"] != (kind == SIMULATED) and number >= 0:
        raise ValueError(f"the array is {'on the simulator' if kind == SIMULATED else f'on CUDA device {number}'}, the "
                         f"context on {info['name']}")
    if kind in (CUDA, SIMULATED) and number not in (-1, info["ordinal"]):
        raise ValueError(f"the array is on device {number}, the context on device {info['ordinal']}: "
                         f"jitreduce.Context('cuda:{number}') is one for it")
    return context


@kept(1024)
def plan_of(context, spec, shape=None, axes=(), scan=None, strides=None):
    """The plan of a spec and a layout; made once."""
    return _jitreduce.Plan(context, spec, shape, axes, scan, strides)


def order_streams(context, before, after):
    """Lets the stream `after` wait for the stream `before`; nothing where they are the same."""
    if (before or 1) != (after or 1):
        context._context.order(before or 1, after or 1)


class DeviceArray:
    """An array in device memory. Kernels work on it, and results are of this class where the library of the caller's
    arrays cannot take memory of others. CuPy, PyTorch and JAX take it by their from_dlpack, Numba as it is.

    shape     a number or a tuple of numbers; the elements are in C order and not initialised
    dtype     type of the elements: "float32", numpy.float32, torch.float32, ...
    context   jitreduce.Context that allocates it; default: the default context

    >>> x = jitreduce.DeviceArray.of(numpy.arange(3.0))
    >>> x.shape, x.dtype, x.numpy()
    ((3,), 'float64', array([0., 1., 2.]))
    >>> jitreduce.sum(x).numpy().item(), jitreduce.sum(x, value=True)
    (3.0, 3.0)
    """

    @checked
    def __init__(self, shape, dtype, *, context=None):
        shape = _layout.shape_of(shape)
        kind = _types.of_dtype(dtype)
        strides = _layout.strides_in(range(len(shape)), shape, _types.ITEM_BYTES[kind])
        self._take(*_memory(context_of(context), kind, shape, strides, 1))

    def _take(self, context, memory, array):
        self._context, self._memory, self._array = context, memory, array

    def _share(self):
        """Others use the memory, too, in an order that is not its stream's."""
        if hasattr(self._memory, "share"):
            self._memory.share()

    @classmethod
    def _of_array(cls, context, memory, array):
        made = cls.__new__(cls)
        made._take(context, memory, array)
        return made

    @classmethod
    @checked
    def of(cls, x, *, context=None):
        """Copies an array from host memory to the device, where it is C-ordered. context: default: the default context."""
        seen = view(x, "x")
        if seen.device[0] != CPU:
            raise ValueError("the array is already in device memory")
        order = tuple(range(len(seen.shape)))
        if not _layout.lies_in(seen, order, _types.ITEM_BYTES[seen.type]):
            seen = seen.packed(order)
        made = cls(seen.shape, _types.ARRAY_API[seen.type], context=context)
        made._memory.write(seen)
        return made

    def __repr__(self):
        return f"<jitreduce.DeviceArray of {self.dtype}, shape {self.shape}{self._shown()}>"

    def _shown(self):
        """": 3.5" for an array without dimensions; "" where its value cannot be read: a wait would end a capture."""
        if self.shape:
            return ""
        try:
            if self._context._context.captured(self._array.stream or 1):
                return ", captured"
            return f": {self.item()!r}"
        except _jitreduce.Error:
            return ""

    @property
    def shape(self):
        """The number of elements along each dimension."""
        return self._array.shape

    @property
    def dtype(self):
        """The type of the elements, by its name in the array API."""
        return _types.ARRAY_API[self._array.type]

    @property
    def ndim(self):
        """The number of dimensions."""
        return len(self.shape)

    @property
    def size(self):
        """The number of elements."""
        return math.prod(self.shape)

    @property
    def T(self):  # pylint: disable=invalid-name
        """The same elements with the axes in the opposite order; a view."""
        seen = self._array
        return self._view(seen.shape[::-1], seen.strides[::-1], seen.address)

    @property
    def nbytes(self):
        """The size of all elements in bytes."""
        return self.size * _types.ITEM_BYTES[self._array.type]

    @property
    def device(self):
        """The device's name, as Context takes it: "cuda:0", "sim#0"."""
        kind, number = self._array.device
        return f"sim#{number}" if kind == SIMULATED else f"cuda:{number}"

    @property
    def address(self):
        """The address in device memory."""
        return self._array.address

    def _view(self, shape, strides, address):
        """A DeviceArray of elements of this one."""
        seen = self._array
        array = _jitreduce.Array.at(seen, seen.type, tuple(shape), tuple(strides), address, seen.readonly, *seen.device, seen.stream)
        return DeviceArray._of_array(self._context, self._memory, array)

    def __getitem__(self, key):
        seen = self._array
        return self._view(*_layout.indexed(key, seen.shape, seen.strides, seen.address))

    def reshape(self, *shape):
        """The same elements in another shape, as a view: numbers, or a tuple of them; -1 stands for the length that is left. The
        elements must lie in C order."""
        shape = _layout.reshaped(shape[0] if len(shape) == 1 and not hasattr(type(shape[0]), "__index__") else shape, self.size)
        size = _types.ITEM_BYTES[self._array.type]
        if not _layout.lies_in(self._array, tuple(range(self.ndim)), size):
            raise ValueError("reshape: the elements do not lie in C order; jitreduce.DeviceArray.of(x.numpy()) is a copy that does")
        return self._view(shape, _layout.strides_in(range(len(shape)), shape, size), self.address)

    def write(self, x, /):
        """Copies an array from host memory into this one, after all work of the stream that writes it. The types and shapes are the
        same, and this array lies in C order."""
        array = view(x, "x")
        c_order = tuple(range(self.ndim))
        if (array.device[0], array.type, array.shape) != (CPU, self._array.type, self.shape):
            raise ValueError(f"write takes an array of {self.dtype} and shape {self.shape} in host memory, not of {_types.ARRAY_API[array.type]} and {array.shape}")
        if not _layout.lies_in(self._array, c_order, _types.ITEM_BYTES[array.type]):
            raise ValueError("write: the elements do not lie in C order; write to the whole array")
        self._context._context.wait(self._array.stream)
        if self.size:
            self._context._context.write(self._array, array if _layout.lies_in(array, c_order, _types.ITEM_BYTES[array.type]) else array.packed(c_order))

    def __array_namespace__(self, *, api_version=None):
        """The module jitreduce, which has the reductions and scans of the array API standard."""
        return sys.modules[__package__]

    def copy_to_host(self):
        """Copies the elements to host memory, after all work of the stream that writes them. Returns a memoryview; Python
        has none of bfloat16, float8_e4m3fn and float8_e5m2, of which numpy() makes an array."""
        if self._array.type in _types.UNNAMED:
            raise BufferError(f"Python has no memoryview of {self.dtype}: DeviceArray.numpy() returns an array of ml_dtypes")
        return memoryview(self._read(self._array.type))

    def _read(self, kind):
        """A copy in host memory, whose elements have a type of the same size. Waits for the stream that writes them."""
        seen = self._array
        reach = _reach(seen.type, seen.shape, tuple(map(abs, seen.strides)))
        below = sum(min(0, (size - 1) * stride) for size, stride in zip(seen.shape, seen.strides)) if reach else 0
        raw = _jitreduce.Array("u8", (reach,), (1,))
        try:
            self._context._context.wait(seen.stream)
        except _jitreduce.InvalidArgumentError:  # the stream was destroyed, or is captured: then the next line raises, too
            self._context._context.wait(None)
        self._context._context.read(_jitreduce.Array.at(seen, "u8", raw.shape, (1,), seen.address + below, True, *seen.device, 1),
                                    raw)
        return _jitreduce.Array.at(raw, kind, seen.shape, seen.strides, raw.address - below, False, CPU, 0, 0)

    def numpy(self):
        """Copies the elements to a NumPy array, after all work of the stream that writes them. For bfloat16, float8_e4m3fn
        and float8_e5m2 its type is that of ml_dtypes, which must be installed."""
        import numpy  # pylint: disable=import-outside-toplevel

        if self._array.type not in _types.UNNAMED:
            return numpy.asarray(self.copy_to_host())
        dtype = _types.numpys(numpy, self._array.type)
        bits = numpy.asarray(self._read(f"u{8 * _types.ITEM_BYTES[self._array.type]}"))
        return bits.view(dtype)

    def __getattr__(self, name):
        import jitreduce  # pylint: disable=import-outside-toplevel,cyclic-import

        hint = (".numpy() copies it to host memory" if name in ("get", "cpu", "to_numpy", "tolist", "to_host", "astype", "data") else
                f"jitreduce.{name}(x)" if name in jitreduce.__all__ and not name.startswith("__") else "")
        raise AttributeError(f"a DeviceArray has no {name!r}{f': {hint}' if hint else ''}", name=name, obj=self)

    def __array__(self, dtype=None, *, copy=None):
        raise TypeError("a DeviceArray is in device memory, and NumPy works in host memory: x.numpy() copies it there, jitreduce.sum(x) reduces it "
                        "where it is")

    def item(self):
        """The one element of an array that has one, as a Python number. Waits for the stream that writes it."""
        return self._one("item()")

    def _one(self, what):
        """The one element as a number. what: who asks for it, in the error."""
        if self.nbytes != _types.ITEM_BYTES[self._array.type]:
            raise TypeError(f"{what} needs an array of one element; this one has shape {self.shape}: .numpy() copies all of "
                            "them to host memory")
        seen = self._read(self._array.type)
        seen = _jitreduce.Array.at(seen, seen.type, (1,), (_types.ITEM_BYTES[seen.type],), seen.address, True, CPU, 0, 0)
        if seen.type not in _types.SMALL_FLOATS:  # of which memoryview has no numbers
            return memoryview(seen)[0]
        return _jitreduce.reduce(self._context._context, _jitreduce.Spec(op="max", type=seen.type), (seen,))[0]

    def __float__(self):
        return float(self._one("float()"))

    def __int__(self):
        return int(self._one("int()"))

    def __complex__(self):
        return complex(self._one("complex()"))

    def __bool__(self):
        if self.nbytes != _types.ITEM_BYTES[self._array.type]:
            raise ValueError(f"an array of shape {self.shape} is neither true nor false: jitreduce.any(x, value=True) or "
                             "jitreduce.all(x, value=True)")
        return bool(self._one("bool()"))

    def __len__(self):
        if not self.shape:
            raise TypeError("len() of an array without dimensions: .item() is its element")
        return self.shape[0]

    def __iter__(self):
        raise TypeError("the elements are in device memory, where Python does not iterate over them: .numpy() copies them to host memory")

    __hash__ = object.__hash__

    def __eq__(self, other):
        if other is None:
            return False
        raise TypeError("the elements are in device memory, where Python does not compare them: x.numpy() == y.numpy(), or `x is y` "
                        "for whether both are one array")

    def __format__(self, form, /):
        return format(self._one("format()"), form) if form else str(self)

    def __reduce__(self):
        raise TypeError("a DeviceArray is memory of this process and cannot be pickled or copied: .numpy() is an array that can")

    @property
    def __cuda_array_interface__(self):
        self._share()
        typestr = TYPESTR_OF.get(self._array.type)
        if typestr is None:
            raise AttributeError(f"__cuda_array_interface__ has no name for {self.dtype}")
        return {"shape": self.shape, "typestr": typestr, "data": (self.address, False), "version": 3,
                "strides": self._array.strides, "stream": self._array.stream or 1}

    def __dlpack_device__(self):
        return self._array.device

    def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None):
        """DLPack's capsule. stream: stream of the consumer, which is made to wait; -1: no stream waits."""
        if dl_device is not None and tuple(_given.whole("dl_device", one) for one in _given.items(
                "dl_device", dl_device)) != self._array.device:
            raise BufferError(f"the array is on {self._array.device} and cannot be copied to {shown(dl_device)}")
        if copy is not None and _given.flag("copy", copy):
            raise BufferError("the array cannot be copied: copy=True is not supported")
        stream = -1 if isinstance(stream, int) and stream == -1 else stream_number(stream)
        if stream == -1 or (stream or 1) != (self._array.stream or 1):
            self._share()
        if stream != -1:
            order_streams(self._context, self._array.stream, stream or 1)
        return self._array.dlpack(takes_versions(max_version))


_jitreduce.own(DeviceArray)


def takes_versions(most):
    """Whether a taker knows DLPack's version 1, by its max_version."""
    if most is None:
        return False
    pair = _given.items("max_version", most)
    if len(pair) != 2:
        raise TypeError(f"max_version={shown(most)} is not a pair of numbers")
    return _given.whole("max_version", pair[0]) >= 1


def _reach(kind, shape, strides):
    """The bytes from the first element's first to the last one's last."""
    if 0 in shape:
        return 0
    return _types.ITEM_BYTES[kind] + sum((size - 1) * stride for size, stride in zip(shape, strides))


def _memory(context, kind, shape, strides, stream):
    """New device memory for elements at those strides, and the Array that sees it."""
    reach = _reach(kind, shape, strides)
    if reach >= 1 << 63:
        raise MemoryError(f"an array of shape {shown(shape)} takes {shown(reach)} bytes: no device has so many")
    memory = _jitreduce.Memory(context._context, reach)
    array = _jitreduce.Array.at(memory, kind, shape, strides, memory.address or 0, False, *context.dlpack_device, stream)
    return context, memory, array


def of_memory(context, memory, array):
    """The DeviceArray whose elements an Array sees."""
    return DeviceArray._of_array(context, memory, array)


def at_address(context, owner, kind, address, size, shape, name):
    """The DeviceArray of a variable of so many bytes, whose memory an object owns."""
    item = _types.ITEM_BYTES[kind]
    if size % item or address % item:
        raise ValueError(f"{name} has {size} bytes, which are not whole elements of {_types.ARRAY_API[kind]}")
    shape = _layout.reshaped(shape, size // item) if shape is not None else () if size == item else (size // item,)
    array = _jitreduce.Array.at(owner, kind, shape, _layout.strides_in(range(len(shape)), shape, item), address, False, *context.dlpack_device, 1)
    return DeviceArray._of_array(context, owner, array)


def like(x, array):
    """A DeviceArray as an array of the library that x is of, where that takes DLPack's; else itself."""
    if isinstance(x, DeviceArray):
        return array
    if _jitreduce.exchanges(type(x)):
        return array._array.as_class(type(x))
    take = taker_of(x)
    return take(array) if take is not None else array


def taker_of(x):
    """The from_dlpack of the library of x; None: it has no such function, or its arrays have no __dlpack__."""
    if not hasattr(type(x), "__dlpack__"):
        return None
    if hasattr(x, "__array_namespace__"):
        namespace = x.__array_namespace__()
    else:
        namespace = sys.modules.get(type(x).__module__.partition(".")[0])
    return getattr(namespace, "from_dlpack", None)
