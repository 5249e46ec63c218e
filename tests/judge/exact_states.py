"""Kept states of exact sums, read by the description of their format alone, and sums that are hard to get right."""

import hashlib
import math
import struct
from fractions import Fraction

import numpy as np

from data import is_whole
from exact import EXACT, FORMATS, exact_sum, expected, families, is_taken, products, rounded, same
from exact_hard import anderson, dot_of_condition, sum_of_condition
from jitreduce import TYPES, numbers


def read_state(data):
    """A kept state by the description of its format alone (jitreduce/state.h): its sums, and both its counts. A sum
    is a fraction, or the number that it is."""
    assert data[:8] == b"JREXACT\n" and hashlib.sha256(data[:-32]).digest() == data[-32:]
    version, _, size, elements, kept = struct.unpack_from("<HHIQQ", data, 8)
    assert version == 1 and size == len(data)
    sums, at = [], 80
    for _ in range(data[46]):
        what, negative, count, exponent = struct.unpack_from("<BBHi", data, at)
        whole_number = int.from_bytes(data[at + 8:at + 8 + count], "little") * (-1 if negative else 1)
        sums.append(Fraction(whole_number) * Fraction(2) ** exponent if what == 1 else
                    {0: None, 2: -0.0, 3: math.inf, 4: -math.inf, 5: math.nan}[what])
        at += 8 + count
    assert at == len(data) - 32
    return sums, elements, kept


def judge_states(library, score, full):
    """Kept states: their sums are those of fractions, whatever parts they were added from, and the bytes of one cut are
    those of another."""
    for kind in FORMATS if full or is_whole() else ("bf16", "f64"):
        rng = np.random.default_rng([19, TYPES[kind]])
        for n, (name, x) in enumerate(families(kind, 700, rng)):
            double = numbers(kind, x).astype(np.float64)
            cuts = np.sort(rng.integers(0, len(x) + 1, 3)).tolist()
            edges = list(zip([0] + cuts, cuts + [len(x)]))
            for turn, op in enumerate(("sum", "sumsq", "var"), n):
                if not is_taken(turn, full):
                    continue
                data, value = library.kept_state(library.spec(op, kind, accuracy=EXACT, result=kind), [x], edges[::-1])
                again, _ = library.kept_state(library.spec(op, kind, accuracy=EXACT), [x], [(0, len(x))])
                sums, elements, kept = read_state(data)
                right = data == again and elements == kept == len(x)
                if np.isfinite(double).all():
                    wanted = {"sum": [exact_sum(double)], "sumsq": [products(double, double)],
                              "var": [exact_sum(double), products(double, double)]}[op]
                    right &= sums == wanted
                    right &= op != "sum" or same(float(value), expected("sum", kind, double))
                else:
                    right &= all(not isinstance(s, Fraction) for s in sums)
                score.note(f"kept state of {op} {kind} {name}", right, f"its sums are {sums}, its value {value!r}")


def judge_hard(library, score, full):
    """Sums and dot products whose condition is known to be bad, by fractions and math.fsum. Python's math.sumprod (3.12) is
    no judge of them: it keeps about three doubles, and from a condition of 1e32 on its last bits are not the right ones."""
    rng = np.random.default_rng(29)
    for count in (6, 100, 1001) + ((100003,) if full else ()):
        for power in (8, 16, 32, 64, 100):
            x, y, reached = dot_of_condition(count, 10.0 ** power, rng)
            if count >= 100:  # fewer do not come so far
                score.note(f"a dot product of condition 1e{power}", reached > 10.0 ** (power - 6), f"it has {reached:.1e}")
            got = float(library.reduce(library.spec("dot", "f64", accuracy=EXACT, input_count=2), x, y))
            wanted = rounded(products(x, y), "f64")
            score.note(f"exact dot of condition 1e{power} x {count}", same(got, wanted), f"got {got!r}, wanted {wanted!r}")
            terms = sum_of_condition(x, y)
            got = float(library.reduce(library.spec("sum", "f64", accuracy=EXACT), terms))
            score.note(f"exact sum of condition 1e{power} x {2 * count}", same(got, math.fsum(terms)) and same(got, wanted),
                       f"got {got!r}, wanted {wanted!r}")
    for name, x in (("Anderson's", anderson(1000, rng)), ("alternating", np.tile([1e308, -1e308], 500)),
                    ("alternating and a little", np.append(np.tile([1e308, -1e308], 500), 1e-300))):
        got = float(library.reduce(library.spec("sum", "f64", accuracy=EXACT), x))
        score.note(f"exact sum, {name}", same(got, math.fsum(x)), f"got {got!r}, fsum gives {math.fsum(x)!r}")
