"""Segments of an array of one dimension: between offsets, or runs of equal neighbouring keys."""

import re

from . import _device, _engine, _given, _jitreduce, _launch, _layout, _types
from ._documented import documented
from ._reduction import fields_of, parameters_of
from ._results import wanted_of


def _lined(call, x, name):
    """The Array of keys or offsets, of one dimension and without gaps, in the memory where the arrays are."""
    present, call.present = call.present, None
    array = call.view(x, name) if name == "keys" else _offsets_view(call, x)
    if call.present is not None:
        _device.refuse_nulls(name)
    call.present = present
    if len(call.shape) != 1 or len(array.shape) != 1:
        raise ValueError(f"{name} have shape {array.shape}, the array {call.shape}: both need one dimension")
    if not _layout.lies_in(array, (0,), _types.ITEM_BYTES[array.type]):
        call.copied = True
        array = _launch.packed(call, array, (0,)) if call.on_device else array.packed((0,))
    if call.on_device:
        _device.order_streams(call.owner, array.stream, call.stream)
    return array


def _offsets_view(call, x):
    """The Array of offsets, whose number need not be that of the elements."""
    _, array, present = _device.seen(x, "offsets", call.stream)
    if present is not None:
        _device.refuse_nulls("offsets")
    if (array.device[0] != _device.CPU) != call.on_device:
        where = ("device", "host") if call.on_device else ("host", "device")
        raise ValueError(f"x is in {where[0]} memory, offsets in {where[1]} memory; jitreduce copies nothing by itself")
    return array


def of_keys(call, keys):
    """(True, the Array of keys)."""
    by = _lined(call, keys, "keys")
    if by.shape != call.shape:
        raise ValueError(f"keys have shape {by.shape}, the array {call.shape}: one key per element is required")
    return True, by


def of_offsets(call, offsets):
    """(False, the Array of offsets as u64)."""
    by = _lined(call, offsets, "offsets")
    if by.type not in ("i64", "u64") and (call.on_device or _types.is_float(by.type) or by.type == "bool"):
        raise TypeError(f"offsets have elements of {_types.ARRAY_API[by.type]}: give whole numbers{', int64 or uint64' if call.on_device else ''}")
    if by.shape[0] == 0:
        raise ValueError("offsets are empty: they are one more than the segments")
    if not call.on_device:
        numbers = memoryview(by).tolist()
        if numbers[0] < 0 or any(after < before for before, after in zip(numbers, numbers[1:])):
            at = next((i for i, pair in enumerate(zip(numbers, numbers[1:]), 1) if pair[1] < pair[0]), 0)
            raise ValueError(f"offsets[{at}] is {numbers[at]}: offsets begin at 0 or above and do not descend")
        if numbers[-1] > call.shape[0]:
            raise ValueError(f"offsets[{len(numbers) - 1}] is {numbers[-1]}, and the array has {call.shape[0]} elements")
        if by.type not in ("i64", "u64"):
            made = _jitreduce.Array("u64", by.shape, (8,))
            whole = memoryview(made)
            for at, number in enumerate(numbers):
                whole[at] = number
            return False, made
    return False, _jitreduce.Array.at(by, "u64", by.shape, (8,), by.address, True, *by.device, by.stream)


@documented(without=("value",), offsets="element numbers, one more than there are segments, that do not descend: int64 or uint64 in device memory, where they are not "
            "checked; elements before the first and from the last on are in no segment", arrays="as many arrays as the operator or its expressions read together")
def reduce_segments(x, offsets, /, *arrays, op="sum", where=None, initial=None, counts=False, **options):
    """One result for each segment of an array of one dimension: segment s is elements offsets[s] up to, not including, offsets[s + 1].

    Returns the results (a tuple of results for several operators) and, with counts=True, the counts. In expressions i counts
    within each segment from 0; argmin and argmax are indices within the segment. An empty segment has the result of no elements: 0 for
    sum, NaN for mean; for min, max, argmin and argmax it is an error, unless initial or counts=True is given; for arrays in device memory it has the
    result that jitreduce.max and jitreduce.argmax document.

    >>> x = numpy.array([3.0, 1, 4, 1, 5])
    >>> jitreduce.reduce_segments(x, [0, 2, 2, 5])
    array([ 4.,  0., 10.])
    >>> jitreduce.reduce_segments(x, [0, 2, 5], op=("min", "mean"))
    (array([1., 1.]), array([2.        , 3.33333333]))
    """
    counts = _given.flag("counts", counts)
    options["parameters"] = parameters_of(op, options.get("parameters"))
    call = _engine.Call((x, *arrays), options, reduce_segments)
    if call.value:
        raise ValueError("value=True: only for one result of all elements")
    call.fields.update(fields_of(op, call.fields["type"]))
    call.take_where(where)
    call.take_initial(initial)
    if counts:
        call.fields["kept"] = 1
    _, by = of_offsets(call, offsets)
    spec, _ = call.spec(), call.order()
    lies = ((by.shape[0] - 1,), (0,))
    results = _launch.reduce_segments(call, by, lies) if call.on_device else _of_host(call, spec, by, lies)
    results, counted = (results[:-1], results[-1:]) if counts else (results, ())
    found = results if "ops" in call.fields else results[0]
    return (found, *counted) if counts else found


def _of_host(call, spec, by, lies):
    """The results of segments in host memory; an error for an empty one says what to do."""
    results = tuple(one.make() for one in wanted_of(spec, lies))
    try:
        if lies[0][0] > 0:
            _jitreduce.reduce_pieces(call.context, spec, tuple(call.arrays), by, results)
    except _jitreduce.EmptyInputError as error:
        segment = re.search(r"segment (\d+)", str(error))
        if segment:
            given = "" if "ops" in call.fields or call.fields["op"] in ("argmin", "argmax") else "initial, or "
            error.args = (f"{str(error).partition(':')[0]}: segment {segment[1]} (the first is 0) is empty, or where or nan skips all of it: give {given}"
                          "counts=True, with a count of 0 there",)
        raise
    return tuple(map(call.kind.array, results))
