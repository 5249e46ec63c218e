"""Results by key: one per run of equal neighbouring keys, or one per key, wherever its elements stand."""

import re

from . import _columns, _device, _engine, _given, _jitreduce, _launch, _layout, _types
from ._documented import documented
from ._reduction import fields_of, parameters_of
from ._results import Wanted, wanted_of


def _call_of(arrays, op, reduction, counts, options, function):
    """The call over arrays of one dimension. reduction: where, initial, and which elements are no nulls or None."""
    where, initial, present = reduction
    counts = _given.flag("counts", counts)
    options["parameters"] = parameters_of(op, options.get("parameters"))
    if not 1 <= len(arrays) <= len(_engine.INPUTS):
        raise TypeError(f"1 to {len(_engine.INPUTS)} arrays after the keys, not {len(arrays)}")
    call = _engine.Call(arrays, options, function)
    if call.value:
        raise ValueError("value=True: only for one result of all elements")
    call.fields.update(fields_of(op, call.fields["type"]))
    call.present = _columns.both(call.present, present)
    call.take_where(where)
    call.take_initial(initial)
    if counts:
        call.fields["kept"] = 1
    return call


def _check_no_operator(arrays):
    """Raises TypeError for an operator by its place, where arrays stand."""
    for x in arrays:
        if isinstance(x, str) or isinstance(x, tuple) and x and all(isinstance(one, str) for one in x):
            raise TypeError(f"{_given.shown(x)} stands where an array does: give an operator by name, op={_given.shown(x)}")


def _check_keys(shape, call):
    if len(shape) != 1 or call.shape != shape:
        raise ValueError(f"keys have shape {tuple(shape)}, the array {call.shape}: both need one dimension, and one key "
                         "per element")


def _results_of(keys, results, call, counts):
    """What a call gives: the keys, the results (a tuple where the operator is a list), and the counts that are asked for."""
    results, counted = (results[:-1], (results[-1],)) if counts else (results, ())
    return (keys, tuple(results) if "ops" in call.fields else results[0], *counted)


@documented(without=("value",), keys="one number per element, in the memory where the arrays are",
            arrays="one array, or as many as the operator or its expressions read together")
def reduce_by_key(keys, /, *arrays, op="sum", where=None, initial=None, counts=False, wait=True, **options):
    """One result for each run of equal neighbouring keys; with sorted keys that is one result per key.

    Returns the key of each run, its result (a tuple of results for several operators) and, with counts=True, the counts.
    Each NaN is a run of its own; -0 and 0 are equal. argmin and argmax return an index into the whole array. For arrays
    in device memory the call waits for the number of runs. With wait=False it does not, and may be captured into a graph: keys, results
    and counts have the length of `keys`, and the last thing that is returned is an array of one int64, the number of runs; what
    follows so many results is undefined. A run of which `where` or nan="ignore" skips all elements is an error
    for min, max, argmin and argmax, unless initial or counts=True is given; for arrays in device memory it has the result that
    jitreduce.max and jitreduce.argmax document.

    >>> keys, values = numpy.array([7, 7, 8, 8, 8, 9]), numpy.array([3., 1, 4, 1, 5, 9])
    >>> jitreduce.reduce_by_key(keys, values)
    (array([7, 8, 9]), array([ 4., 10.,  9.]))
    >>> jitreduce.reduce_by_key(keys, values, op=("sum", "max"), counts=True)
    (array([7, 8, 9]), (array([ 4., 10.,  9.]), array([3., 5., 9.])), array([2, 3, 1], dtype=uint64))
    """
    _check_no_operator(arrays)
    wait = _given.flag("wait", wait)
    call = _call_of(arrays, op, (where, initial, None), counts, options, reduce_by_key)
    by = call.view(keys, "keys")
    if call.present is not None:
        _device.refuse_nulls("keys")
    _check_keys(by.shape, call)
    spec, order = call.spec(), call.order()
    if not _layout.lies_in(by, order, _types.ITEM_BYTES[by.type]):
        by, call.copied = _launch.packed(call, by, order) if call.on_device else by.packed(order), True
    number = None
    if call.on_device:
        run_keys, results, number = _launch.reduce_runs(call, by, keys, wait)
    elif not wait:
        raise ValueError("wait=False: only for arrays in device memory; of arrays in host memory all results are there when the call returns")
    else:
        count = call.shape[0]
        run_keys = Wanted(by.type, (count,), (0,)).make()
        results = tuple(one.make() for one in wanted_of(spec, ((count,), (0,))))
        runs = _runs_of(call, by, run_keys, results) if count else 0
        kind = _engine.Kind(_columns.taken(keys, "keys")[0])
        run_keys, results = kind.array(_first(run_keys, runs)), [call.kind.array(_first(one, runs)) for one in results]
    found = _results_of(run_keys, results, call, counts)
    return found if number is None else (*found, number)


