"""What people have in hand that does not export all it means as memory: columns of tables, masked arrays, lists, numbers.

Invariant: a null counts nowhere. Each value becomes something that exports its memory, and, where there are nulls, an array of
booleans that are false at them, which is read as `where`. A value under a null is never reduced.
"""

import array
import sys
from collections.abc import Mapping

from . import _jitreduce, _types
from ._given import shown

#: What exports memory, besides the buffer protocol.
MEMORY = ("__dlpack__", "__cuda_array_interface__", "__buffer__")


def _of_masked(x):
    """The elements of a masked array, and which of them its mask leaves."""
    numpy = sys.modules["numpy"]
    return x.data, None if x.mask is numpy.ma.nomask or not x.mask.any() else ~numpy.ma.getmaskarray(x)


def _of_list(x, name):
    """An array of what a list, a tuple, a range or a number holds."""
    try:
        import numpy  # pylint: disable=import-outside-toplevel
    except ImportError:
        flat = [x] if isinstance(x, (int, float)) else list(x)
        return array.array("q" if all(isinstance(one, int) for one in flat) and flat else "d", flat)
    if isinstance(x, (list, tuple)) and any(hasattr(type(one), "__dlpack_device__") and type(one).__dlpack_device__ is not getattr(
            numpy.ndarray, "__dlpack_device__", None) for one in x):
        raise TypeError(f"{name} is a {type(x).__name__} of arrays: stack them by their library, or reduce each")
    try:
        return numpy.asarray(x)
    except ValueError as error:
        raise TypeError(f"{name}, a {type(x).__name__}, cannot be an array of NumPy ({shown(error)})") from None


def _of_arrow(schema, arrays):
    """One Array of the chunks of a column, and which elements are no nulls. Several chunks are copied into one."""
    seen = [_jitreduce.arrow_array(schema, one) for one in arrays]
    if len(seen) == 1:
        return seen[0]
    values = _joined([chunk for chunk, _ in seen], seen[0][0].type if seen else None)
    if all(present is None for _, present in seen):
        return values, None
    every = [present if present is not None else memoryview(b"\1" * chunk.shape[0]) for chunk, present in seen]
    return values, _joined(every, "bool")


def _joined(chunks, kind):
    """One Array of several."""
    size = _types.ITEM_BYTES[kind]
    made = _jitreduce.Array(kind, (sum(chunk.shape[0] for chunk in chunks),), (size,))
    whole, at = memoryview(made).cast("B"), 0
    for chunk in chunks:
        if chunk.shape[0]:
            part = memoryview(chunk).cast("B")
            whole[at:at + len(part)] = part
            at += len(part)
    return made


def _of_stream(x, name):
    schema, chunks = _jitreduce.arrow_chunks(x.__arrow_c_stream__())
    if not chunks:
        return _of_list([], name), None
    return _of_arrow(schema, chunks)


def _of_exporter(x, name):
    """The numbers and nulls of what has Arrow's interface for one array, or for several chunks."""
    if hasattr(x, "__arrow_c_array__"):
        schema, one = x.__arrow_c_array__()
        return _of_arrow(schema, [one])
    return _of_stream(x, name)


def _of_pandas(x, name):
    """The numbers and nulls of a Series, an Index, or the array of one."""
    import numpy  # pylint: disable=import-outside-toplevel

    if isinstance(x.dtype, numpy.dtype) or type(x.dtype).__name__ in ("NumpyEADtype", "PandasDtype"):  # of Series.array, whose NaN is a number
        return x.to_numpy(), None
    values = getattr(x, "array", x)
    if hasattr(x.dtype, "pyarrow_dtype"):
        return _of_exporter(values.__arrow_array__(), name)
    whole = getattr(x.dtype, "numpy_dtype", None)
    if not isinstance(whole, numpy.dtype) or whole.kind not in "iufb":
        return x.to_numpy(), None
    missing = numpy.asarray(x.isna())
    if not missing.any():
        return values.to_numpy(dtype=whole), None
    return values.to_numpy(dtype=whole, na_value=whole.type(0)), ~missing


