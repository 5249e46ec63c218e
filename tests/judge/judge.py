"""NumPy judges every operator over every type, through the public ABI of the library.

usage: judge.py LIBJITREDUCE [full [ALGORITHM...]]     full: every algorithm, or those named alone; larger arrays
Prints what failed, and as its last line "N passed, N failed, N skipped".
"""

import sys
import warnings

import numpy as np

import data
import exact
import exact_states
import oracle
import runs
import scan_parts
import scans
import shapes
from jitreduce import ALGORITHMS, FLOATS, FOREIGN, NOT_JUDGED, OPS, TYPES, DTYPES, Error, H, Library
from score import Score

NAN = {"propagate": H.constants["JR_NAN_PROPAGATE"], "ignore": H.constants["JR_NAN_IGNORE"]}


def reduce(library, spec, arrays):
    """The value, or None for an operator that has none of an empty input."""
    try:
        return library.reduce(spec, *arrays)
    except Error as error:
        if error.status == "JR_ERROR_EMPTY_INPUT":
            return None
        raise


def judge_one(library, score, op, kind, name, arrays, **more):
    """One reduction: value and type."""
    nan, ddof = more.pop("nan", "propagate"), more.pop("ddof", 0)
    spec = library.spec(op, kind, nan=NAN[nan], ddof=ddof, **more)
    expected = oracle.judge(op, kind, arrays, nan, ddof)
    got = reduce(library, spec, arrays)
    wanted_type = np.dtype(np.float32 if oracle.result_type(op, kind) in FOREIGN else
                           DTYPES[oracle.result_type(op, kind)])
    good = expected.agrees(got) and (got is None or got.dtype == wanted_type)
    score.note(f"{op} {kind} {name} nan {nan} ddof {ddof} {more}", good,
               f"got {got!r}, NumPy has {expected.value!r} +- {expected.tolerance}")


def judge_pair(library, score, op, kind, sizes, **more):
    """One operator over one type."""
    rng = np.random.default_rng([OPS[op], TYPES[kind]])
    for name, x in data.cases(op, kind, sizes, rng):
        arrays = [x, x[::-1].copy()] if op == "dot" else [x]
        for ddof in (0, 1) if op in ("var", "std") else (0,):
            judge_one(library, score, op, kind, name, arrays, ddof=ddof, **more)


def judge_list(library, score, kind, count):
    """Several operators in one pass, each as by itself."""
    ops = ["min", "max", "argmin", "sum", "mean", "std", "norm2", "count_nonzero"]
    x = data.random("sum", kind, count, np.random.default_rng(5))
    for op, got in zip(ops, library.reduce(library.spec(ops, kind), x)):
        expected = oracle.judge(op, kind, [x])
        score.note(f"{op} {kind} in a list", expected.agrees(got), f"got {got!r}, NumPy has {expected.value!r}")


def judge_expressions(library, score, count):
    """map, where, finish and parameters against the same in NumPy."""
    rng = np.random.default_rng(6)
    x, y = rng.normal(size=count).astype("f4"), rng.integers(-9, 9, count).astype("i4")
    wide = x.astype(oracle.LONG)
    checks = (
        ("where", ("sum", "f32", {"where": "x > 0.5f"}), [x], wide[x > 0.5].sum()),
        ("map", ("sum", "f32", {"map": "x * x", "accumulate": "f64"}), [x], (wide * wide).sum()),
        ("finish", ("sumsq", "f32", {"finish": "sqrt(a / n)", "accumulate": "f64"}), [x], np.sqrt((wide * wide).mean())),
        ("index", ("sum", "f32", {"map": "i % 3 == 0 ? x : 0.0f"}), [x], wide[::3].sum()),
        ("mean where", ("mean", "f32", {"where": "x < 0"}), [x], wide[x < 0].mean()),
        ("two types", ("sum", "f32", {"map": "x * y", "input_count": 2,
                                      "more_types": (TYPES["i32"], 0, 0)}), [x, y], (wide * y).sum()),
        ("custom", ("custom", "f32", {"combine": "a < b ? b : a", "identity": "-INFINITY", "commutative": 1}), [x],
         x.max()))
    for name, (op, kind, more), arrays, wanted in checks:
        got = library.reduce(library.spec(op, kind, **more), *arrays)
        slack = oracle.gamma(oracle.UNIT["f32"], count) * np.abs(wide * y).sum()
        score.note(name, oracle.Expected(wanted, slack).agrees(got), f"got {got!r}, NumPy has {wanted!r}")


