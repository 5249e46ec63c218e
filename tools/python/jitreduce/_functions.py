"""The reductions and scans: those of the array API standard, and some of the library's own."""
# pylint: disable=redefined-builtin

import numbers

from . import _device, _documented, _engine, _given, _jitreduce, _types
from ._documented import documented


OPS_MAX = 8  # JR_OPS_MAX


def fields_of_dtype(op, kind, dtype):
    """The members of the spec that say in which type is accumulated and what the result is."""
    if dtype is None:
        if op in ("sum", "prod") and kind == "bool":
            return {"result": "i64"}
        return {"result": kind} if kind in ("f16", "bf16") else {}
    wanted = _types.of_dtype(dtype)
    fields = {"result": wanted}
    kept_apart = op in ("var", "std") or op == "mean" and not _types.is_float(kind)  # the sum of integers is exact
    if kept_apart and _types.is_float(wanted):
        return fields
    if _types.is_float(wanted):
        fields["accumulate"] = wanted if wanted in _types.WIDE else "f32"
    elif op in ("mean", "var", "std"):
        raise TypeError(f"{op} has no result of {_types.ARRAY_API[wanted]}: dtype must be a float")
    else:
        if wanted in _types.WIDE:
            fields["accumulate"] = wanted
        if _types.is_float(kind) or wanted == "bool":
            fields.update(map="x", map_type=wanted)
    return fields


def _one(op, inputs, fields, reduction, options):
    """One operator over arrays. reduction: the arguments (axis, keepdims, where,
    initial, out, and those by place that are too many)."""
    axis, keepdims, where, initial, out, more = reduction
    call = _engine.Call(inputs, options, globals()[op], more)
    call.fields.update(op=op, **fields)
    call.take_where(where)
    call.take_initial(initial)
    return _engine.reduce(call, axis, keepdims, out)[0]


def _typed(op, x, dtype, fields, reduction, options):
    """One operator whose result's type follows from that of the elements, or is asked for."""
    axis, keepdims, where, initial, out, more = reduction
    call = _engine.Call((x,), options, globals()[op], more)
    call.fields.update(op=op, **fields_of_dtype(op, call.fields["type"], dtype), **fields)
    call.take_where(where)
    call.take_initial(initial)
    return _engine.reduce(call, axis, keepdims, out)[0]


@documented()
def sum(x, /, axis=None, *more, dtype=None, keepdims=False, where=None, initial=None, out=None, **options):
    """The sum of the elements; integers are added in 64 bits.

    >>> jitreduce.sum(array.array("i", [3, 1, 4]))
    8
    >>> jitreduce.sum(numpy.arange(6, dtype="i4").reshape(2, 3), axis=0)
    array([3, 5, 7])
    >>> jitreduce.sum(numpy.arange(6.0), where="x > q", parameters={"q": 3}).item()
    9.0
    >>> x = numpy.array([1e308, 3.0, 1e308, -1e308, -1e308])
    >>> jitreduce.sum(x, exact=True).item()
    3.0
    """
    return _typed("sum", x, dtype, {}, (axis, keepdims, where, initial, out, more), options)


@documented()
def prod(x, /, axis=None, *more, dtype=None, keepdims=False, where=None, initial=None, out=None, **options):
    """The product of the elements; integers are multiplied in 64 bits.

    >>> jitreduce.prod(array.array("f", [3, 0.5, 4]))
    6.0
    """
    return _typed("prod", x, dtype, {}, (axis, keepdims, where, initial, out, more), options)


@documented()
def min(x, /, axis=None, *more, keepdims=False, where=None, initial=None, out=None, **options):
    """The least element; NaN if there is one, unless nan="ignore". No elements are an error, unless initial is given. Where
    `where` leaves none of an array in device memory, only value=True is an error, since nobody waits for the others: the
    result is the greatest value of the type, inf for floats. NaNs alone are NaN, with nan="ignore", too.

    >>> jitreduce.min(numpy.array([[3, 1], [4, 1]], "i2"), axis=1)
    array([1, 1], dtype=int16)
    """
    return _one("min", (x,), {}, (axis, keepdims, where, initial, out, more), options)


@documented()
def max(x, /, axis=None, *more, keepdims=False, where=None, initial=None, out=None, **options):
    """The greatest element; NaN if there is one, unless nan="ignore". No elements are an error, unless initial is given. Where
    `where` leaves none of an array in device memory, only value=True is an error, since nobody waits for the others: the
    result is the least value of the type, -inf for floats. NaNs alone are NaN, with nan="ignore", too.

    >>> jitreduce.max(array.array("d", [3, 1, float("nan")]), nan="ignore")
    3.0
    """
    return _one("max", (x,), {}, (axis, keepdims, where, initial, out, more), options)


@documented(axis="axis to reduce; None (default): all elements, counted in C order")
def argmin(x, /, axis=None, *more, keepdims=False, where=None, out=None, **options):
    """The index of the first least element, along one axis or of all elements in C order. No elements are an error, also where
    `where` and nan="ignore" leave none; but of an array in device memory without value=True the index is -1 then.

    >>> jitreduce.argmin(array.array("d", [3, 1, 4, 1]))
    1
    """
    return _index("argmin", x, (axis, keepdims, where, None, out, more), options)


