"""A plugin of pytest: NumPy's functions of reductions are jitreduce's while NumPy's own tests run.

A call that jitreduce does not take goes to NumPy, and is counted by its reason; the list stands at the end of the run."""

import collections
import functools
from pathlib import Path

import numpy

import jitreduce

KINDS = "?bhilqBHILQefd"  # dtype.char of elements that are reduced
COUNTS = collections.Counter()
LEFT_OUT = {
    "elements": "complex numbers, long doubles, dates, texts, objects and big-endian numbers are none of the library's",
    "class": "matrices, masked arrays and other subclasses have results of their own class",
    "dtype": "results of types that the library does not have, or (mean, var, std) that are no floats",
    "out": "NumPy converts into out, the library writes results of their own type",
    "where": "NumPy takes numbers as where, and broadcasts the array to it",
    "axis": "NumPy words wrong axes and no axes at all otherwise",
    "arguments": "the array as a keyword, mean=, initial= of another type or of any and all, wrong ones",
    "empty": "NumPy words what is empty otherwise, and warns",
    "nothing": "warnings of NumPy: a mean of nothing, more taken away than there is, all NaN",
}


class _Theirs(Exception):
    """A call is NumPy's; its argument is the reason."""


def _array(a):
    if type(a) is not numpy.ndarray and (hasattr(a, "__array__") or hasattr(a, "__array_function__") or hasattr(a, "sum")):
        if not isinstance(a, numpy.generic):
            raise _Theirs("class")
    a = numpy.asarray(a)
    if a.dtype.char not in KINDS or not a.dtype.isnative:
        raise _Theirs("elements")
    return a


def _dtype(name, kwargs):
    dtype = kwargs.get("dtype")
    if dtype is None:
        return
    try:
        dtype = numpy.dtype(dtype)
    except TypeError:
        raise _Theirs("dtype") from None
    if dtype.char not in KINDS or not dtype.isnative or (name in ("mean", "var", "std") and dtype.kind != "f"):
        raise _Theirs("dtype")
    kwargs["dtype"] = dtype


def _where(a, kwargs):
    where = kwargs.get("where")
    if where is numpy._NoValue or where is True:
        del kwargs["where"]
    elif "where" in kwargs:
        where = kwargs["where"] = _array(where)
        if where.dtype != bool or numpy.broadcast(where, a).shape != a.shape:
            raise _Theirs("where")


def _axis(a, name, kwargs):
    axis = kwargs.get("axis")
    if axis is None:
        return
    axes = axis if isinstance(axis, tuple) else (axis,)
    if not axes or any(not isinstance(one, (int, numpy.integer)) or isinstance(one, bool) or
                       not -a.ndim <= one < a.ndim for one in axes) or len({one % a.ndim for one in axes}) < len(axes):
        raise _Theirs("axis")
    if name in ("argmin", "argmax", "cumulative_sum", "cumulative_prod") and isinstance(axis, tuple):
        raise _Theirs("axis")


def _warns(a, name, kwargs):
    """Does NumPy warn, or say no, where the library has a result?"""
    if a.size == 0:
        raise _Theirs("empty")
    counted = a.size if kwargs.get("axis") is None else min(
        a.shape[axis] for axis in numpy.atleast_1d(kwargs["axis"]))
    if name in ("var", "std") and counted <= kwargs.get("correction", 0):
        raise _Theirs("nothing")
    if "where" in kwargs or (kwargs.get("nan") == "ignore" and name in ("mean", "var", "std", "min", "max", "argmin", "argmax")):
        kept = numpy.broadcast_to(kwargs["where"], a.shape) if "where" in kwargs else ~numpy.isnan(a)
        axis = kwargs.get("axis")
        if name not in ("sum", "prod") and (kept.sum(axis=axis) <= kwargs.get("correction", 0)).any():
            raise _Theirs("nothing")


