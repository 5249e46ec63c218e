"""Reductions of runs of equal neighbouring keys, each judged as NumPy reduces the run by itself."""

import numpy as np

import data
import oracle
from jitreduce import DTYPES, FLOATS, TYPES, numbers
from shapes import axis_data, judge_pieces

OPERATORS = [op for op in oracle.JUDGED if op != "dot"]


def key_data(kind, count, mean, rng):
    """Keys that change once in `mean` elements; of floats some are NaN, and zeros have any sign."""
    if kind == "bool":
        return (np.cumsum(rng.integers(0, mean, count) == 0) % 2).astype(DTYPES[kind])
    levels = np.cumsum(rng.integers(0, mean, count) == 0) % 3
    if kind not in FLOATS:
        return levels.astype(DTYPES[kind]) * np.array(37, DTYPES[kind])
    keys = np.where(levels == 0, rng.choice([0.0, -0.0], count), levels * 1.5)
    keys[rng.integers(0, 50, count) == 0] = np.nan
    return data.as_kind(kind, keys)


def heads_of(kind, keys):
    """Where runs begin: by !=, as a NaN differs from a NaN."""
    x = numbers(kind, keys)
    return np.concatenate([[0], np.flatnonzero(x[1:] != x[:-1]) + 1])


def judge_pair(library, score, op, kind, key_kind, mean):
    """One operator over one type by keys of one type; results, keys and count."""
    rng = np.random.default_rng([len(op), TYPES[kind], TYPES[key_kind], mean])
    count = 3001 if mean < 100 else 20011
    x, keys = axis_data(op, kind, count, rng), key_data(key_kind, count, mean, rng)
    heads = heads_of(key_kind, keys)
    got, found = library.reduce_runs(op, kind, x, key_kind, keys)
    name = f"{op} {kind} of runs of {key_kind}, mean {mean}"
    same = found.size == heads.size and found.tobytes() == keys[heads].tobytes()
    score.note(name + ": keys", same, f"{found.size} runs, NumPy has {heads.size}")
    if not same:
        return
    if op in ("argmin", "argmax"):
        got = got - heads  # indices are those of the whole input
    judge_pieces(score, name, op, kind, np.split(x, heads[1:]), got)
    if op == "sum" and kind in ("i32", "u8"):
        wanted = np.add.reduceat(x, heads, dtype=got.dtype)
        score.note(name + ": reduceat", bool((wanted == got).all()), f"got {got}, NumPy has {wanted}")


def judge_runs(library, score, full):
    """Operators over types by i32; types of keys; lengths from 1 on."""
    kinds = tuple(TYPES) if full else ("i8", "u16", "i32", "f16", "bf16", "f64", "bool")
    operators = OPERATORS if full else ("sum", "min", "argmax", "mean", "std", "norm2", "any", "xor")
    for turn, op in enumerate(operators):
        for place, kind in enumerate(kinds):
            chosen = full or place == 3 * turn % 7 or data.is_whole() and place % 5 == len(op) % 5  # xor is with i8
            if chosen and oracle.takes(op, kind):
                judge_pair(library, score, op, kind, "i32", 4)
    for key_kind in TYPES:
        if not full and not data.is_whole() and TYPES[key_kind] % 2:
            continue  # tests/device/test_runs.c has these
        judge_pair(library, score, "sum", "u8" if key_kind in FLOATS else "f32", key_kind, 3)
    for mean in (1, 2, 64, 4096, 10**6):
        judge_pair(library, score, "sum", "i32", "i64", mean)
