"""Functions that are made of others: without NaN, the range, counts, weighted means, covariances."""
# pylint: disable=redefined-builtin

import math
import sys

from . import _device, _documented, _engine, _functions, _given, _jitreduce, _layout, _types
from ._documented import documented


def _ignoring(function, options):
    """The options of a function that skips NaN."""
    nan = options.get("nan", "ignore")
    if not isinstance(nan, str) or nan != "ignore":
        raise ValueError(f"{function} skips NaN: nan={_given.shown(nan)} is another function's, {function.removeprefix('nan')}")
    options["nan"] = "ignore"
    return options


@documented(without=("nan",))
def nansum(x, /, axis=None, *more, dtype=None, keepdims=False, where=None, initial=None, out=None, **options):
    """The sum of the elements that are not NaN: sum(x, nan="ignore").

    >>> jitreduce.nansum(array.array("d", [3, float("nan"), 4]))
    7.0
    """
    return _functions.sum(x, axis, *more, dtype=dtype, keepdims=keepdims, where=where, initial=initial, out=out, **_ignoring("nansum", options))


@documented(without=("nan",))
def nanprod(x, /, axis=None, *more, dtype=None, keepdims=False, where=None, initial=None, out=None, **options):
    """The product of the elements that are not NaN: prod(x, nan="ignore").

    >>> jitreduce.nanprod(array.array("d", [3, float("nan"), 4]))
    12.0
    """
    return _functions.prod(x, axis, *more, dtype=dtype, keepdims=keepdims, where=where, initial=initial, out=out, **_ignoring("nanprod", options))


@documented(without=("nan",))
def nanmin(x, /, axis=None, *more, keepdims=False, where=None, initial=None, out=None, **options):
    """The least element that is not NaN: min(x, nan="ignore"). NaNs alone are NaN.

    >>> jitreduce.nanmin(array.array("d", [3, float("nan"), 4]))
    3.0
    """
    return _functions.min(x, axis, *more, keepdims=keepdims, where=where, initial=initial, out=out, **_ignoring("nanmin", options))


@documented(without=("nan",))
def nanmax(x, /, axis=None, *more, keepdims=False, where=None, initial=None, out=None, **options):
    """The greatest element that is not NaN: max(x, nan="ignore"). NaNs alone are NaN.

    >>> jitreduce.nanmax(array.array("d", [3, float("nan"), 4]))
    4.0
    """
    return _functions.max(x, axis, *more, keepdims=keepdims, where=where, initial=initial, out=out, **_ignoring("nanmax", options))


@documented(without=("nan",), axis="axis to reduce; None (default): all elements, counted in C order")
def nanargmin(x, /, axis=None, *more, keepdims=False, where=None, out=None, **options):
    """The index of the first least element that is not NaN: argmin(x, nan="ignore"). NaNs alone are an error.

    >>> jitreduce.nanargmin(array.array("d", [3, float("nan"), 4]))
    0
    """
    return _functions.argmin(x, axis, *more, keepdims=keepdims, where=where, out=out, **_ignoring("nanargmin", options))


@documented(without=("nan",), axis="axis to reduce; None (default): all elements, counted in C order")
def nanargmax(x, /, axis=None, *more, keepdims=False, where=None, out=None, **options):
    """The index of the first greatest element that is not NaN: argmax(x, nan="ignore"). NaNs alone are an error.

    >>> jitreduce.nanargmax(array.array("d", [3, float("nan"), 4]))
    2
    """
    return _functions.argmax(x, axis, *more, keepdims=keepdims, where=where, out=out, **_ignoring("nanargmax", options))


@documented(without=("nan",), dtype="type of the result, a float; default: that of the elements, float64 for integers")
def nanmean(x, /, axis=None, *more, dtype=None, keepdims=False, where=None, out=None, **options):
    """The mean of the elements that are not NaN: mean(x, nan="ignore"). NaNs alone are NaN.

    >>> jitreduce.nanmean(array.array("d", [3, float("nan"), 4]))
    3.5
    """
    return _functions.mean(x, axis, *more, dtype=dtype, keepdims=keepdims, where=where, out=out, **_ignoring("nanmean", options))