def _ours(name, a, kwargs, ddof):
    a = _array(a)
    for word in ("keepdims", "initial", "mean", "correction"):
        if kwargs.get(word, 0) is numpy._NoValue:
            del kwargs[word]
    if "mean" in kwargs or ("initial" in kwargs and name in ("any", "all")) or not isinstance(
            kwargs.get("keepdims", False), (bool, int)):
        raise _Theirs("arguments")
    if ddof is not None:
        if "correction" in kwargs or not isinstance(ddof, (int, float)):
            raise _Theirs("arguments")
        kwargs["correction"] = ddof
    _dtype(name, kwargs)
    _axis(a, name, kwargs)
    _where(a, kwargs)
    _warns(a, name, kwargs)
    out = kwargs.get("out")
    if isinstance(out, tuple) or (out is not None and type(out) is not numpy.ndarray):
        raise _Theirs("out")
    if name.startswith("cumulative") and kwargs.get("axis") is None and a.ndim != 1:
        a = a.ravel()
    if "initial" in kwargs and (kwargs["initial"] is None or isinstance(kwargs["initial"], numpy.ndarray)):
        raise _Theirs("arguments")
    try:
        return getattr(jitreduce, name)(a, **kwargs)
    except (TypeError, OverflowError, ValueError) as error:
        for words, reason in (("out ", "out"), ("fit into", "arguments"), ("interpreted", "arguments"),
                              ("unknown argument", "arguments"), ("unexpected keyword", "arguments")):
            if words in str(error):
                raise _Theirs(reason) from None
        raise


#: NumPy's name, ours, the arguments that it takes by their place, and those that it has.
WORDS = ("axis", "dtype", "out", "keepdims", "initial", "where")
FUNCTIONS = {
    "sum": ("sum", WORDS), "prod": ("prod", WORDS),
    "min": ("min", ("axis", "out", "keepdims", "initial", "where")),
    "max": ("max", ("axis", "out", "keepdims", "initial", "where")),
    "amin": ("min", ("axis", "out", "keepdims", "initial", "where")),
    "amax": ("max", ("axis", "out", "keepdims", "initial", "where")),
    "any": ("any", ("axis", "out", "keepdims")), "all": ("all", ("axis", "out", "keepdims")),
    "argmin": ("argmin", ("axis", "out")), "argmax": ("argmax", ("axis", "out")),
    "mean": ("mean", ("axis", "dtype", "out", "keepdims")),
    "var": ("var", ("axis", "dtype", "out", "ddof", "keepdims")),
    "std": ("std", ("axis", "dtype", "out", "ddof", "keepdims")),
    "count_nonzero": ("count_nonzero", ("axis",)),
    "cumsum": ("cumulative_sum", ("axis", "dtype", "out")), "cumprod": ("cumulative_prod", ("axis", "dtype", "out")),
}
for _name in ("sum", "prod", "min", "max", "argmin", "argmax", "mean", "var", "std"):
    FUNCTIONS["nan" + _name] = FUNCTIONS[_name]


def _wrapped(numpys, ours, words):
    theirs = getattr(numpy, numpys)

    @functools.wraps(theirs)
    def call(*args, **kwargs):
        try:
            if not args or len(args) > len(words) + 1:
                raise _Theirs("arguments")
            given = {**dict(zip(words, args[1:])), **kwargs}
            if numpys.startswith("nan"):
                given["nan"] = "ignore"
            found = _ours(ours, args[0], {word: value for word, value in given.items() if word != "ddof"},
                          given.get("ddof"))
            COUNTS["jitreduce"] += 1
            return int(found) if numpys == "count_nonzero" and numpy.ndim(found) == 0 else found
        except _Theirs as reason:
            COUNTS[reason.args[0]] += 1
        return theirs(*args, **kwargs)

    return call


for _name, (_ours_name, _words) in FUNCTIONS.items():
    setattr(numpy, _name, _wrapped(_name, _ours_name, _words))


def pytest_collection_modifyitems(config, items):
    """Leaves out what left_out.txt names."""
    lines = Path(__file__).with_name("left_out.txt").read_text().splitlines()
    names = {line.split()[0] for line in lines if line and line[0] != "#"}
    left_out = [item for item in items if f"{item.path.stem}::{item.originalname}" in names]
    config.hook.pytest_deselected(items=left_out)
    items[:] = [item for item in items if item not in left_out]


def pytest_terminal_summary(terminalreporter):
    """How many calls were whose, and why."""
    terminalreporter.write_line(f"{COUNTS.pop('jitreduce', 0)} calls were jitreduce's; NumPy's own were")
    for reason, count in COUNTS.most_common():
        terminalreporter.write_line(f"{count:6}  {reason}: {LEFT_OUT[reason]}")
