"""Arrays to judge by: random, special, signed zeros, extremes, ties, nothing; of every type, from a fixed seed."""

import os

import numpy as np

from jitreduce import BYTE_FLOATS, DTYPES, FLOATS, float_to_bf16, float_to_byte


def is_whole():
    """Is everything to be judged, and not the sample that make check takes?"""
    return os.environ.get("JR_TESTS") == "whole"


def as_kind(kind, x):
    if kind in BYTE_FLOATS:
        return float_to_byte(kind, x)
    return float_to_bf16(x) if kind == "bf16" else x.astype(DTYPES[kind])


def random(op, kind, count, rng):
    """Elements of which no sum or product leaves the type in which it is accumulated."""
    if kind == "bool":
        return rng.random(count) < 0.5
    if kind not in FLOATS:
        info = np.iinfo(DTYPES[kind])
        if op == "logsumexp":
            return rng.integers(max(info.min, -20), 20, count).astype(DTYPES[kind])
        x = rng.integers(info.min, info.max, count, dtype=DTYPES[kind], endpoint=True)
        return x | x.dtype.type(1) if op == "prod" else x
    if op == "prod":
        return as_kind(kind, rng.choice([-1.0, 1.0], count) * (1 + rng.uniform(-1, 1, count) / max(count, 16)))
    return as_kind(kind, rng.normal(size=count) * np.exp2(rng.integers(-6, 6, count)))


def special(op, kind, count, values, rng):
    """Ordinary numbers, of which no product leaves the type, with these sprinkled among them."""
    x = rng.choice([-1.0, 1.0], count) if op == "prod" else rng.normal(size=count)
    places = rng.choice(count, max(1, count // 200), replace=False)
    x[places] = rng.choice(values, places.size)
    return as_kind(kind, x)


# Binary exponents from the least subnormal to where a few thousand squares still have a root in range.
EXPONENTS = {"f16": (-24, 10), "bf16": (-133, 110), "f32": (-149, 110), "f64": (-1074, 1000), "e4m3": (-9, 8),
             "e5m2": (-16, 15)}
NEVER_OVERFLOW = ("min", "max", "argmin", "argmax", "any", "count_nonzero", "norminf", "norm2")


def cases(op, kind, sizes, rng):
    """Yields (name, array)."""
    yield "nothing", as_kind(kind, np.zeros(0))
    for count in sizes:
        yield f"random {count}", random(op, kind, count, rng)
    yield "crooked", random(op, kind, 1004, rng)[3:]
    if kind in FLOATS:
        for name, values in (("NaN", [np.nan]), ("inf", [np.inf]), ("both inf", [np.inf, -np.inf]),
                             ("all", [np.nan, np.inf, -np.inf, 0.0, -0.0])):
            yield "sprinkled " + name, special(op, kind, 3001, values, rng)
        if op in NEVER_OVERFLOW:
            for name, (low, high) in (("every size", EXPONENTS[kind]), ("subnormals", [EXPONENTS[kind][0]] * 2),
                                      ("small", (EXPONENTS[kind][0], -EXPONENTS[kind][1] // 2))):
                exponents = rng.integers(low, high, 2000, endpoint=True)
                yield name, as_kind(kind, np.ldexp(rng.choice([-1.0, 1.0, 1.5], 2000), exponents))
        yield "signed zeros", as_kind(kind, rng.choice([0.0, -0.0], 700))
        yield "minus zeros", as_kind(kind, np.full(65, -0.0))
        yield "NaN alone", as_kind(kind, np.full(40, np.nan))
        yield "inf alone", as_kind(kind, np.full(40, np.inf))
        yield "-inf alone", as_kind(kind, np.full(40, -np.inf))
        yield "ties", as_kind(kind, rng.integers(-2, 3, 5000).astype(float))
    elif kind != "bool":
        info = np.iinfo(DTYPES[kind])
        yield "extremes", rng.choice(np.array([info.min, info.max], DTYPES[kind]), 999)
        yield "ties", rng.integers(0, 3, 5000).astype(DTYPES[kind])
    else:
        yield "false", np.zeros(77, bool)
        yield "true", np.ones(77, bool)
