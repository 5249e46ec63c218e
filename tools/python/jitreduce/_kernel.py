"""Kernels of the caller's own."""

import collections.abc
import functools
import itertools
import numbers
import os
import re
import struct

from . import _device, _given, _jitreduce, _recovery, _types
from ._context import context_of
from ._documented import checked, checks_itself, refuse
from ._given import shown


_FILE = re.compile(r"[^\n{}();]+\.(cu|cuh|c|cc|cpp|cxx|h|hpp|ptx)")
_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)


def _parameters_at(text, at):
    """The texts of the parameters whose list begins at a place after its bracket."""
    depth, found = 0, [""]
    for letter in text[at:]:
        if letter == ")" and depth == 0:
            break
        depth += (letter in "([{<") - (letter in ")]}>")
        if letter == "," and depth == 0:
            found.append("")
        else:
            found[-1] += letter
    return tuple(" ".join(one.split()) for one in found)


@functools.lru_cache(maxsize=256)
def parameters_of(source, entry):
    """The parameters of a kernel as its source writes them: PTX does not distinguish a pointer from an integer of 64
    bits, nor a number with a sign from one without. Empty where the source has no such kernel, or several.

    >>> parameters_of("__global__ void k(float *x, int n) {}", None)
    ('float *x', 'int n')
    """
    name = r"\w+" if entry is None else re.escape(entry.partition("<")[0].rpartition("::")[2])
    text = _COMMENT.sub(" ", source)
    lists = {_parameters_at(text, found.end()) for found in re.finditer(
        rf"__global__\b(?:[^;{{}}()]|__launch_bounds__\s*\([^()]*\))*?\b(?!__launch_bounds__){name}\s*\(", text)}
    return lists.pop() if len(lists) == 1 else ()


@functools.lru_cache(maxsize=1024)
def _is_pointer(parameter):
    return re.search(r"[*\[]", parameter.partition("=")[0]) is not None and "<" not in parameter


@functools.lru_cache(maxsize=1024)
def _ranges_of(parameter):
    """The range of a parameter's integers, and that of all integers of so many bits, with a sign or without; None: no integer."""
    words = [word for word in parameter.partition("=")[0].split() if word not in ("const", "volatile")]
    kind = _jitreduce.type_found(" ".join(words)) or _jitreduce.type_found(" ".join(words[:-1]))
    if kind is None or kind[0] not in "iu":
        return None
    return _types.range_of(kind), (_types.range_of("i" + kind[1:])[0], _types.range_of("u" + kind[1:])[1])


def _check_fits(value, name, parameter):
    """Raises InvalidArgumentError for an integer that the parameter's type holds only with another sign. What no integer of
    so many bits holds is the library's to refuse."""
    ranges = _ranges_of(parameter)
    if ranges is None:
        return
    (low, high), (lowest, highest) = ranges
    if not low <= value <= high and lowest <= value <= highest:
        error = _jitreduce.InvalidArgumentError(f"{name} is {shown(value)}: the parameter `{parameter}` does not hold it, only {low} to {high}")
        error.status, error.stage, error.driver_name, error.log = "JR_ERROR_INVALID_ARGUMENT", "", "", ""
        raise error


def _check_no_address(value, name, pointer):
    """Raises TypeError for a number where a pointer is meant."""
    if isinstance(value, numbers.Real):
        raise TypeError(f"{name} is the number {shown(value)}, but the parameter is a pointer, `{pointer}`: pass an array in "
                        "device memory, as jitreduce.DeviceArray or another object with __cuda_array_interface__; "
                        "ctypes.c_void_p(number) passes an address of your own")


def _check_elements(seen, name, pointer):
    """Raises TypeError for an array whose elements have another size than what the pointer points to: a kernel would take
    halves of them, or two for one. Bytes may be anything."""
    found = re.fullmatch(r"(?:const |volatile )*([\w ]+?)(?: const| volatile)* ?(?:\* ?(?:const|__restrict__|__restrict|volatile| )*\w*|\w+ ?\[\d*\])", pointer or "")
    kind = _jitreduce.type_found(found[1].strip()) if found else None
    if kind is None or 1 in (_types.ITEM_BYTES[kind], _types.ITEM_BYTES[seen.type]):
        return
    if _types.ITEM_BYTES[kind] != _types.ITEM_BYTES[seen.type]:
        raise TypeError(f"{name} has elements of {_types.ARRAY_API[seen.type]}, {_types.ITEM_BYTES[seen.type]} bytes each, but the "
                        f"parameter `{pointer}` points to {_types.ARRAY_API[kind]}, {_types.ITEM_BYTES[kind]} bytes: make an array of that type; "
                        "ctypes.c_void_p(address) passes it as it is")


