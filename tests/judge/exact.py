"""Exact reductions, held against Python's integers and fractions: every bit must be theirs."""

import math
import os
import struct
from fractions import Fraction

import numpy as np

import exact_bits
from data import is_whole
from jitreduce import ALGORITHMS, H, OPS, TYPES, Error, Library, float_to_bf16, numbers

EXACT = H.constants["JR_ACCURACY_EXACT"]
UNIT = 2200  # whole multiples of 2^-UNIT hold all squares of doubles
FORMATS = {"f16": (11, -14, 16), "bf16": (8, -126, 128), "f32": (24, -126, 128), "f64": (53, -1022, 1024)}
NUMPY = {"f16": np.float16, "f32": np.float32, "f64": np.float64}
UNSIGNED = {"f32": (np.uint32, 23, 254), "f64": (np.uint64, 52, 2046), "f16": (np.uint16, 10, 30), "bf16": (np.uint16, 7, 254)}


def rounded(exact, kind):
    """A fraction as the nearest number of a type, of two the even one."""
    precision, least, most = FORMATS[kind]
    if exact == 0:
        return 0.0
    size = abs(exact)
    exponent = size.numerator.bit_length() - size.denominator.bit_length()
    exponent -= Fraction(2) ** exponent > size
    step = Fraction(2) ** (max(exponent, least) - precision + 1)
    near = round(size / step) * step  # Python's round of a half is even
    sign = -1 if exact < 0 else 1
    return sign * math.inf if near >= Fraction(2) ** most else sign * float(near)


def whole(x):
    """The integers that finite numbers are multiples of 2^-UNIT by: their sum."""
    total = 0
    fraction, exponent = np.frexp(x)
    bits = np.ldexp(fraction, 53).astype(np.int64)
    for e in np.unique(exponent):
        of = bits[exponent == e]
        low, high = int((of & 0xffffff).sum()), int((of >> 24).sum())
        total += (low + (high << 24)) << (int(e) - 53 + UNIT)
    return total


def exact_sum(terms):
    return Fraction(whole(terms), 2 ** UNIT)


def products(x, y):
    """The sum of products of finite numbers, as whole multiples of 2^-UNIT."""
    total = 0
    for a, b in zip(x.tolist(), y.tolist()):
        (above, below), (other, under) = a.as_integer_ratio(), b.as_integer_ratio()
        total += above * other << UNIT - (below.bit_length() + under.bit_length() - 2)
    return Fraction(total, 2 ** UNIT)


def root(exact):
    """A fraction from which rounding gives what it gives of the root."""
    by = 4400
    square = exact.numerator * exact.denominator << (2 * by)
    found = math.isqrt(square)
    return Fraction(2 * found + (found * found != square), exact.denominator << (by + 1))


def special(terms):
    """What a sum of terms is that are not all finite; None if all are."""
    if np.isfinite(terms).all():
        return None
    return float(np.nan if np.isnan(terms).any() or (np.isposinf(terms).any() and np.isneginf(terms).any())
                 else np.inf if np.isposinf(terms).any() else -np.inf)


def expected(op, kind, x, y=None):
    """What exact arithmetic gives, rounded once to a type. x, y: doubles."""
    with np.errstate(all="ignore"):
        terms = {"sum": lambda: x, "mean": lambda: x, "norm1": lambda: np.abs(x), "dot": lambda: x * y}.get(
            op, lambda: np.abs(x))()
    odd = special(np.where(np.isfinite(x) & np.isfinite(x if y is None else y), 0, terms))
    if op == "mean" and len(x) == 0:
        return math.nan
    if odd is not None:
        return odd
    if op in ("sum", "mean") and len(x) and not (x != 0).any() and np.signbit(x).all():
        return -0.0
    if op == "dot" and len(x) and all(a * b == 0 and (math.copysign(1, a) * math.copysign(1, b)) < 0 and
                                      (a == 0 or b == 0) for a, b in zip(x.tolist(), y.tolist())):
        return -0.0
    if op in ("sumsq", "norm2"):
        exact = products(x, x)
        return rounded(root(exact) if op == "norm2" and exact else exact, kind)
    if op == "dot":
        return rounded(products(x, y), kind)
    exact = exact_sum(terms)
    return rounded(exact / len(x) if op == "mean" else exact, kind)