def _runs_of(call, by, run_keys, results):
    """The number of runs in host memory; an error for a run of which no element is kept says what to do."""
    try:
        return _jitreduce.reduce_runs(call.context, call.spec(), tuple(call.arrays), by, run_keys, results)
    except _jitreduce.EmptyInputError as error:
        run = re.search(r"segment (\d+)", str(error))
        if run:
            error.args = (f"{str(error).partition(':')[0]}: where or nan skips all elements of run {run[1]} (the first is 0): "
                          f"give {_initial_or(call)}counts=True, with a count of 0 there",)
        raise


def _first(array, count):
    """A view of the first elements of an Array in host memory."""
    return _jitreduce.Array.at(array, array.type, (count,), array.strides, array.address, False, _device.CPU, 0, 0)


def _is_on_device(x):
    arrow = hasattr(type(x), "__arrow_c_array__")  # of which pyarrow's say no device where elements are null
    return hasattr(type(x), "__dlpack_device__") and not arrow and _device.dlpack_device(x)[0] != _device.CPU or hasattr(
        x, "__cuda_array_interface__")


def _by_library(keys, arrays, op, where, given):
    """group_by in device memory, where the arrays' library sorts; the results are those of runs of equal keys."""
    from . import reduce_by_key as runs  # pylint: disable=import-outside-toplevel  # the one that replays calls

    fields = fields_of(op, "f64")
    texts = [text for text in (where, *fields.values()) if isinstance(text, str)]
    if any(re.search(r"\bi\b", text) for text in texts):
        raise ValueError("i counts within each group, which arrays in device memory do not have: sort by the argsort of their library, and call jitreduce.reduce_by_key")
    try:
        order = keys.argsort(stable=True)
    except TypeError:
        order = keys.argsort()  # CuPy's, which keeps the order of equal ones
    if where is not None and not isinstance(where, str):
        where = where[order]
    found = list(runs(keys[order], *(x[order] for x in arrays), op=op, where=where, **given))
    names = () if "finish" in fields else fields.get("ops") or (fields["op"],)
    results = found[1] if "ops" in fields else (found[1],)
    results = tuple((order[one] + 1) * (one >= 0) - 1 if name in ("argmin", "argmax") else one for one, name in zip(results, names)) or results
    return (found[0], results if "ops" in fields else results[0], *found[2:])


def _numpy_of(numpy, x, name):
    """NumPy's array of an argument in host memory, and which elements are no nulls; None: all."""
    if _is_on_device(x):
        raise ValueError(f"{name} is in device memory; group_by sorts in host memory. Sort there, by the argsort of the "
                         "array's library, and call jitreduce.reduce_by_key")
    if name == "keys":
        return _columns.numpys(x, numpy, name)
    x, present = _columns.taken(x, name)
    return _columns.numpys(x, numpy, name)[0], present if present is None else numpy.asarray(present)


def _condition_of(numpy, where, nulls, shape):
    """(where, which elements are no nulls or None), arrays of NumPy's; an expression stays."""
    nulls = [present for present in nulls if present is not None]
    if not (where is None or isinstance(where, (str, bool))):
        where, known = _numpy_of(numpy, where, "where")
        if where.shape != shape:
            raise ValueError(f"where has shape {where.shape}, the keys {shape}: arrays are not broadcast")
        nulls += [known] if known is not None else []
    return where, numpy.logical_and.reduce(nulls) if nulls else None


def _groups_of(numpy, keys, present):
    """The order that sorts keys, equal ones as they stand, without nulls; and where each group begins in it, and the last
    ends."""
    if present is not None:
        kept = numpy.flatnonzero(present)
        order, offsets = _groups_of(numpy, keys[kept], None)
        return kept[order], offsets
    if keys.dtype.kind in "OTV" and (keys != keys).any():  # pylint: disable=comparison-with-itself
        raise ValueError(f"a key of {keys.dtype} is not equal to itself, as NaN, and cannot be sorted: select "
                         "the others by keys == keys, or make an array of numbers or texts")
    try:
        order = numpy.argsort(keys, kind="stable")
    except TypeError as error:
        raise TypeError(f"keys of {keys.dtype} are of several types, which have no order ({_given.shown(error)}): make all of them "
                        "numbers or texts, as by numpy.asarray(keys, str)") from None
    ordered = keys[order]
    before, after = ordered[:-1], ordered[1:]
    begins = before != after
    if keys.dtype.kind in "fcmM":  # what is no number sorts behind all numbers, and is one group
        missing = numpy.isnat if keys.dtype.kind in "mM" else numpy.isnan
        begins &= ~(missing(before) & missing(after))
    offsets = numpy.flatnonzero(numpy.concatenate(([len(keys) > 0], begins, [True])))
    return order, offsets.astype("u8")


def _initial_or(call):
    """Advice for a key without elements: neither an index nor several results have an initial value."""
    return "" if "ops" in call.fields or call.fields["op"] in ("argmin", "argmax") else "initial, or "