def _argument(value, name, parameter):
    """What the extension takes for a kernel's argument: an Array in device memory, a number of Python, a number of a
    type as (type, bytes), or the bytes of a struct. parameter: as the source writes it, or ""."""
    pointer = parameter if _is_pointer(parameter) else None
    if pointer is not None:
        _check_no_address(value, name, pointer)
    elif isinstance(value, numbers.Integral) and not isinstance(value, bool):
        _check_fits(value, name, parameter)
    if isinstance(value, _jitreduce.Array):
        return value
    if isinstance(value, (bool, int, float)) and not hasattr(value, "dtype"):
        return (("bool", bytes([value])) if isinstance(value, bool) else _wide(value, name) if isinstance(value, int)
                else float(value))
    if hasattr(type(value), "__dlpack_device__") or hasattr(value, "__cuda_array_interface__"):
        seen = _device.view(value, name)
        if seen.device[0] != _device.CPU:
            _check_elements(seen, name, pointer)
            return seen
        if seen.shape:
            raise ValueError(f"{name}, of shape {seen.shape}, is in host memory: jitreduce.DeviceArray.of(x) copies it to the "
                             "device; pass a struct as a NumPy scalar or a ctypes.Structure")
    try:
        return _typed(value)
    except (TypeError, ValueError, BufferError):
        raise TypeError(f"{name} of a kernel cannot be {shown(value)}: pass an array in device memory, a number of "
                        "Python, NumPy or ctypes, or a struct as a NumPy scalar or a ctypes.Structure") from None


def _wide(value, name):
    if not -(1 << 63) <= value < 1 << 64:
        raise OverflowError(f"{name} is {shown(value)}, which does not fit into 64 bits")
    return int(value)


def _typed(value):
    """(type, bytes) of a number of NumPy's or ctypes', else the bytes of a struct."""
    kind = _types.found(value.dtype) if hasattr(value, "dtype") else None
    if kind is not None:
        return (kind, value[()].tobytes())  # of an array without axes its number, in this machine's order of bytes
    memory = memoryview(value)
    if isinstance(value, (bytes, bytearray)):
        return bytes(value)
    if memory.shape:
        if not any(base.__module__ == "_ctypes" for base in type(value).__mro__):
            raise TypeError  # its memory is the host's, and would be read as an address
        return memory.tobytes()
    try:
        return (_jitreduce.Array.of(value).type, memory.tobytes())
    except TypeError:
        return memory.tobytes()


def _whole(name, value):
    """A size of a launch, which CUDA holds in 32 bits."""
    number = _given.whole(name, value)
    if not 0 <= number < 1 << 32:
        raise OverflowError(f"{name}={shown(value)} does not fit into 32 bits without a sign")
    return number


def _three(name, size):
    sizes = size if isinstance(size, (tuple, list)) else (size,)
    if not 1 <= len(sizes) <= 3:
        raise TypeError(f"{name}={shown(size)}: give a number, or a tuple of one to three")
    return tuple(_whole(name, one) for one in sizes)


def _constant(name, value):
    """The text of a constant."""
    if value is None:
        raise TypeError(f"the constant {name} is None: give a number or a text, \"\" for an empty #define")
    if isinstance(value, bool) or type(value).__name__ in ("bool_", "bool"):  # of NumPy
        value = int(value)
    if not isinstance(value, (str, numbers.Real)):
        raise TypeError(f"the constant {name}={shown(value)} is neither a number nor a text")
    if isinstance(value, numbers.Real) and not -float("inf") < value < float("inf"):
        raise ValueError(f"the constant {name}={shown(value)}: C has no literal for it; give the text \"__longlong_as_double("
                         f"{struct.unpack('<q', struct.pack('<d', value))[0]})\"")
    if value == -(1 << 63) and isinstance(value, numbers.Integral):
        return f"({value + 1} - 1)"  # 9223372036854775808 has no signed type in C
    return _given.text(name, str(value))


def _header(name):
    """The name of a header."""
    if not name:
        raise ValueError("headers: a name is empty: #include needs one, as {\"name.h\": text}")
    return name


def _parts(parts):
    """((name, text or bytes), ...)"""
    pairs = (_given.pairs("parts", parts) if isinstance(parts, collections.abc.Mapping)
             else [(f"part {i}", part) for i, part in enumerate(_given.items("parts", parts), 1)])
    for name, part in pairs:
        if not isinstance(part, (str, bytes, bytearray)):
            raise TypeError(f"{name} is {shown(part)}: give the text of a program, or the bytes of a file")
    return tuple((name, _given.text(name, part) if isinstance(part, str) else bytes(part)) for name, part in pairs)


