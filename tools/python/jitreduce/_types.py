"""Element types: the library's names, those of the array API, and whatever a caller's `dtype` is."""

import re
import sys

from . import _jitreduce

NAMES = {
    "int8": "i8", "int16": "i16", "int32": "i32", "int64": "i64",
    "uint8": "u8", "uint16": "u16", "uint32": "u32", "uint64": "u64",
    "float16": "f16", "bfloat16": "bf16", "float32": "f32", "float64": "f64",
    "bool": "bool", "float8_e4m3fn": "e4m3", "float8_e5m2": "e5m2",
}
ARRAY_API = {short: name for name, short in NAMES.items()}
ITEM_BYTES = {short: 1 if name == "bool" else int(re.search(r"\d+", name)[0]) // 8 for name, short in NAMES.items()}
PYTHON = {"int": "i64", "float": "f64"}  # as NumPy and Python have them, not C
#: NumPy's codes of one letter, with its bytes, and its names that C has not.
CODES = {"i1": "i8", "i2": "i16", "i4": "i32", "u1": "u8", "u2": "u16", "u4": "u32", "b": "i8", "h": "i16", "i": "i32", "l": "i64", "q": "i64",
         "B": "u8", "H": "u16", "I": "u32", "L": "u64", "Q": "u64", "e": "f16", "f": "f32", "d": "f64", "half": "f16", "single": "f32",
         "byte": "i8", "int_": "i64", "uint": "u64", "intp": "i64", "uintp": "u64", "longlong": "i64", "ulonglong": "u64"}
OTHERS = {"i8": "int8 or int64", "u8": "uint8 or uint64", "f16": "float16"}  # names that are other types to NumPy
WIDE = {"i32", "u32", "i64", "u64", "f32", "f64"}  # in which the library can accumulate
UNNAMED = {"bf16", "e4m3", "e5m2"}  # types that NumPy has from ml_dtypes alone
SMALL_FLOATS = {"f16", "bf16", "e4m3", "e5m2"}


def is_float(kind):
    """Whether a type, by the library's name, is a float."""
    return kind in SMALL_FLOATS or kind in ("f32", "f64")


def range_of(kind):
    """The least and the greatest number of a type of integers."""
    count = 1 << 8 * ITEM_BYTES[kind]
    return (0, count - 1) if kind[0] == "u" else (-count // 2, count // 2 - 1)


def _name_of(dtype):
    name = dtype if isinstance(dtype, str) else getattr(dtype, "name", None) or getattr(dtype, "__name__", None) or _jitreduce.shown(dtype)
    return name.rsplit(".", 1)[-1] if isinstance(name, str) else ""


def found(dtype):
    """The library's name of a dtype, as of_dtype; None if it has no name there."""
    name = _name_of(dtype)
    if name in OTHERS:
        return None
    return NAMES.get(name) or PYTHON.get(name) or _jitreduce.type_found(name) or CODES.get(name.lstrip("<=|"))


def wrong_elements(x, name):
    """What is wrong with an array's elements, by NumPy's name of their type, and what to do; None: they are not NumPy's."""
    dtype, numpy = getattr(x, "dtype", None), sys.modules.get("numpy")
    if numpy is None or not isinstance(dtype, numpy.dtype) or dtype.kind in "iufb" and dtype.byteorder == ">":
        return None
    texts = "texts can be the keys of jitreduce.group_by"
    advice = {"c": f"reduce copies of {name}.real and {name}.imag, or numpy.abs({name})", "U": texts, "S": texts, "T": texts,
              "O": f"{name}.astype('float64') makes numbers of objects", "f": f"{name}.astype('float64') makes a copy in 64 bits",
              "V": f"copy a field: numpy.ascontiguousarray({name}[{dtype.names[0]!r}])" if dtype.names else
                   f"{name}.astype('float32') makes a copy in 32 bits" if dtype.type.__module__ == "ml_dtypes" else None}.get(dtype.kind)
    return (f"elements of {dtype} cannot be reduced: only integers, floats and booleans can{f'; {advice}' if advice else ''}")


def numpys(numpy, kind):
    """NumPy's dtype of a type, by the library's name."""
    if kind not in UNNAMED:
        return numpy.dtype(ARRAY_API[kind])
    try:
        import ml_dtypes  # pylint: disable=import-outside-toplevel,import-error
    except ImportError:
        raise ImportError(f"NumPy has no {ARRAY_API[kind]} without the package ml_dtypes: pip install ml_dtypes",
                          name="ml_dtypes") from None
    return numpy.dtype(getattr(ml_dtypes, ARRAY_API[kind]))


def of_dtype(dtype):
    """The library's name of a dtype: a type of Python, NumPy's, PyTorch's, or any so named; or a name of the array API,
    C, CUDA or NumPy.

    Three short names are not taken: "i8" are eight bits to the library and eight bytes to NumPy.

    >>> of_dtype("float32"), of_dtype(float), of_dtype(numpy.dtype("i8")), of_dtype("<f4"), of_dtype("short"), of_dtype("u1")
    ('f32', 'f64', 'i64', 'f32', 'i16', 'u8')
    """
    kind = found(dtype)
    if kind:
        return kind
    other = OTHERS.get(_name_of(dtype))
    if other:
        raise TypeError(f"dtype {_jitreduce.shown(dtype)} is one type to NumPy and another one to jitreduce: write {other}")
    raise TypeError(f"dtype {_jitreduce.shown(dtype)} is unknown: use one of {', '.join(NAMES)}")