def expected_variance(op, kind, x, ddof):
    """The same of var and std of finite numbers."""
    n, total, squares = len(x), exact_sum(x), products(x, x)
    if n <= ddof:
        return math.nan if n * squares == total ** 2 else math.inf
    exact = (n * squares - total ** 2) / (n * (n - ddof))
    return rounded(root(exact) if op == "std" and exact else exact, kind)


def same(got, wanted):
    if math.isnan(wanted):
        return math.isnan(got)
    return struct.pack("<d", got) == struct.pack("<d", wanted)


def pattern(kind, field, rng, count):
    """Floats of given exponent fields, random signs and fractions, as they lie in memory."""
    unsigned, fraction, _ = UNSIGNED[kind]
    bits = rng.integers(0, 2 ** fraction, count).astype(unsigned) | (field.astype(unsigned) << unsigned(fraction))
    bits |= rng.integers(0, 2, count).astype(unsigned) << unsigned(8 * bits.itemsize - 1)
    return bits if kind == "bf16" else bits.view(NUMPY[kind])


def of_numbers(kind, x):
    with np.errstate(over="ignore"):
        return float_to_bf16(x) if kind == "bf16" else np.asarray(x).astype(NUMPY[kind])


def families(kind, count, rng):
    """(name, array): benign and hostile data."""
    most = UNSIGNED[kind][2]
    full = pattern(kind, rng.integers(1, most + 1, count), rng, count)
    half = full[:count // 2]
    negated = of_numbers(kind, -numbers(kind, half).astype(np.float64))
    mixed = np.concatenate([half, negated[::-1]])
    yield "uniform", of_numbers(kind, rng.random(count))
    yield "normal", of_numbers(kind, rng.standard_normal(count))
    yield "of all sizes", full
    yield "sorted", full[np.argsort(numbers(kind, full))]
    yield "cancelling", np.concatenate([mixed, of_numbers(kind, [1.5])])
    yield "cancelling to 0", rng.permutation(mixed)
    yield "subnormal", pattern(kind, np.zeros(count, int), rng, count)
    yield "greatest and back", rng.permutation(np.concatenate([pattern(kind, np.full(count, most), rng, count)]))
    yield "ties", of_numbers(kind, np.where(np.arange(count) == count // 2, 1.0,
                                            2.0 ** -FORMATS[kind][0] / max(1, count - 1)))
    yield "-0", of_numbers(kind, np.full(count, -0.0))
    yield "-0 and 0", of_numbers(kind, np.where(np.arange(count) == count - 1, 0.0, -0.0))
    for name, odd in (("inf", [np.inf]), ("-inf", [-np.inf]), ("both inf", [np.inf, -np.inf]), ("NaN", [np.nan])):
        yield "with " + name, np.concatenate([full, of_numbers(kind, odd)])


def is_taken(turn, full):
    """Of a sample every other one."""
    return full or is_whole() or turn % 2 == 0


def judge_spec(library, score, name, op, kind, result, arrays, doubles, **more):
    try:
        got = library.reduce(library.spec(op, kind, accuracy=EXACT, result=result, **more), *arrays)
    except Error as error:
        if error.status == "JR_ERROR_NOT_APPLICABLE":
            score.not_applicable += 1
            return
        raise
    wanted = expected(op, result, *doubles)
    score.note(f"exact {op} {kind} to {result} {name} x {len(arrays[0])} {more}", same(float(got), wanted),
               f"got {got!r}, exact arithmetic gives {wanted!r}")


def judge_family(library, score, op, kind, name, array, tunings, n):
    """One operator over one array: into its own type, and into another by another tuning; a sample takes a quarter of these."""
    double = numbers(kind, array).astype(np.float64)
    arrays, doubles = ([array, array[::-1].copy()], [double, double[::-1]]) if op == "dot" else ([array], [double])
    judge_spec(library, score, name, op, kind, kind, arrays, doubles)
    if len(tunings) == 1 and not is_whole() and (OPS[op] + TYPES[kind]) % 4:
        return
    other = {"f16": "f32", "bf16": "f64", "f32": "f16", "f64": "f32"}[kind]
    judge_spec(library, score, name, op, kind, other, arrays, doubles, **tunings[n % len(tunings)])


def judge_flat(library, score, sizes, tunings):
    """Every operator and type of floats; a sample has half of the pairs, and of each half of the families of each size."""
    for kind in FORMATS:
        rng = np.random.default_rng([7, TYPES[kind]])
        for count in sizes:
            for n, (name, x) in enumerate(families(kind, count, rng)):
                begin = int(rng.integers(0, 4)) if len(x) > 8 else 0
                ops = ("sum", "mean", "norm1", "sumsq", "norm2", "dot") if count <= 2000 else ("sum", "mean")
                for turn, op in enumerate(ops, n + sizes.index(count)):
                    full = len(tunings) > 1
                    if is_taken(turn, full) and is_taken(ops.index(op) + TYPES[kind] // 2, full):
                        judge_family(library, score, op, kind, name, x[begin:], tunings, n)


def judge_integers(library, score):
    """Sums of integers that come out as floats, and dot products of unlike types."""
    rng = np.random.default_rng(3)
    for turn, (kind, dtype) in enumerate((("i32", np.int32), ("u8", np.uint8), ("i64", np.int64), ("u64", np.uint64))):
        limits = np.iinfo(dtype)
        x = rng.integers(limits.min, limits.max, 777, dtype, endpoint=True)
        whole_numbers = [int(v) for v in x]
        for place, (op, exact) in enumerate((("sum", sum(whole_numbers)), ("norm1", sum(map(abs, whole_numbers))),
                          ("sumsq", sum(v * v for v in whole_numbers)))):
            for result in ("f32", "f64") if is_whole() else (("f32", "f64")[(turn // 2 + place) % 2],):
                if not is_taken(turn + place // 2, False):
                    continue
                got = library.reduce(library.spec(op, kind, accuracy=EXACT, result=result), x)
                wanted = rounded(Fraction(exact), result)
                score.note(f"exact {op} {kind} to {result}", same(float(got), wanted), f"got {got!r}, wanted {wanted!r}")
        if not is_taken(turn, False):
            continue
        y = rng.standard_normal(777).astype(np.float32)
        spec = library.spec("dot", kind, accuracy=EXACT, input_count=2)
        spec.more_types[0] = TYPES["f32"]
        got = library.reduce(spec, x, y)
        wanted = rounded(sum((a * Fraction(b) for a, b in zip(whole_numbers, y.tolist())), Fraction(0)), "f64")
        score.note(f"exact dot {kind} f32", same(float(got), wanted), f"got {got!r}, wanted {wanted!r}")


def judge_variances(library, score, full):
    """var and std, of a sample one over f32 and one over f64; of data with a NaN or infinity they are NaN."""
    for of, kind in enumerate(FORMATS if full else ("f32", "f64")):
        rng = np.random.default_rng([17, TYPES[kind]])
        for place, count in enumerate((1, 2, 33, 700)):
            for turn, (name, x) in enumerate(families(kind, count, rng), place):
                if not is_taken(turn, full):
                    continue
                double = numbers(kind, x).astype(np.float64)
                for op, ddof in (("var", 0), ("std", 1)) if full or is_whole() else ((("var", 0), ("std", 1))[of],):
                    got = library.reduce(library.spec(op, kind, accuracy=EXACT, result=kind, ddof=ddof), x)
                    odd = not np.isfinite(double).all()
                    wanted = math.nan if odd else expected_variance(op, kind, double, ddof)
                    score.note(f"exact {op} {kind} {name} x {len(x)} ddof {ddof}", same(float(got), wanted),
                               f"got {got!r}, exact arithmetic gives {wanted!r}")


def judge_algorithms(library, score, count, kinds, full):
    """One value, whatever the algorithm, tuning, and order; a sample has each algorithm with one tuning over one type."""
    tunings = ({}, {"unroll": 2, "block": 128, "grid": 3})
    for place, kind in enumerate(kinds):
        rng = np.random.default_rng([11, TYPES[kind]])
        x = pattern(kind, rng.integers(0, UNSIGNED[kind][2] + 1, count), rng, count)
        wanted = expected("sum", kind, numbers(kind, x).astype(np.float64))
        for n, algorithm in enumerate(ALGORITHMS):
            if not is_taken(n + place, full):  # of a sample each by one of the types
                continue
            for tuning in tunings if full or is_whole() else tunings[n // 2 % 2:][:1]:
                try:
                    got = library.reduce(library.spec("sum", kind, accuracy=EXACT, result=kind, algorithm=algorithm, capacity=count,
                                                      **tuning), rng.permutation(x))
                except Error as error:
                    if error.status in ("JR_ERROR_NOT_APPLICABLE", "JR_ERROR_LAUNCH_RESOURCES"):
                        score.not_applicable += 1
                        continue
                    raise
                score.note(f"exact sum {kind} by {algorithm} {tuning}", same(float(got), wanted),
                           f"got {got!r}, exact arithmetic gives {wanted!r}")


class Exactly(Library):
    """The same library, of which everything is asked for exactly."""

    def __init__(self, library):  # pylint: disable=super-init-not-called
        self.__dict__ = library.__dict__

    def spec(self, op, type_name, **more):
        return super().spec(op, type_name, accuracy=EXACT, **more)


def judge_results(score, name, op, kind, got, pieces):
    """A result for each piece of the data."""
    wanted = [expected(op, kind, piece.astype(np.float64)) for piece in pieces]
    wrong = [(i, float(g), w) for i, (g, w) in enumerate(zip(np.ravel(got), wanted)) if not same(float(g), w)]
    score.note(f"exact {op} {kind} {name}", len(np.ravel(got)) == len(wanted) and not wrong,
               f"{len(wrong)} of {len(wanted)} results differ, the first (place, got, wanted): {wrong[:1]}")


def judge_layouts(library, score, pairs, full):
    """Segments, columns, runs of keys and scans; a sample has each of them with every other pair."""
    exactly = Exactly(library)
    for place, (op, kind) in enumerate(pairs):
        rng = np.random.default_rng([13, TYPES[kind]])
        table = pattern(kind, rng.integers(0, 200, (61, 37)), rng, (61, 37))
        table[30:] = -table[:31][::-1]
        flat = table.ravel()
        offsets = [0, 0, 1, 5, 40, 1000, 1001, 2000, flat.size]
        pieces = [flat[a:b] for a, b in zip(offsets, offsets[1:])]
        keys = np.repeat(np.arange(8, dtype=np.int32), np.diff(offsets))
        some = flat[:700]
        before = [0, 0, 1, 5, 40, 700]
        layouts = (("along rows", lambda: exactly.reduce_axis(op, kind, table, 1), table),
                   ("along columns", lambda: exactly.reduce_axis(op, kind, table, 0), table.T),
                   ("of segments", lambda: exactly.reduce_segments(op, kind, flat, offsets), pieces),
                   ("scanned", lambda: exactly.scan(op, kind, some, False), [some[:i + 1] for i in range(some.size)]),
                   ("scanned, exclusive", lambda: exactly.scan(op, kind, some, True), [some[:i] for i in range(some.size)]),
                   ("by key", lambda: exactly.reduce_runs(op, kind, flat, "i32", keys)[0], [piece for piece in pieces if piece.size]),
                   ("scanned by segments", lambda: exactly.scan_segments(op, kind, some, offsets=before),
                    [some[max(o for o in before if o <= i):i + 1] for i in range(some.size)]))
        for turn, (name, got, of) in enumerate(layouts, place):
            if is_taken(turn, full):
                judge_results(score, name, op, kind, got(), of)


def judge_bits(score):
    """The table that tests/device/test_exact_bits.c holds every run against."""
    with open(os.path.join(os.path.dirname(__file__), "../support/oracle/exact_bits.inc"), encoding="ascii") as committed:
        score.note("the table of bits", committed.read().splitlines()[1:] == exact_bits.table(), "the table is another")


def judge_exact(library, score, full):
    """All of it; full: larger arrays, more tunings and layouts."""
    tunings = [{}, {"unroll": 3, "block": 128}, {"grid": 5}, {"algorithm": "bulk_copy"},
               {"unroll": 1, "block": 256, "grid": 2}, {"algorithm": "two_pass", "block": 64}]
    pairs = [("sum", "f32"), ("mean", "f64"), ("norm2", "f32"), ("sum", "f64"), ("sumsq", "f64")]
    sizes = (1, 2, 33, 1000, 70001) if full or is_whole() else (1, 33, 6007)
    judge_bits(score)
    judge_flat(library, score, sizes + ((1 << 20, (1 << 24) + 3) if full else ()),
               tunings if full else tunings[:1])
    judge_integers(library, score)
    judge_variances(library, score, full)
    judge_algorithms(library, score, 3001, ("f32", "f64", "f16") if full else ("f32", "f64"), full)
    judge_layouts(library, score, pairs if full else pairs[:2], full)