@documented(without=("nan",), dtype="type of the result, a float; default: that of the elements, float64 for integers")
def nanvar(x, /, axis=None, *more, dtype=None, correction=0.0, keepdims=False, where=None, out=None, **options):
    """The variance of the elements that are not NaN: var(x, nan="ignore").

    >>> jitreduce.nanvar(array.array("d", [1, float("nan"), 3]))
    1.0
    """
    return _functions.var(x, axis, *more, dtype=dtype, correction=correction, keepdims=keepdims, where=where, out=out, **_ignoring("nanvar", options))


@documented(without=("nan",), dtype="type of the result, a float; default: that of the elements, float64 for integers")
def nanstd(x, /, axis=None, *more, dtype=None, correction=0.0, keepdims=False, where=None, out=None, **options):
    """The standard deviation of the elements that are not NaN: std(x, nan="ignore").

    >>> jitreduce.nanstd(array.array("d", [1, float("nan"), 3]))
    1.0
    """
    return _functions.std(x, axis, *more, dtype=dtype, correction=correction, keepdims=keepdims, where=where, out=out, **_ignoring("nanstd", options))


@documented()
def count(x, /, axis=None, *more, keepdims=False, where=None, out=None, **options):
    """The number of elements that count: those that `where` selects, without nulls and, with nan="ignore", without NaN.

    >>> jitreduce.count(array.array("d", [3, float("nan"), 4]), nan="ignore")
    2
    >>> jitreduce.count(array.array("d", [3, 1, 4]), where="x > 1")
    2
    """
    call = _engine.Call((x,), options, count, more)
    skips = call.fields.pop("nan", 0) and _types.is_float(call.fields["type"])
    call.fields.update(op="sum", map="isnan(x) ? 0 : 1" if skips else "1", map_type="i64", result="i64")
    call.take_where(where)
    return _engine.reduce(call, axis, keepdims, out)[0]


@documented(without=("value", "stream"))
def ptp(x, /, axis=None, *more, keepdims=False, where=None, **options):
    """The greatest element minus the least one ("peak to peak"), in one pass over the data, in the elements' type.

    >>> jitreduce.ptp(array.array("d", [3, 1, 4]))
    3.0
    """
    if more:
        _documented.refuse(ptp, more)
    low, high = _functions.minmax(x, axis, keepdims=keepdims, where=where, **options)
    numpy = sys.modules.get("numpy")
    if numpy is not None and isinstance(high, numpy.generic):
        return numpy.subtract(numpy.asarray(high), low)  # of arrays, whose integers wrap without a warning
    if isinstance(high, (int, float)) or numpy is not None and isinstance(high, numpy.ndarray):
        return high - low if not isinstance(high, bool) else high != low
    seen = _device.view(high, "x")
    call = _engine.Call((high, low), {name: options[name] for name in ("context",) if name in options})
    call.fields.update(op="sum", map="x - y", map_type=seen.type, result=seen.type)
    return _engine.reduce(call, (), False, None)[0]


# ---- sums of two arrays in one pass: `map` makes a struct, `combine` joins two of them ----

WEIGHTED = ("weighted", """struct weighted { double sum, weight; };
__device__ weighted weighted_none() { return {0, 0}; }
__device__ weighted weighted_of(double x, double w) { return {x * w, w}; }
__device__ weighted weighted_join(weighted a, weighted b) { return {a.sum + b.sum, a.weight + b.weight}; }
""", 16, 8)
#: Chan, Golub, LeVeque 1979: counts, means, and sums of products of distances from them.
MOMENTS = ("moments", """struct moments { double n, x, y, xx, xy, yy; };
__device__ moments moments_none() { return {0, 0, 0, 0, 0, 0}; }
__device__ moments moments_of(double x, double y) { return {1, x, y, 0, 0, 0}; }
__device__ moments moments_join(moments a, moments b) {
    if (a.n == 0) return b;
    if (b.n == 0) return a;
    const double n = a.n + b.n, dx = b.x - a.x, dy = b.y - a.y, part = b.n / n, both = a.n * part;
    return {n, a.x + dx * part, a.y + dy * part, a.xx + b.xx + dx * dx * both, a.xy + b.xy + dx * dy * both,
            a.yy + b.yy + dy * dy * both};
}
""", 48, 8)