class Kernel:
    """A kernel in CUDA C, specialised by constants, compiled once, and kept in the cache.

    source            the text
    entry             name of the kernel, an extern "C" function or an instance such as "saxpy<float>"; default: the only
                      kernel in the text
    constants         {"SCALE": "2.0f", "COUNT": 4}: each becomes a #define before the text; True is 1, False 0
    name              name of the text in the compiler's messages; default: "kernel"
    headers           {"name.h": text}: #include finds these before files
    options           further options for NVRTC: a text, or a list of them
    context           jitreduce.Context that compiles and runs it; default: the default context
    include_folders   a folder, or a list of them, where #include searches; a change in an included file compiles the kernel again
    toolkit_headers   True: #include also finds the CUDA toolkit's <cuda_fp16.h>, <cuda/std/...>, <cub/block/...>

    kernel(grid, block, args) launches it and returns; grid and block are numbers or tuples of up to three. Kernel.watch(file) compiles
    a file, again whenever it changes; Kernel.link(parts) makes a kernel of several texts and files.

    >>> y = jitreduce.DeviceArray.of(numpy.ones(4, "f4"))
    >>> kernel = jitreduce.Kernel('''extern "C" __global__ void scale(float *y, float by) {
    ...     if (threadIdx.x < COUNT) y[threadIdx.x] *= by;
    ... }''', "scale", {"COUNT": 3})
    >>> kernel(1, 32, (y, 5.0))
    >>> y.numpy()
    array([5., 5., 5., 1.], dtype=float32)
    """

    @checked
    def __init__(self, source, entry=None, constants=None, *, name=None, headers=None, options=(), context=None,
                 include_folders=(), toolkit_headers=False):
        if isinstance(source, os.PathLike) or isinstance(source, str) and _FILE.fullmatch(source):
            raise ValueError(f"source={str(source)!r} is the name of a file, and source is the text: open({str(source)!r}).read()")
        self._make(_given.text("source", source), None, entry, constants, "kernel" if name is None else name, headers, options, context,
                   include_folders, toolkit_headers)
        self._parameters = parameters_of(source, self.entry)

    def _make(self, source, path, entry, constants, name, headers, options, context, include_folders, toolkit_headers):
        self._context = context_of(context)
        self.entry = None if entry is None else _given.text("entry", entry)
        self._parameters = ()
        self._kernel = _jitreduce.Kernel(
            self._context._context, None if name is None else _given.text("name", name), source, entry,
            tuple((key, _constant(key, value)) for key, value in _given.pairs("constants", constants)),
            tuple((_header(key), _given.text(key, value)) for key, value in _given.pairs("headers", headers)),
            _given.texts("options", options), _given.texts("include_folders", include_folders, _given.path),
            _given.flag("toolkit_headers", toolkit_headers), path)

    @classmethod
    @checked
    def watch(cls, path, entry=None, constants=None, *, name=None, headers=None, options=(), context=None, include_folders=(),
              toolkit_headers=False):
        """A kernel whose text is a file: when that or a header that it includes changes, it is compiled again on a thread, and later
        launches take the new one. While the file does not compile, the kernel stays as it was.

        path    of the file; its folder is searched for headers, too
        name    name of the text in the compiler's messages; default: the file's

        The other arguments are those of Kernel.

        >>> import pathlib, tempfile
        >>> path = pathlib.Path(tempfile.mkdtemp()) / "set.cu"
        >>> path.write_text('extern "C" __global__ void set(int *y) { *y = 7; }')
        50
        >>> kernel, y = jitreduce.Kernel.watch(path), jitreduce.DeviceArray.of(numpy.zeros(1, "i4"))
        >>> kernel(1, 1, (y,))
        >>> y.item()
        7
        """
        made = cls.__new__(cls)
        made._make(None, _given.text("path", _given.path("path", path)), entry, constants, name, headers, options, context, include_folders, toolkit_headers)
        return made

    @classmethod
    @checked
    def link(cls, parts, entry=None, *, context=None):
        """A kernel whose device code is divided over several parts.

        parts     a list of texts in CUDA C++, of bytes (PTX, a cubin, LTO-IR, a fat binary, an object file or a library of nvcc), or
                  a dict that gives them names for messages: {"util.cu": text, "math.ptx": bytes}
        entry     name of the kernel, as the linked code has it; default: the only one
        context   jitreduce.Context that links and runs it; default: the default context

        >>> kernel = jitreduce.Kernel.link(['''extern __device__ int twice(int x);
        ...     extern "C" __global__ void set(int *y) { *y = twice(4); }''', "__device__ int twice(int x) { return 2 * x; }"])
        >>> y = jitreduce.DeviceArray.of(numpy.zeros(1, "i4"))
        >>> kernel(1, 1, (y,))
        >>> y.item()
        8
        """
        made = cls.__new__(cls)
        made._context = context_of(context)
        made.entry = None if entry is None else _given.text("entry", entry)
        made._parameters = ()
        made._kernel = _jitreduce.Kernel.link(made._context._context, _parts(parts), made.entry)
        return made

    def __repr__(self):
        return f"<jitreduce.Kernel {self.entry or '(the only one)'}>"

    def __getitem__(self, sizes):
        given = ", ".join(map(shown, sizes if isinstance(sizes, tuple) else (sizes, 32)))
        raise TypeError(f"a kernel is launched by kernel(grid, block, args), as kernel({given}, (x, n)), not by brackets")

    @checks_itself
    def __call__(self, grid, block, args=(), *more, shared_bytes=0, stream=None, cooperative=False, cluster=None, priority=0, **unknown):
        """Launches the kernel and returns.

        grid, block    numbers of blocks and of threads per block: a number, or a tuple of up to three
        args           a tuple of arrays in device memory, numbers, or structs (a NumPy scalar or a ctypes.Structure); an address of
                       your own is ctypes.c_void_p(number)
        shared_bytes   dynamic shared memory per block; default: 0
        stream         a CUDA stream, or its number; default: the default stream
        cooperative    True: all blocks are resident at the same time, so that they can wait for each other (grid.sync()); a grid
                       that does not fit is an error with the number of blocks that do
        cluster        blocks per cluster (compute capability 9.0): a number, or a tuple of up to three, which divide the grid's;
                       default: what the kernel declares
        priority       lower numbers are more urgent; default: 0, that of the stream

        Numbers are converted to the parameters' types as in a call of C, also an int to a float. A float for an integer
        parameter, and a number that does not fit, are errors. Arrays must live until the kernel has finished; the launch
        does not wait for the streams that write them. A fault of the kernel is raised by the next call that waits for it:
        Context.synchronize(), Stream.wait(), DeviceArray.numpy()."""
        if more or unknown:
            refuse(Kernel.__call__, (), unknown)
            raise TypeError(f"kernel(grid, block, args) takes the kernel's arguments as one tuple: ({shown(grid)}, {shown(block)}, "
                            f"({', '.join(map(shown, (args, *more)))}))")
        parameters = itertools.chain(self._parameters, itertools.repeat(""))
        arguments = tuple(_argument(value, f"argument {i}", parameter)
                          for i, (value, parameter) in enumerate(zip(_given.items("args", args), parameters), 1))
        _recovery.launched(self._context)
        self._kernel.launch(_three("grid", grid), _three("block", block), _whole("shared_bytes", shared_bytes),
                            _device.stream_number(stream) or 1, arguments, _given.flag("cooperative", cooperative),
                            () if cluster is None else _three("cluster", cluster), _given.whole("priority", priority))

    @checked
    def global_(self, name, dtype="uint8", shape=None):
        """The __device__ or __constant__ variable of the kernel's module, as a DeviceArray: .numpy() and .item() read it, .write(x)
        sets it.

        name    as the source has it, or mangled if the variable is in a namespace
        dtype   type of its elements; default: bytes
        shape   default: one dimension, () for one element

        >>> kernel = jitreduce.Kernel('''__device__ int hits; __constant__ float limits[2];
        ... extern "C" __global__ void count(const float *x) { if (x[threadIdx.x] > limits[0]) atomicAdd(&hits, 1); }''')
        >>> kernel.global_("limits", "float32").write(numpy.array([2, 9], "f4"))
        >>> kernel(1, 3, (jitreduce.DeviceArray.of(numpy.array([3, 1, 4], "f4")),))
        >>> kernel.global_("hits", "int32").item()
        2
        """
        address, size = self._kernel.global_find(_given.text("name", name))
        return _device.at_address(self._context, self._kernel, _types.of_dtype(dtype), address, size, shape, name)

    def info(self):
        """A dict of the kernel's resources: registers per thread, bytes of shared, local and constant memory, the maximum of
        threads per block, the number of parameters and their bytes (-1 and 0 where the driver does not report them)."""
        return self._kernel.info()
