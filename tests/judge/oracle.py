"""NumPy and SciPy as judges: what an operator returns of arrays, and how far a float result may be from that."""

import numpy as np

from jitreduce import FLOATS, numbers

try:
    from scipy.special import logsumexp
except ImportError:
    logsumexp = None

LONG = np.longdouble  # 64 bits of fraction: all integers, and sums far better than f64's
UNIT = {"f32": 2.0**-24, "f64": 2.0**-53}
TINY = {"f32": 2.0**-149, "f64": 2.0**-1074}
SIGNED = ("i8", "i16", "i32", "i64")
BITWISE = {"and": np.bitwise_and, "or": np.bitwise_or, "xor": np.bitwise_xor}
NEEDS_ELEMENTS = ("min", "max", "argmin", "argmax")
NORMS = ("norm1", "norm2", "norminf", "sumsq", "dot", "logsumexp")
# What is judged here; the judge reports that it skips every other operator.
JUDGED = (*NEEDS_ELEMENTS, *BITWISE, *NORMS, "sum", "prod", "any", "all", "count_nonzero", "mean", "var", "std")


def result_type(op, kind):
    """By the table of README."""
    if op in ("sum", "prod") and kind not in FLOATS:
        return "i64" if kind in SIGNED else "u64"
    if op in ("any", "all"):
        return "bool"
    if op in ("min", "max", "and", "or", "xor"):
        return kind
    if op == "count_nonzero":
        return "u64"
    if op in ("argmin", "argmax"):
        return "i64"
    return "f32" if kind in FLOATS and kind != "f64" else "f64"


def takes(op, kind):
    return op in JUDGED and not (op in BITWISE and kind in FLOATS) and not (op == "logsumexp" and logsumexp is None)


class Expected:
    """value: a number, or None where there must be an error; tolerance: 0 is exact, to the sign of a zero."""

    def __init__(self, value, tolerance=0.0):
        self.value, self.tolerance = value, tolerance

    def agrees(self, got):
        if self.value is None or got is None:
            return self.value is None and got is None
        wanted, got = LONG(self.value), LONG(got)
        if np.isnan(wanted) or np.isnan(got):
            return bool(np.isnan(wanted) and np.isnan(got))
        if np.isinf(wanted) or np.isinf(got) or self.tolerance == 0:
            return bool(wanted == got and np.signbit(wanted) == np.signbit(got))
        return bool(abs(wanted - got) <= self.tolerance)


def extremum(op, x):
    """NumPy does not tell -0 from +0; -0 is the lesser."""
    value = (np.min if op == "min" else np.max)(x)
    if value == 0 and x.dtype.kind == "f":
        negative = np.signbit(x[x == 0])
        return -0.0 if (negative.any() if op == "min" else negative.all()) else 0.0
    return value


def exact(op, kind, x):
    """Integers, extrema, indexes, flags, counts."""
    if op in NEEDS_ELEMENTS and x.size == 0:
        return None
    if op in ("min", "max"):
        return extremum(op, x)
    if op in BITWISE:
        identity = ~x.dtype.type(0) if op == "and" else x.dtype.type(0)
        return BITWISE[op].reduce(x) if x.size else identity
    if op in ("sum", "prod"):
        return getattr(np, op)(x, dtype=np.int64 if kind in SIGNED else np.uint64)
    if op == "mean":
        return int(x.astype(object).sum()) / x.size if x.size else np.nan  # rounded once
    if op == "norminf":
        return np.float64(np.max(np.abs(x.astype(LONG)), initial=0))
    return getattr(np, op)(x)


def added(kind, terms, unit, own=0.0):
    """A sum: gamma(depth) times the sum of sizes (N. Higham, "Accuracy and Stability of Numerical Algorithms", 4.2)."""
    size = np.abs(terms).sum()
    return Expected(terms.sum(), gamma(unit, terms.size) * size + own * size + TINY[kind] * terms.size)


def gamma(unit, count):
    steps = (128 + count / 1024) * unit
    return steps / (1 - steps)


def moments(op, x, ddof, kind):
    """Bound as in tests/support/oracle/reference_sums.c."""
    variance, divisor = np.var(x, ddof=ddof), max(x.size - ddof, 0)
    squares = variance * divisor
    g = gamma(8 * UNIT["f64"], x.size)
    size = np.sqrt((x * x).sum())
    slack = (2 * g * size * np.sqrt(squares) + (g * size) ** 2) / divisor if squares else 0
    if op == "var":
        return Expected(variance, slack + 2 * UNIT[kind] * variance + TINY[kind])
    return Expected(np.sqrt(variance), (slack / np.sqrt(variance) if squares else 0) +
                    2 * UNIT[kind] * np.sqrt(variance) + TINY[kind])


def log_of_sum(x, kind):
    value = logsumexp(x) if x.size else -np.inf
    finite = x[np.isfinite(x)]
    span = np.ptp(finite) if finite.size else 0
    return Expected(value, gamma(8 * UNIT[kind], x.size) + UNIT[kind] * (4 * abs(value) + 2 * span))


def rounded(op, kind, x, ddof):
    """Float results; x is of long doubles, kind the type in which the operator adds up."""
    if op == "prod":
        return Expected(np.prod(x), (x.size + 1) * UNIT[kind] * abs(np.prod(x)))
    if op == "mean":
        if x.size == 0:
            return Expected(np.nan)
        sizes = gamma(UNIT["f64"], x.size) * np.abs(x).mean()
        return Expected(x.mean(), sizes + 2 * UNIT[kind] * abs(x.mean()) + TINY[kind])
    if op in ("var", "std"):
        return moments(op, x, ddof, kind) if x.size else Expected(np.nan)
    if op == "logsumexp":
        return log_of_sum(x, kind)
    if op == "norm2":
        norm = np.linalg.norm(x)
        return Expected(norm, (gamma(UNIT["f64"], x.size) + 4 * UNIT[kind]) * norm + TINY[kind])
    terms = {"sum": lambda: x, "dot": lambda: x, "norm1": lambda: np.abs(x), "sumsq": lambda: x * x}[op]()
    return added(kind, terms, UNIT[kind], 0.0 if op == "sum" else 3 * UNIT[kind])


def judge(op, kind, arrays, nan="propagate", ddof=0):
    """What the operator must give of arrays of a type."""
    x = [numbers(kind, array) for array in arrays]
    if op in ("argmin", "argmax") and nan == "ignore" and x[0].size and not np.isnan(x[0]).all():
        return Expected(getattr(np, "nan" + op)(x[0]))
    if op in ("min", "max") and nan == "ignore" and x[0].size and np.isnan(x[0]).all():
        return Expected(np.nan)
    wide = x[0].astype(LONG) * (x[1].astype(LONG) if op == "dot" else LONG(1))
    if nan == "ignore" and kind in FLOATS:
        wide, x = wide[~np.isnan(wide)], [x[0][~np.isnan(x[0])]] if op != "dot" else x
    floats = kind in FLOATS
    if op in ("var", "std", *NORMS, *(("sum", "prod", "mean") if floats else ())) and op != "norminf":
        return rounded(op, result_type(op, kind), wide, ddof)
    return Expected(exact(op, kind, x[0]))