def _pair(structure, arrays, where, options, function):
    """A call over two arrays that makes structs of their elements."""
    accuracy = options.get("accuracy")
    if options.get("exact") or accuracy not in (None, "fast"):
        raise ValueError(f"{function.__name__} has no exact or reproducible form: omit {'exact' if options.get('exact') else 'accuracy'}")
    name = structure[0]
    call = _engine.Call(arrays, options, function)
    call.fields.update(op="custom", commutative=1, combine=f"{name}_join(a, b)", identity=f"{name}_none()", map=f"{name}_of(x, y)",
                       structure=structure)
    if call.fields.pop("nan", 0):
        floats = [f"!isnan({letter})" for letter, array in zip("xy", call.arrays) if _types.is_float(array.type)]
        where = " && ".join([*([f"({where})"] if isinstance(where, str) else []), *floats]) if floats and not hasattr(where, "shape") else where
        if floats and hasattr(where, "shape"):
            raise ValueError("nan=\"ignore\" and where as an array: give one of them, or where as an expression")
    call.take_where(where)
    return call


def _mean_type(kind, weight):
    """The type of a weighted mean, NumPy's: the narrowest float that holds elements and weights, float64 for integers."""
    held = {"bool": 0, "i8": 1, "u8": 1, "i16": 2, "u16": 2}.get(weight, 4) if not _types.is_float(weight) else 0
    if not _types.is_float(kind) or held == 4 or "f64" in (kind, weight):
        return "f64"
    return kind if held < 2 and weight == kind or not _types.is_float(weight) and held < _types.ITEM_BYTES[kind] else "f32"


def _along(weights, shape, axis):
    """Weights that have the shape of the axes that are reduced, in the order in which they are given, seen in the array's shape."""
    axes = () if axis is None else [a % len(shape) for a in (axis if isinstance(axis, (tuple, list)) else (axis,))]
    if weights.shape == shape or not axes or weights.shape != tuple(shape[a] for a in axes):
        return weights
    strides = tuple(weights.strides[axes.index(a)] if a in axes else 0 for a in range(len(shape)))
    return _jitreduce.Array.at(weights, weights.type, shape, strides, weights.address, True, *weights.device, weights.stream)


@documented(weights="how much each element counts: an array of the same shape, or of that of the axes that are reduced; default: all alike, as mean",
            axis="axis to reduce: a number, or a tuple of several; None (default): all elements")
def average(x, /, axis=None, weights=None, *more, keepdims=False, where=None, out=None, **options):
    """The weighted mean: the sum of the products of elements and weights, divided by the sum of the weights, in one pass.

    Products and sums are float64; the result has the type of float arrays, and is float64 for integers. Weights whose sum is 0 give NaN.

    >>> jitreduce.average(array.array("d", [3, 1, 4]), weights=array.array("d", [1, 0, 3]))
    3.75
    """
    if more:
        _documented.refuse(average, more)
    if weights is None:
        return _functions.mean(x, axis, keepdims=keepdims, where=where, out=out, **options)
    call = _pair(WEIGHTED, (x, weights), where, options, average)
    if call.arrays[1].shape != call.shape and _layout.axes_of(axis, len(call.shape)):
        call.arrays[1] = _along(call.arrays[1], call.shape, axis)
    call.fields.update(finish="a.sum / a.weight", result=_mean_type(*[array.type for array in call.arrays[:2]]))
    return _engine.reduce(call, axis, keepdims, out)[0]


def _finished(x, y, finish, reduction, options, function):
    """A number of the moments of two arrays, along axes."""
    axis, correction, keepdims, where, out, more = reduction
    if more:
        _documented.refuse(function, more)
    call = _pair(MOMENTS, (x, y), where, options, function)
    call.fields.update(finish=finish, result="f64")
    if correction is not None:
        call.fields["parameters"] = (*call.fields.get("parameters", ()), ("correction", ("f64", correction)))
    return _engine.reduce(call, axis, keepdims, out)[0]