@documented(axis="axis to reduce; None (default): all elements, counted in C order")
def argmax(x, /, axis=None, *more, keepdims=False, where=None, out=None, **options):
    """The index of the first greatest element, along one axis or of all elements in C order. No elements are an error, also where
    `where` and nan="ignore" leave none; but of an array in device memory without value=True the index is -1 then.

    >>> jitreduce.argmax(numpy.array([[3, 1], [4, 1]]), axis=0)
    array([1, 0])
    """
    return _index("argmax", x, (axis, keepdims, where, None, out, more), options)


def _index(op, x, reduction, options):
    if isinstance(reduction[0], (tuple, list)):
        raise TypeError(f"{op} takes one axis, or None for all elements")
    return _one(op, (x,), {}, reduction, options)


@documented()
def any(x, /, axis=None, *more, keepdims=False, where=None, out=None, **options):
    """True if at least one element is not 0.

    >>> jitreduce.any(array.array("b", [0, 0, 1]))
    True
    """
    return _one("any", (x,), {}, (axis, keepdims, where, None, out, more), options)


@documented()
def all(x, /, axis=None, *more, keepdims=False, where=None, out=None, **options):
    """True if every element is not 0.

    >>> jitreduce.all(array.array("b", [0, 0, 1]))
    False
    """
    return _one("all", (x,), {}, (axis, keepdims, where, None, out, more), options)


@documented()
def count_nonzero(x, /, axis=None, *more, keepdims=False, where=None, out=None, **options):
    """The number of elements that are not 0.

    >>> jitreduce.count_nonzero(array.array("b", [0, 7, 1]))
    2
    """
    return _one("count_nonzero", (x,), {"result": "i64"}, (axis, keepdims, where, None, out, more), options)


@documented(dtype="type of the result, a float; default: that of the elements, float64 for integers")
def mean(x, /, axis=None, *more, dtype=None, keepdims=False, where=None, out=None, **options):
    """The arithmetic mean. For integers it is the exact sum, divided once. For no elements it is NaN.

    >>> jitreduce.mean(array.array("i", [3, 1, 4]), where="x != 1")
    3.5
    """
    return _typed("mean", x, dtype, {}, (axis, keepdims, where, None, out, more), options)


@documented(dtype="type of the result, a float; default: that of the elements, float64 for integers")
def var(x, /, axis=None, *more, dtype=None, correction=0.0, keepdims=False, where=None, out=None, **options):
    """The variance: the sum of squared distances from the mean, divided by the count minus `correction`.

    >>> jitreduce.var(array.array("d", [1, 3]), correction=1)
    2.0
    """
    return _typed("var", x, dtype, {"ddof": correction}, (axis, keepdims, where, None, out, more), options)


@documented(dtype="type of the result, a float; default: that of the elements, float64 for integers")
def std(x, /, axis=None, *more, dtype=None, correction=0.0, keepdims=False, where=None, out=None, **options):
    """The standard deviation, the root of the variance.

    >>> jitreduce.std(array.array("d", [1, 3]))
    1.0
    """
    return _typed("std", x, dtype, {"ddof": correction}, (axis, keepdims, where, None, out, more), options)


def _small_float(x_kind):
    """Floats below f32 have results of their own type, as the array API wants it."""
    return {"result": x_kind} if x_kind in ("f16", "bf16") else {}


def _ours(op, inputs, reduction, options):
    """One of the operators that the array API does not have."""
    axis, keepdims, where, out, more = reduction
    call = _engine.Call(inputs, options, globals().get(op, norm), more)
    call.fields.update(op=op, **_small_float(call.fields["type"]))
    call.take_where(where)
    return _engine.reduce(call, axis, keepdims, out)[0]


def _other_norm(ord):
    """What to write for another norm; "": an axis was meant."""
    if isinstance(ord, str):
        return {"fro": "norm(x) is Frobenius' norm; ", "inf": "write float(\"inf\"); "}.get(ord, "")
    if isinstance(ord, bool) or not isinstance(ord, numbers.Real):
        return ""
    if ord == 0:
        return "count_nonzero(x) counts; "
    if ord == -float("inf"):
        return "the least magnitude is Reduction(\"min\", map=\"fabs(x)\")(x); "
    if not abs(ord) < 1e300:
        return ""
    return f"another one is Reduction(\"sum\", map=\"pow(fabs(x), p)\", finish=\"pow(a, 1 / p)\", parameters={{\"p\": {float(ord)}}})(x); "


