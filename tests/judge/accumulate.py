"""NumPy as the judge of scans: what every place of an array must have, along its last axis, and how far it may be off."""

import numpy as np

import data
import oracle
from jitreduce import FLOATS

LONG = oracle.LONG
FLAGS = {"any": np.logical_or, "all": np.logical_and}
FIRST = ("argmin", "argmax")
OPS = [op for op in oracle.JUDGED if op not in ("var", "std", "dot")]


def extrema(op, x):
    """NumPy does not tell -0 from +0; -0 is the lesser."""
    value = {"min": np.minimum, "max": np.maximum}[op].accumulate(x, -1)
    if x.dtype.kind != "f":
        return value
    seen = np.logical_or.accumulate((x == 0) & (np.signbit(x) == (op == "min")), -1)
    zero = np.where(seen == (op == "min"), x.dtype.type(-0.0), x.dtype.type(0.0))
    return np.where(value == 0, zero, value)


def places(op, x):
    """The place of the first NaN, else of the first extremum: the last place that was better than all before it."""
    best = {"argmin": np.minimum, "argmax": np.maximum}[op].accumulate(x, -1)
    before, own = best[..., :-1], x[..., 1:]
    better = np.ones(x.shape, bool)
    better[..., 1:] = ((own < before) if op == "argmin" else (own > before)) | ((own != own) & (before == before))
    return np.maximum.accumulate(np.where(better, np.arange(x.shape[-1]), 0), -1)


def exact(op, kind, x):
    """What is not rounded, or once; None for the others."""
    if op in ("min", "max"):
        return extrema(op, x)
    if op in FIRST:
        return places(op, x)
    if op in oracle.BITWISE:
        return oracle.BITWISE[op].accumulate(x, -1)
    if op in FLAGS:
        return FLAGS[op].accumulate(x != 0, -1)
    if op == "count_nonzero":
        return np.add.accumulate(x != 0, -1, np.uint64)
    if op == "norminf":
        return np.maximum.accumulate(np.abs(x.astype(LONG)), -1).astype(np.float64)
    if kind in FLOATS or op not in ("sum", "prod", "mean"):
        return None
    if op == "mean":
        return (np.add.accumulate(x.astype(object), -1) / np.arange(1, x.shape[-1] + 1)).astype(np.float64)
    dtype = np.int64 if kind in oracle.SIGNED else np.uint64
    return (np.add if op == "sum" else np.multiply).accumulate(x, -1, dtype)


def spans(wide):
    """How far the finite elements up to each place lie apart."""
    finite = np.isfinite(wide)
    highest = np.maximum.accumulate(np.where(finite, wide, -np.inf), -1)
    lowest = np.minimum.accumulate(np.where(finite, wide, np.inf), -1)
    return np.maximum(highest - lowest, 0)


def rounded(op, kind, x):
    """Values in long doubles, and bounds as of oracle.rounded."""
    wide, n, unit = x.astype(LONG), np.arange(1, x.shape[-1] + 1), oracle.UNIT[kind]
    gamma, tiny = oracle.gamma(unit, x.shape[-1]), oracle.TINY[kind]
    if op == "prod":
        value = np.multiply.accumulate(wide, -1)
        return value, (n + 1) * unit * np.abs(value)
    if op == "logsumexp":
        value = np.logaddexp.accumulate(wide, -1)
        return value, oracle.gamma(8 * unit, x.shape[-1]) + unit * (4 * np.abs(value) + 2 * spans(wide))
    if op == "norm2":
        value = np.sqrt(np.add.accumulate(wide * wide, -1))
        return value, (gamma + 4 * unit) * value + tiny
    terms = {"sum": wide, "mean": wide, "norm1": np.abs(wide), "sumsq": wide * wide}[op]
    size = np.add.accumulate(np.abs(terms), -1)
    if op == "mean":
        return np.add.accumulate(terms, -1) / n, gamma * size / n + tiny
    own = 3 * unit * size + tiny * n if op != "sum" else 0
    return np.add.accumulate(terms, -1), gamma * size + own


def scanned(op, kind, x, exclusive=False, initial=None):
    """Values and slack at every place along the last axis of x (as NumPy computes with it); slack None: exact."""
    shape = (*x.shape[:-1], 1)
    if initial is not None:
        x = np.concatenate([np.full(shape, initial, x.dtype), x], -1)
    value, slack = exact(op, kind, x), None
    if value is None:
        value, slack = rounded(op, oracle.result_type(op, kind), x)
    if initial is not None:
        return (value[..., :-1] if exclusive else value[..., 1:]), None
    if not exclusive or x.shape[-1] == 0:
        return value, slack
    nothing = np.full(shape, oracle.judge(op, kind, [data.as_kind(kind, np.zeros(0))]).value).astype(value.dtype)
    if slack is not None:
        slack = np.concatenate([np.zeros(shape), slack[..., :-1]], -1)
    return np.concatenate([nothing, value[..., :-1]], -1), slack


def same(got, wanted, slack):
    """Are two arrays the same, NaNs, infinities and, where nothing is rounded, the signs of zeros included?"""
    both_nan = (got != got) & (wanted != wanted)
    if slack is None:
        signs = np.signbit(got) == np.signbit(wanted) if got.dtype.kind == "f" else True
        return (both_nan | ((got == wanted) & signs)).all()
    with np.errstate(invalid="ignore"):
        near = np.abs(got.astype(LONG) - wanted.astype(LONG)) <= slack
    return (near | (got == wanted) | both_nan).all()
