"""Element types: the library's names, those of the array API, and whatever a caller's `dtype` is."""

import re

NAMES = {
    "int8": "i8", "int16": "i16", "int32": "i32", "int64": "i64",
    "uint8": "u8", "uint16": "u16", "uint32": "u32", "uint64": "u64",
    "float16": "f16", "bfloat16": "bf16", "float32": "f32", "float64": "f64",
    "bool": "bool", "float8_e4m3fn": "e4m3", "float8_e5m2": "e5m2",
}
ARRAY_API = {short: name for name, short in NAMES.items()}
ITEM_BYTES = {short: 1 if name == "bool" else int(re.search(r"\d+", name)[0]) // 8 for name, short in NAMES.items()}
PYTHON = {"int": "i64", "float": "f64", "bool_": "bool", "half": "f16", "double": "f64"}
WIDE = {"i32", "u32", "i64", "u64", "f32", "f64"}  # in which the library can accumulate
SMALL_FLOATS = {"f16", "bf16", "e4m3", "e5m2"}


def is_float(kind):
    """Whether a type, by the library's name, is a float."""
    return kind in SMALL_FLOATS or kind in ("f32", "f64")


def of_dtype(dtype):
    """The library's name of a dtype: a name of the array API, a type of Python, NumPy's, PyTorch's, or any so named.

    Short names are not taken: "i8" are eight bits to the library and eight bytes to NumPy.

    >>> of_dtype("float32"), of_dtype(float), of_dtype(numpy.dtype("i8"))
    ('f32', 'f64', 'i64')
    """
    name = dtype if isinstance(dtype, str) else getattr(dtype, "name", None) or getattr(dtype, "__name__", str(dtype))
    name = name.rsplit(".", 1)[-1]
    found = NAMES.get(name) or PYTHON.get(name)
    if not found:
        raise TypeError(f"dtype {dtype!r} is none of {', '.join(NAMES)}")
    return found
