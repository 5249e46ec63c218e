"""Scans: running results along an axis, or within segments."""

from . import _documented, _engine, _functions, _given, _segments
from ._documented import documented
from ._reduction import fields_of, parameters_of

AXIS = "axis to scan along; only an array of one dimension may omit it"


def _check_begin(include_initial, exclusive):
    """The two flags."""
    include_initial, exclusive = _given.flag("include_initial", include_initial), _given.flag("exclusive", exclusive)
    if include_initial and exclusive:
        raise ValueError("include_initial and exclusive: give one of them; an exclusive scan already begins with the initial value")
    return include_initial, exclusive


def _cumulative(op, identity, x, arguments, options):
    axis, dtype, include_initial, exclusive, out, more = arguments
    include_initial, exclusive = _check_begin(include_initial, exclusive)
    _documented.refuse_of_scans(options, op)
    call = _engine.Call((x,), options, globals()[f"cumulative_{op}"], more)
    call.fields.update(op=op, **(_functions.fields_of_dtype(op, call.fields["type"], dtype) if op in ("sum", "prod") else {}))
    call.take_where(None)
    return _engine.scan(call, axis, identity if include_initial else None, out, exclusive)


@documented(without=("value", "parameters"), axis=AXIS)
def cumulative_sum(x, /, *more, axis=None, dtype=None, include_initial=False, exclusive=False, out=None, **options):
    """Running sums along an axis: one per element, over all elements up to and including it.

    >>> list(jitreduce.cumulative_sum(array.array("i", [3, 1, 4]), include_initial=True))
    [0, 3, 4, 8]

    >>> list(jitreduce.cumulative_sum(array.array("i", [3, 1, 4]), exclusive=True))
    [0, 3, 4]
    """
    return _cumulative("sum", 0, x, (axis, dtype, include_initial, exclusive, out, more), options)


@documented(without=("value", "parameters"), axis=AXIS)
def cumulative_prod(x, /, *more, axis=None, dtype=None, include_initial=False, exclusive=False, out=None, **options):
    """Running products along an axis: one per element, over all elements up to and including it.

    >>> jitreduce.cumulative_prod(numpy.array([[1, 2], [3, 4]]), axis=0)
    array([[1, 2],
           [3, 8]])
    """
    return _cumulative("prod", 1, x, (axis, dtype, include_initial, exclusive, out, more), options)


@documented(without=("value", "parameters"), axis=AXIS)
def cumulative_min(x, /, *more, axis=None, out=None, **options):
    """The least element so far, along an axis; NaN from the first NaN on, unless nan="ignore".

    >>> list(jitreduce.cumulative_min(array.array("i", [3, 1, 4])))
    [3, 1, 1]
    """
    return _cumulative("min", None, x, (axis, None, False, False, out, more), options)


@documented(without=("value", "parameters"), axis=AXIS)
def cumulative_max(x, /, *more, axis=None, out=None, **options):
    """The greatest element so far, along an axis; NaN from the first NaN on, unless nan="ignore".

    >>> list(jitreduce.cumulative_max(array.array("i", [3, 1, 4])))
    [3, 3, 4]
    """
    return _cumulative("max", None, x, (axis, None, False, False, out, more), options)


@documented(without=("value",), axis=AXIS, arrays="one array, or as many as a Reduction reads together",
            op="an operator's name, or a jitreduce.Reduction with one; default: \"sum\"",
            where="elements that count: an expression (\"x > 3\"), or an array of booleans of the same shape; the result at another element is "
                  "that of the element before it",
            initial="a number combined in before the first element of each scan")
def scan(*arrays, op="sum", axis=None, keys=None, offsets=None, include_initial=False, exclusive=False, where=None, initial=None, out=None,
         **options):
    """Running results of any operator: one per element, over all elements up to and including it, along an axis, or within segments.

    >>> x, keys = numpy.array([3.0, 1, 4, 1, 5]), numpy.array([7, 7, 8, 8, 8])
    >>> jitreduce.scan(x, op="max")
    array([3., 3., 4., 4., 5.])
    >>> jitreduce.scan(x, keys=keys)
    array([ 3.,  4.,  4.,  5., 10.])
    >>> jitreduce.scan(x, op="min", offsets=[0, 3], exclusive=True, initial=9)
    array([9., 3., 1., 9., 1.])
    >>> jitreduce.scan(x, op=jitreduce.Reduction("sum", map="x * x"), where="x > 1")
    array([ 9.,  9., 25., 25., 50.])
    """
    include_initial, exclusive = _check_begin(include_initial, exclusive)
    if not 1 <= len(arrays) <= len(_engine.INPUTS):
        raise TypeError(f"a scan takes 1 to {len(_engine.INPUTS)} arrays, not {len(arrays)}: an operator is given by name, op=\"sum\"")
    if keys is not None and offsets is not None:
        raise ValueError("keys and offsets: give one of them")
    options["parameters"] = parameters_of(op, options.get("parameters"))
    call = _engine.Call(arrays, options, scan)
    call.fields.update(fields_of(op, call.fields["type"]))
    if "ops" in call.fields:
        raise ValueError(f"op={_given.shown(op)}: a scan takes one operator; results of several are several scans")
    call.take_where(where)
    call.take_initial(initial)
    by = None if keys is None and offsets is None else _segments.of_keys(call, keys) if offsets is None else _segments.of_offsets(call, offsets)
    if by is not None and (include_initial or axis not in (None, 0, -1)):
        raise ValueError("include_initial: not within segments" if include_initial else "axis: not with keys or offsets, which divide an array of one dimension")
    return _engine.scan(call, axis, _engine.number_of_nothing(call) if include_initial else None, out, exclusive, by)


#: Those whose calls are replayed.
REPLAYED = ("cumulative_sum", "cumulative_prod", "cumulative_min", "cumulative_max", "scan")