@documented()
def norm(x, /, ord=2, axis=None, *more, keepdims=False, where=None, out=None, **options):
    """The norm of the elements as one vector; `ord` comes before `axis`, as in NumPy. Squares do not overflow.

    >>> x = array.array("d", [3e200, -4e200])
    >>> [f"{jitreduce.norm(x, ord=ord):.6}" for ord in (1, 2, float("inf"))]
    ['7e+200', '5e+200', '4e+200']
    """
    names = {1: "norm1", 2: "norm2", float("inf"): "norminf"}
    ord = 2 if ord is None else ord
    if isinstance(ord, bool) or not isinstance(ord, numbers.Real) or ord not in names:
        raise ValueError(f"ord={_given.shown(ord)}: must be 1, 2 or infinity; {_other_norm(ord)}an axis is given by its name: norm(x, axis=0)")
    return _ours(names[ord], (x,), (axis, keepdims, where, out, more), options)


@documented()
def dot(x, y, /, axis=None, *more, keepdims=False, where=None, out=None, **options):
    """The sum of the products of two arrays' elements, as NumPy's vecdot; of matrices too, which numpy.dot multiplies.
    Products of integers are added as float64; Reduction("sum", map="x * y", map_type="int64") adds them as integers.

    >>> jitreduce.dot(array.array("d", [3, 1, 4]), array.array("d", [1, 2, 1]))
    9.0
    """
    return _ours("dot", (x, y), (axis, keepdims, where, out, more), options)


@documented()
def logsumexp(x, /, axis=None, *more, keepdims=False, where=None, out=None, **options):
    """The logarithm of the sum of exponentials, without overflow.

    >>> round(jitreduce.logsumexp(array.array("d", [1000, 1000])), 6)
    1000.693147
    """
    return _ours("logsumexp", (x,), (axis, keepdims, where, out, more), options)


@documented()
def minmax(x, /, axis=None, *more, keepdims=False, where=None, **options):
    """The least and the greatest element, in one pass over the data.

    >>> jitreduce.minmax(array.array("d", [3, 1, 4]))
    (1.0, 4.0)
    """
    if more:
        _documented.refuse(minmax, more)
    try:
        return reduce(x, ("min", "max"), axis, keepdims=keepdims, where=where, **options)
    except _jitreduce.EmptyInputError as error:
        error.args = (str(error).partition("; omit")[0],)  # neither of them can be
        raise


@documented(ops="a name or a tuple of up to 8 names: sum prod min max any all count_nonzero argmin argmax mean var std norm1 norm2 "
                "norminf sumsq logsumexp; and or xor for integers")
def reduce(x, ops, /, axis=None, *more, keepdims=False, where=None, **options):
    """The results of several operators, in one pass over the data.

    Returns a tuple with one result per operator. Types of results are those of the library (include/manual/operators.md).

    >>> jitreduce.reduce(array.array("i", [3, 1, 4, 0]), ("min", "sum", "mean", "argmax"))
    (0, 8, 2.0, 2)
    """
    if isinstance(x, str) or isinstance(x, tuple) and x and isinstance(x[0], str):
        raise TypeError(f"the array comes before the operators: reduce(x, {_given.shown(x)})")
    if isinstance(axis, str):
        raise TypeError(f"axis={_given.shown(axis)}: several operators are a tuple: reduce(x, {_given.shown((ops, axis, *more))})")
    call = _engine.Call((x,), options, reduce, more)
    call.fields["ops"] = ops_of((ops,) if isinstance(ops, str) else ops)
    call.take_where(where)
    return _engine.reduce(call, axis, keepdims, None)


def ops_of(names):
    """The library's names of several operators."""
    _documented.check_op_is_text(names)
    found = tuple(map(_documented.op_named, _given.items("ops", names)))
    if not 1 <= len(found) <= OPS_MAX:
        raise ValueError(f"{len(found)} operators: give 1 to {OPS_MAX} names")
    if "dot" in found:
        raise ValueError("dot reads two arrays, and operators in a list read one: jitreduce.dot(x, y), or \"sumsq\" for dot(x, x)")
    return found


def fields_of(name, kind):
    """The members of the spec of a function, or of an operator, over elements of a type."""
    more = _FIELDS.get(name)
    return {"op": _documented.op_named(name), **(more(name, kind) if more else {})}


def plan_for(name):
    """What gives the short way of a function its plan, and the Context of its results, of an array in device memory."""

    def prepare(x):
        call = _engine.Call((x,), {})
        call.fields.update(fields_of(name, call.fields["type"]))
        return (_device.plan_of(call.context, call.spec()), call.owner) if call.on_device else None

    return prepare


_FIELDS = {
    **dict.fromkeys(("sum", "prod", "mean"), lambda name, kind: fields_of_dtype(name, kind, None)),
    **dict.fromkeys(("var", "std"), lambda name, kind: {**fields_of_dtype(name, kind, None), "ddof": 0.0}),
    **dict.fromkeys(("norm", "logsumexp"), lambda name, kind: _small_float(kind)),
    "count_nonzero": lambda name, kind: {"result": "i64"},
}
#: The functions whose result of an array alone is one number, which have a short way; and those that are replayed only.
QUICK = ("sum", "prod", "min", "max", "argmin", "argmax", "any", "all", "count_nonzero", "mean", "var", "std", "norm",
         "logsumexp")
REPLAYED = ("dot", "minmax", "reduce")
