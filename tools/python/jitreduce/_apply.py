"""Rows that are reduced and applied: a value for each element from it and the results of its row; softmax and normalisations."""

import math

from . import _engine, _jitreduce, _launch, _layout, _types
from ._documented import documented
from ._given import shown
from ._reduction import fields_of, parameters_of

AXIS = "the last axis, whose elements are a row; default: -1"


def _apply(call, expression, fields, weights, axis, out):
    """The values of an apply. fields: of the operator. weights: arrays of one row that all rows share."""
    shape = call.shape
    if not shape:
        raise ValueError("an array without dimensions has no rows: x.reshape(1) has one")
    axes = _layout.axes_of(axis, len(shape))
    if axes != (len(shape) - 1,):
        raise ValueError(f"axis={shown(axis)}: rows lie along the last axis, {len(shape) - 1}; move it there")
    call.fields.update(fields, apply=expression)
    call.in_c_order = call.applies = True
    for array in call.arrays[1:]:
        if array.shape != shape:
            raise ValueError(f"the arrays have the shapes {shape} and {array.shape}: arrays are not broadcast; those of one row are weights=")
    weights = weights if isinstance(weights, (tuple, list)) else () if weights is None else (weights,)
    order, first = call.order(), len(call.arrays)
    if first + len(weights) > len(_engine.INPUTS):
        raise ValueError(f"{first + len(weights)} arrays: at most {len(_engine.INPUTS)} are possible")
    for x in weights:
        array = call.view(x, "weights")
        if array.shape != shape[-1:]:
            raise ValueError(f"weights have the shape {array.shape}: a row has {shape[-1:]}")
        call.arrays.append(_launch.packed(call, array, (0,)) if call.on_device else array.packed((0,)))
    if len(call.arrays) > 1:
        call.fields.update(input_count=len(call.arrays), more_types=tuple(array.type for array in call.arrays[1:]))
        call.fields["row_inputs"] = sum(1 << at for at in range(first, len(call.arrays)))
    call.whole = spec = call.spec_of(call.fields)
    call.kind.check(spec.types)
    sizes, lies = (math.prod(shape[:-1]), shape[-1], 1), (shape, order)
    if call.on_device:
        return _launch.scan(call, sizes, lies, (None, False), out)
    (result,) = _engine._host_results(call, spec, lies, out)  # pylint: disable=protected-access
    _jitreduce.scan(call.context, spec, tuple(call.arrays), sizes, result, None, False)
    return out if out is not None else call.kind.array(result)


@documented(without=("value",), axis=AXIS, arrays="more arrays of the same shape: y, z, w in expressions",
            op="an operator's name, several, or a jitreduce.Reduction; default: \"sum\"",
            where="elements that count for the row's results: an expression (\"x > 3\")",
            correction="for var and std: a number subtracted from the count in the divisor; default: 0",
            weights="an array, or a tuple of them, with the elements of one row, which all rows share: the letters after the arrays'",
            dtype="of the values; default: that of x if it is a float, else float32 for up to 16 bits, or float64")
def apply(x, expression, /, *arrays, op="sum", axis=-1, weights=(), dtype=None, where=None, correction=0, out=None, **options):
    """A value for each element from it and the results of its row, in one launch. The expression knows x, y, z, w, the index i, the
    row's length n, and the result r, or of several operators r0, r1, ...

    >>> x = numpy.array([[1, 2, 3], [4, 4, 8]], "f4")
    >>> jitreduce.apply(x, "x / r")
    array([[0.16666667, 0.33333334, 0.5       ],
           [0.25      , 0.25      , 0.5       ]], dtype=float32)
    >>> jitreduce.apply(x, "(x - r0) / (r1 - r0)", op=("min", "max"))
    array([[0. , 0.5, 1. ],
           [0. , 0. , 1. ]], dtype=float32)
    """
    if not isinstance(expression, str):
        raise TypeError(f"expression {shown(expression)}: apply takes a text, as \"x - r\"")
    if where is not None and not isinstance(where, str):
        raise TypeError(f"where={shown(where)}: apply takes an expression")
    options["parameters"] = parameters_of(op, options.get("parameters"))
    call = _engine.Call((x, *arrays), options, apply)
    fields = fields_of(op, call.fields["type"])
    if dtype is not None:
        fields = {**fields, "apply_type": _types.of_dtype(dtype)}
    if where is not None:
        fields = {**fields, "where": where}
    if correction:
        fields = {**fields, "ddof": correction}
    return _apply(call, expression, fields, weights, axis, out)


def _ready(function, x, axis, out, options, made):
    """A formula over one array: made gives, of the element type, the expression, the operator's fields and the weights."""
    call = _engine.Call((x,), options, function)
    expression, fields, weights = made(call.fields["type"])
    return _apply(call, expression, fields, weights, axis, out)


def _literal(number, kind):
    """eps in an expression: of float unless it is computed in double."""
    try:
        value = float(number)
    except OverflowError:
        value = math.inf
    if not math.isfinite(value):
        raise ValueError(f"eps={shown(number)}: a finite number is added")
    return f"{value:.17e}" if kind == "f64" else f"{value:.9e}f"