def _refuse_table(x, name):
    """Raises TypeError for a table, whose columns may be of several types."""
    names = getattr(x, "column_names", None) or list(getattr(x, "columns", None) if hasattr(x, "columns") else x.data_vars)
    column = shown(names[0]) if names else "'price'"
    raise TypeError(f"{name}, of {type(x).__name__}, is a table: give one column, {name}[{column}]")


def _is_table(x):
    return any(hasattr(x, one) for one in ("__dataframe__", "data_vars", "select_dtypes", "get_columns"))


def taken(x, name):
    """(what exports the memory of x, an array of booleans that are false at nulls or None)."""
    numpy = sys.modules.get("numpy")
    if numpy is not None and isinstance(x, numpy.ndarray):
        if type(x) is numpy.ndarray:  # pylint: disable=unidiomatic-typecheck
            return x, None
        return _of_masked(x) if isinstance(x, numpy.ma.MaskedArray) else (x, None)
    if isinstance(x, (list, tuple, range)) or type(x) in (int, float, bool):
        return _of_list(x, name), None
    if isinstance(x, (str, bytes, bytearray, memoryview, Mapping)) and not hasattr(x, "data_vars") or _jitreduce.exchanges(type(x)):
        return x, None
    library = type(x).__module__.partition(".")[0]
    if _is_table(x):
        _refuse_table(x, name)
    if library == "xarray":
        return taken(x.data, name)
    if library == "pandas" and hasattr(x, "dtype") and hasattr(x, "to_numpy"):
        return _of_pandas(x, name)
    if hasattr(type(x), "__arrow_c_array__") or hasattr(type(x), "__arrow_c_stream__"):
        return _of_exporter(x, name)
    if hasattr(type(x), "__array__") and library != "numpy" and not any(hasattr(type(x), one) for one in MEMORY):
        import numpy  # pylint: disable=import-outside-toplevel

        return numpy.asarray(x), None
    return x, None


def numpys(x, numpy, name):
    """NumPy's array of keys of any type, and which of them are no nulls; None: all."""
    if type(x).__module__.partition(".")[0] == "pandas" and hasattr(x, "isna") and (
            not isinstance(x.dtype, numpy.dtype) or x.dtype.kind == "O"):
        missing = numpy.asarray(x.isna())
        found = x[~missing].to_numpy()
    elif hasattr(type(x), "__arrow_c_stream__") or hasattr(type(x), "__arrow_c_array__"):
        missing = numpy.asarray(x.is_null())
        found = numpy.asarray(x.drop_nulls() if hasattr(x, "drop_nulls") else x.drop_null())
    elif isinstance(x, numpy.ma.MaskedArray):
        missing = numpy.ma.getmaskarray(x)
        found = x.data[~missing]
    else:
        try:
            return numpy.asarray(x), None
        except (TypeError, ValueError, AttributeError) as error:
            raise TypeError(f"{name}, of {type(x).__name__}, cannot be an array of NumPy ({shown(error)})") from None
    if not missing.any():
        return found, None
    whole = numpy.empty(missing.shape, found.dtype)
    whole[~missing] = found
    whole[missing] = found[:1] if len(found) else numpy.zeros(1, found.dtype)
    return whole, ~missing


def both(one, other):
    """An Array that is true where two of booleans are, of one shape in host memory; None stands for all."""
    if one is None or other is None:
        return other if one is None else one
    bits = [int.from_bytes(memoryview(mask).tobytes(), "little") for mask in (one, other)]
    made = _jitreduce.Array("bool", one.shape, c_strides(one.shape))
    whole = memoryview(made).cast("B")
    whole[:] = (bits[0] & bits[1]).to_bytes(len(whole), "little")
    return made


def c_strides(shape):
    """Strides of bytes in C order."""
    strides, step = [], 1
    for size in reversed(shape):
        strides.append(step)
        step *= size
    return tuple(reversed(strides))