def judge_algorithm(library, score, algorithm, sizes):
    """Every pair through one algorithm by name."""
    for op in OPS:
        for kind in TYPES:
            if not oracle.takes(op, kind):
                continue
            try:
                judge_pair(library, score, op, kind, sizes, algorithm=algorithm)
            except Error as error:
                if error.status != "JR_ERROR_NOT_APPLICABLE":
                    raise
                score.not_applicable += 1


def is_left_out(op, kind):
    """Of the sample (JR_TESTS is not whole) are f32 of every operator (i32 of one that takes no floats), i64 and f64 of every fifth one, and every 23rd other type."""
    if data.is_whole() or kind == ("f32" if oracle.takes(op, "f32") else "i32"):
        return False
    return (OPS[op] + TYPES[kind]) % (5 if kind in ("i64", "f64") else 23) > 0


def judge_default(library, score, full):
    """The default algorithm in every case; in full NaN ignored for every type."""
    sizes = (1, 2, 33, 1000, 65537, 1000003) if full else (1, 33, 20011)
    for op in OPS:
        for kind in TYPES:
            if not oracle.takes(op, kind) or (not full and is_left_out(op, kind)):
                continue
            judge_pair(library, score, op, kind, sizes)
            if kind in FLOATS and (full or kind == "f32" and (data.is_whole() or OPS[op] % 2)):
                judge_pair(library, score, op, kind, (1000,), nan="ignore")
    for kind in TYPES if full else ("i16", "f16", "f32", "f64") if data.is_whole() else ("i16", "f64"):
        judge_list(library, score, kind, 12345)
    judge_expressions(library, score, 54321)


def judge_all(library, score, full, named):
    """Everything, or the named algorithms."""
    if not named:
        judge_default(library, score, full)
    for algorithm in (named or ALGORITHMS) if full else ():
        judge_algorithm(library, score, algorithm, (1000, 65537))
    if named:
        return
    shapes.judge_ordered(library, score, 200003 if library.simulated else 10**7)
    scans.judge_scans(library, score, full)
    scan_parts.judge_parts(library, score, full)
    shapes.judge_axes(library, score, full)
    runs.judge_runs(library, score, full)
    if full:
        exact.judge_exact(library, score, full)
        exact_states.judge_states(library, score, full)
        exact_states.judge_hard(library, score, full)
    if oracle.logsumexp is None:
        score.skip("logsumexp", "SciPy, its judge, is not there")
    for op in OPS:
        if op not in (*oracle.JUDGED, "custom"):
            score.skip(op, "NumPy has no such operator, and oracle.py does not say what it gives")
    for kind in NOT_JUDGED:
        score.skip(kind, "jitreduce.py does not say how its elements lie in memory")


def main():
    """Runs the judge and closes with the line that the test runner reads."""
    warnings.filterwarnings("ignore")  # NumPy's about NaN and empty arrays, which are asked for
    score, library = Score(), Library(sys.argv[1])
    if sys.argv[2:] == ["exact"]:  # what a test of its own does meanwhile
        exact.judge_exact(library, score, False)
        exact_states.judge_states(library, score, False)
        exact_states.judge_hard(library, score, False)
    else:
        judge_all(library, score, "full" in sys.argv[2:], sys.argv[3:])
    library.close()
    if score.not_applicable:
        print(f"{score.not_applicable} pairs of operator and type do not go with a named algorithm")
    print(f"{score.passed} passed, {score.failed} failed, {score.skipped} skipped")
    return score.failed > 0


if __name__ == "__main__":
    sys.exit(main())