@documented(without=("value", "parameters"), axis=AXIS)
def softmax(x, /, *, axis=-1, out=None, **options):
    """exp(x) over the sum of exp(x) of the row.

    >>> jitreduce.softmax(numpy.array([[0, 0], [1000, 1000]], "f4"))
    array([[0.5, 0.5],
           [0.5, 0.5]], dtype=float32)
    """
    return _ready(softmax, x, axis, out, options, lambda kind: ("exp(x - r)", {"op": "logsumexp"}, ()))


@documented(without=("value", "parameters"), axis=AXIS)
def log_softmax(x, /, *, axis=-1, out=None, **options):
    """The logarithm of softmax: x minus the logarithm of the sum of exp(x) of the row.

    >>> jitreduce.log_softmax(numpy.array([0.0, 0.0]))
    array([-0.69314718, -0.69314718])
    """
    return _ready(log_softmax, x, axis, out, options, lambda kind: ("x - r", {"op": "logsumexp"}, ()))


@documented(without=("value", "parameters"), axis=AXIS, eps="a number added to the mean of squares")
def rms_norm(x, weight=None, *, eps=1e-6, axis=-1, out=None, **options):
    """x over the root of the mean of the squares of the row.

    >>> jitreduce.rms_norm(numpy.array([[3.0, 4.0]]), eps=0) * 12.5 ** 0.5
    array([[3., 4.]])
    """
    def made(kind):
        root = "rsqrt" if kind == "f64" else "rsqrtf"
        return (f"x * {root}(r / n + {_literal(eps, kind)}){'' if weight is None else ' * y'}", {"op": "sumsq"},
                () if weight is None else (weight,))
    return _ready(rms_norm, x, axis, out, options, made)


@documented(without=("value", "parameters"), axis=AXIS, eps="a number added to the variance")
def layer_norm(x, weight=None, bias=None, *, eps=1e-5, axis=-1, out=None, **options):
    """(x - mean) / sqrt(variance + eps) of the row, times weight, plus bias.

    >>> jitreduce.layer_norm(numpy.array([[1.0, 3.0]]), eps=0)
    array([[-1.,  1.]])
    """
    weights = tuple(w for w in (weight, bias) if w is not None)
    more = ("" if weight is None else " * y") + ("" if bias is None else " + y" if weight is None else " + z")

    def made(kind):
        if kind == "f64":
            return f"(x - r0) / sqrt(r1 + {_literal(eps, kind)}){more}", {"ops": ("mean", "var")}, weights
        # The mean as two floats: x - r0 in double would cost two conversions an element.
        return (f"((x - (float)r0) - (float)(r0 - (float)r0)) * (float)rsqrt(fmax(r1 / n - r0 * r0, 0.0) + {_literal(eps, 'f64')}){more}",
                {"ops": ("mean", "sumsq"), "accumulate": "f64", "result": "f64"}, weights)
    return _ready(layer_norm, x, axis, out, options, made)


@documented(without=("value", "parameters"), axis=AXIS, correction="a number subtracted from the count in the divisor of the variance")
def zscore(x, /, *, correction=0, axis=-1, out=None, **options):
    """(x - mean) / standard deviation of the row.

    >>> jitreduce.zscore(numpy.array([[1.0, 3.0]]))
    array([[-1.,  1.]])
    """
    return _ready(zscore, x, axis, out, options,
                  lambda kind: ("(x - r0) / r1", {"ops": ("mean", "std"), **({"ddof": correction} if correction else {})}, ()))


@documented(without=("value", "parameters"), axis=AXIS)
def minmax_scale(x, /, *, axis=-1, out=None, **options):
    """(x - least) / (greatest - least) of the row: from 0 to 1.

    >>> jitreduce.minmax_scale(numpy.array([[1.0, 3.0, 2.0]]))
    array([[0. , 1. , 0.5]])
    """
    return _ready(minmax_scale, x, axis, out, options, lambda kind: ("(x - r0) / (r1 - r0)", {"ops": ("min", "max")}, ()))


@documented(without=("value", "parameters"), axis=AXIS, ord="the norm: 1, 2 or numpy.inf", eps="the least divisor: rows of zeros stay zeros")
def normalize(x, /, *, ord=2, eps=1e-12, axis=-1, out=None, **options):
    """x over the norm of the row.

    >>> jitreduce.normalize(numpy.array([[3.0, -4.0]]))
    array([[ 0.6, -0.8]])
    """
    def made(kind):
        return f"x / fmax{'' if kind == 'f64' else 'f'}(r, {_literal(eps, kind)})", {"op": name}, ()
    name = NORMS.get(ord) if isinstance(ord, (int, float)) else None
    if name is None:
        raise ValueError(f"ord={shown(ord)}: the norms are 1, 2 and numpy.inf")
    return _ready(normalize, x, axis, out, options, made)


#: Norms by their order.
NORMS = {1: "norm1", 2: "norm2", math.inf: "norminf"}

#: Those whose calls are replayed.
REPLAYED = ("softmax", "log_softmax", "zscore", "minmax_scale")