def _emptied(call, ordered, offsets):
    """The end of an error: the first key of which no element is kept; "": each has some."""
    fields = {name: value for name, value in call.fields.items() if name in (
        "type", "input_count", "more_types", "where", "nan", "parameters")}
    spec = _engine.spec_of(tuple({**fields, "op": "any", "kept": 1}.items()))
    (_, kept) = found = tuple(one.make() for one in wanted_of(spec, ((len(offsets) - 1,), (0,))))
    _jitreduce.reduce_pieces(call.context, spec, tuple(call.arrays), _device.view(offsets, "offsets"), found)
    empty = [at for at, count in enumerate(memoryview(kept)) if count == 0]
    if not empty:
        return ""
    more = f" (and of {len(empty) - 1} more)" if len(empty) > 1 else ""
    return (f"where or nan skips all elements of the key {_given.shown(ordered[offsets[empty[0]].item()].item())}{more}: give {_initial_or(call)}"
            "counts=True, with a count of 0 there")


@documented(without=("value", "stream"), keys="one number, boolean, date or text per element: a NumPy array, or what numpy.asarray takes",
            arrays="one array, or as many as the operator or its expressions read together; any strides")
def group_by(keys, /, *arrays, op="sum", where=None, initial=None, counts=False, **options):
    """One result for each key, sorted by key, wherever the elements stand.

    Returns the keys, the results (a tuple of results for several operators) and, with counts=True, the counts. All NaNs
    are one key, the last. In expressions, i counts within each group from 0, in the order of its elements. NumPy sorts
    the keys and copies the elements in their order. A key of which `where` or nan="ignore" skips all elements has the result
    of no elements: 0 for sum, NaN for mean. For min, max, argmin and argmax that is an error, which names the key, unless
    initial is given, or counts=True: then the count 0 marks a result without meaning, -1 for an index. Only min and max of
    NaNs alone have a result with nan="ignore": NaN.

    Arrays in device memory whose class has argsort (PyTorch, CuPy, JAX) are sorted there, by their library; the results are
    then those of reduce_by_key: each NaN is a key of its own, expressions have no i, and the call waits for the number of keys.

    >>> city, price = numpy.array(["Berlin", "Aachen", "Berlin"]), numpy.array([2.5, 1, 4.5])
    >>> jitreduce.group_by(city, price)
    (array(['Aachen', 'Berlin'], dtype='<U6'), array([1., 7.]))
    >>> jitreduce.group_by(city, price, op=("mean", "argmax"), counts=True)
    (array(['Aachen', 'Berlin'], dtype='<U6'), (array([1. , 3.5]), array([1, 2])), array([1, 2], dtype=uint64))
    """
    import numpy  # pylint: disable=import-outside-toplevel

    _check_no_operator(arrays)
    if hasattr(keys, "argsort") and arrays and all(map(_is_on_device, (keys, *arrays))):
        return _by_library(keys, arrays, op, where, {"initial": initial, "counts": counts, **options})
    keys, present = _numpy_of(numpy, keys, "keys")
    if len(arrays) <= len(_engine.INPUTS):
        arrays, nulls = zip(*(_numpy_of(numpy, x, name) for x, name in zip(arrays, _engine.INPUTS))) if arrays else ((), ())
    else:
        nulls = ()
    if keys.ndim != 1 or any(x.shape != keys.shape for x in arrays):
        raise ValueError(f"keys have shape {keys.shape}, the arrays {', '.join(str(x.shape) for x in arrays)}: all need one "
                         "dimension, and one key per element")
    where, known = _condition_of(numpy, where, nulls, keys.shape)
    order, offsets = _groups_of(numpy, keys, present)
    where = where[order] if hasattr(where, "shape") else where
    known = None if known is None else _device.view(known[order], "where")
    call = _call_of([x[order] for x in arrays], op, (where, initial, known), counts, options, group_by)
    spec, groups = call.spec(), len(offsets) - 1
    results = tuple(one.make() for one in wanted_of(spec, ((groups,), (0,))))
    if groups > 0:
        try:
            _jitreduce.reduce_pieces(call.context, spec, tuple(call.arrays), _device.view(offsets, "offsets"), results)
        except _jitreduce.EmptyInputError as error:
            emptied = _emptied(call, keys[order], offsets)
            error.args = (f"{str(error).partition(':')[0]}: {emptied}" if emptied else str(error),)
            raise
    found = list(map(call.kind.array, results))
    for at, name in enumerate(call.fields.get("ops") or (call.fields.get("op"),)):
        if name in ("argmin", "argmax"):
            whole = order[offsets[:-1].astype("i8") + found[at].clip(0)].astype(found[at].dtype)
            found[at] = numpy.where(found[at] < 0, found[at], whole)  # -1: of no elements
    return _results_of(keys[order[offsets[:-1].astype("i8")]], found, call, counts)