@documented(correction="subtracted from the count in the divisor; default: 1")
def covariance(x, y, /, axis=None, *more, correction=1.0, keepdims=False, where=None, out=None, **options):
    """The covariance of two arrays, in one pass: the sum of the products of distances from the means, divided by the count minus
    `correction`. float64; NaN where the divisor is not above 0.

    >>> jitreduce.covariance(array.array("d", [1, 2, 3]), array.array("d", [1, 5, 6]))
    2.5
    """
    finish = "a.n > correction ? a.xy / (a.n - correction) : NAN"
    return _finished(x, y, finish, (axis, correction, keepdims, where, out, more), options, covariance)


@documented()
def correlation(x, y, /, axis=None, *more, keepdims=False, where=None, out=None, **options):
    """Pearson's correlation coefficient of two arrays, in one pass. float64; NaN where one of them does not vary.

    >>> round(jitreduce.correlation(array.array("d", [1, 2, 3]), array.array("d", [1, 5, 6])), 6)
    0.944911
    """
    return _finished(x, y, "a.xy / (sqrt(a.xx) * sqrt(a.yy))", (axis, None, keepdims, where, out, more), options, correlation)


def _moments(x, y, where, options, function):
    """(count, mean of x, mean of y, sums of xx, xy, yy), of two arrays of one dimension. Waits."""
    import struct  # pylint: disable=import-outside-toplevel

    call = _pair(MOMENTS, (x, y), where, options, function)
    if len(call.shape) != 1:
        raise ValueError(f"{function.__name__} takes two arrays of one dimension, not of shape {call.shape}: jitreduce.covariance and "
                         "jitreduce.correlation take axes")
    spec = call.spec()
    call.order((0,))
    if call.on_device:
        for array in call.arrays:
            _device.order_streams(call.owner, array.stream, call.stream)
        found = _device.plan_of(call.context, spec).value(tuple(call.arrays), call.stream)
    else:
        (found,) = _jitreduce.reduce(call.context, spec, tuple(call.arrays))
    return struct.unpack_from("6d", found)


def _matrix(a, b, c):
    """[[a, b], [b, c]], of NumPy where it is loaded."""
    numpy = sys.modules.get("numpy")
    return ((a, b), (b, c)) if numpy is None else numpy.array([[a, b], [b, c]])


@documented(without=("value",), correction="subtracted from the count in the divisor; default: 1")
def cov(x, y, /, *, correction=1.0, where=None, **options):
    """The matrix of covariances of two arrays of one dimension, as NumPy's cov(x, y), in one pass. For arrays on a GPU the call waits.

    >>> jitreduce.cov(numpy.array([1.0, 2, 3]), numpy.array([1.0, 5, 6]))
    array([[1. , 2.5],
           [2.5, 7. ]])
    """
    n, _, _, xx, xy, yy = _moments(x, y, where, options, cov)
    left = n - correction
    return _matrix(*(one / left if left > 0 else math.nan for one in (xx, xy, yy)))


@documented(without=("value",))
def corrcoef(x, y, /, *, where=None, **options):
    """The matrix of correlation coefficients of two arrays of one dimension, as NumPy's corrcoef(x, y), in one pass. For arrays on a GPU the
    call waits.

    >>> jitreduce.corrcoef(numpy.array([1.0, 2, 3]), numpy.array([1.0, 5, 6])).round(6)
    array([[1.      , 0.944911],
           [0.944911, 1.      ]])
    """
    _, _, _, xx, xy, yy = _moments(x, y, where, options, corrcoef)
    both = math.sqrt(xx) * math.sqrt(yy)
    r = max(-1.0, min(1.0, xy / both)) if both > 0 and math.isfinite(xy) else math.nan
    return _matrix(xx / xx if xx > 0 else math.nan, r, yy / yy if yy > 0 else math.nan)


#: Those whose calls are replayed.
REPLAYED = ("nansum", "nanprod", "nanmin", "nanmax", "nanargmin", "nanargmax", "nanmean", "nanvar", "nanstd", "count", "average", "covariance",
            "correlation")
ALL = (*REPLAYED, "ptp", "cov", "corrcoef")
