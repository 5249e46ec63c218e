"""The arguments that most functions share: their names, their meanings in docstrings, and errors for unknown ones."""

import functools
import inspect
import re
import sys

from . import _given

#: What each argument means, in the order of docstrings.
ARGUMENTS = {
    "x": "the array, in host memory or on a GPU: of NumPy, PyTorch, CuPy, JAX, Numba, and what exports its memory; columns of tables, lists",
    "y": "the other array, of the same shape and in the same memory",
    "axis": "axis to reduce: a number, or a tuple of several; None (default): all elements",
    "dtype": "type of the accumulation and of the result; default: that of the elements, 64 bits for sums of integers",
    "correction": "subtracted from the count in the divisor; 1 gives the unbiased estimate; default: 0",
    "weights": "an array of the same shape: how much each element counts",
    "expression": "the value of an element, of x, y, z, w, i, n and r, or r0, r1, ...",
    "weight": "an array of one row that multiplies each row",
    "bias": "an array of one row that is added to each row",
    "eps": "a number that keeps the divisor from 0",
    "ord": "1, 2 (default) or infinity",
    "include_initial": "True: the result begins with the value of no elements, and is longer by one",
    "exclusive": "True: each result is over the elements before its own; not in the array API standard",
    "keepdims": "True: reduced axes stay, with length 1",
    "op": "an operator's name, a tuple of names, or a jitreduce.Reduction; default: \"sum\"",
    "keys": "one key per element: each run of equal neighbouring keys is scanned by itself",
    "offsets": "element numbers that do not descend: each segment begins at one and ends before the next one",
    "counts": "True: also return how many elements of each key were counted",
    "wait": "False, for arrays in device memory: do not wait for the number of runs; default: True",
    "where": "elements that count: an expression (\"x > 3\"), or an array of booleans, broadcast to the array's shape",
    "initial": "a number combined with the result once; the result for no elements",
    "out": "array that receives the results, of their type, shape and order in memory",
    "nan": "\"propagate\" (default) or \"ignore\", which skips NaN",
    "accuracy": "\"fast\" (default); \"exact\": exact arithmetic, rounded once (sum, mean, dot, norm 1 and 2, var, std and "
                "scans of sums); \"reproducible\": the order of rounding depends on the count alone. The last two give the "
                "same bits on every device",
    "exact": "True: accuracy=\"exact\"",
    "parameters": "numbers that expressions name: {\"least\": 2}",
    "value": "True: wait for the result, and return it as a Python number; only for a result of all elements",
    "stream": "CUDA stream to work on, for arrays on a GPU; default: the stream on which their library works",
    "context": "jitreduce.Context that does the work; default: the default context, or the one of the arrays' device",
    "algorithm": "name of the algorithm; default: chosen",
    "unroll": "vectors that a thread reads at a time; default: tuned",
    "block": "threads per block; default: tuned",
    "grid": "blocks; default: tuned",
}
#: Those that every function takes in its **options.
OPTIONS = ("nan", "accuracy", "exact", "parameters", "value", "stream", "context", "algorithm", "unroll", "block", "grid")
#: Members of a spec that a Plan and a State take in their **members.
MEMBERS = ("accumulate", "result", "map", "map_type", "finish", "combine", "identity", "commutative", "correction", "ddof",
           "algorithm", "unroll", "block", "grid")
#: What the members of a spec mean that a Reduction, a Plan and a State take, in the order of docstrings.
_MEANINGS = {
    "combine": "expression of a and b that combines two values; it must be associative. Needs `identity`",
    "identity": "the value that `combine` leaves unchanged, as an expression",
    "map": "expression of x, y, z, w (the elements of up to four arrays) and i (the index): the value to reduce",
    "map_type": "dtype to which that value is converted; default: that of the arrays, float64 for a float of integers",
    "where": "expression: elements for which it is false are skipped",
    "finish": "expression of a (the result) and n (the number of elements): what is returned",
    "commutative": "True: `combine` gives the same with a and b swapped, of equal values, too; faster; default: False",
    "accumulate": "dtype of the accumulator; default: that of the operator",
    "result": "dtype of the result; default: that of the operator",
    "correction": "for var and std: a number subtracted from the count in the divisor; default: 0",
    **{name: ARGUMENTS[name] for name in ("algorithm", "unroll", "block", "grid")},
}
#: Options that single functions refuse, by the function's code; their lists of names do not offer them.
_REFUSED = {}
_OTHER_WORDS = {"ctx": "context", "includes": "include_folders", "include_dirs": "include_folders", "include_paths": "include_folders",
                "include_path": "include_folders", "defines": "constants", "macros": "constants", "flags": "options", "code": "source",
                "function": "entry", "func": "entry", "kernel": "entry", "axis_": "axis", "result_type": "result", "out_type": "result",
                "neutral": "identity", "op": "ops", "ops": "op", "ddof": "correction", "correction": "ddof", "axes": "axis", "dim": "axis", "dims": "axis", "keepdim": "keepdims",
                "mask": "where", "filter": "where", "skipna": "nan", "params": "parameters", "device": "context", "type": "dtype", "dtype": "result"}
_SCANS = {"cumulative_sum": "sum", "cumulative_prod": "prod", "cumulative_min": "min", "cumulative_max": "max"}
_OF_REDUCTION = ("map", "map_type", "finish", "combine", "identity", "commutative", "accumulate", "result")
#: Functions that take any operator, and arguments of functions of one operator, by their names in a Reduction.
_OF_ANY_OP = ("reduce", "group_by", "reduce_by_key", "reduce_segments", "scan")
_OF_SOME_OPS = {"correction": "correction", "ddof": "correction", "dtype": "result"}
_OF_ONE_ARRAY = ("prod", "min", "max", "argmin", "argmax", "any", "all", "count_nonzero", "mean", "var", "std", "logsumexp")
#: Functions that take one array.
OF_ONE_ARRAY = (*_OF_ONE_ARRAY, "sum", "norm", "minmax", "reduce")
_FUNCTIONS = (*_OF_ONE_ARRAY, "sum", "norm", "dot")
#: What the library calls operators that functions name differently.
OPS = {"norm": "norm2"}
_WIDTH = 120
#: The default of an argument without which a call is refused by the function itself.
MISSING = object()
#: Functions by their names in other libraries.
OTHER_NAMES = {"avg": "mean", "amin": "min", "amax": "max", "minimum": "min", "maximum": "max", "product": "prod",
               "cumsum": "cumulative_sum", "cumprod": "cumulative_prod", "cummax": "cumulative_max", "cummin": "cumulative_min", "accumulate": "scan", "reduceat": "reduce_segments",
               "segment_sum": "reduce_segments", "size": "count", "corr": "correlation", "inner": "dot", "vdot": "dot", "groupby": "group_by", "variance": "var", "stdev": "std"}

#: Operators by other names.
OP_NAMES = {**{word: name for word, name in OTHER_NAMES.items() if name in _FUNCTIONS}, "average": "mean", "nansum": "sum(x, nan='ignore')", "nanmax": "max(x, nan='ignore')",
            "nanmin": "min(x, nan='ignore')", "nanmean": "mean(x, nan='ignore')"}

#: What to do for what the package has not, and a similar name is not.
ABSENT = {**{name: f"it needs sorted elements: numpy.{name}" for name in ("median", "percentile", "quantile", "nanmedian", "nanpercentile", "nanquantile")},
          "nan": "write float('nan')", "inf": "write float('inf')", "pi": "write math.pi",
          **{f"nancum{name}": f"jitreduce.cumulative_{name}(x, nan=\"ignore\")" for name in ("sum", "prod")},
          **{name: "jitreduce.DeviceArray.of(x) copies an array to the device" for name in ("array", "asarray", "copy")}}


def _wrapped(name, text, indent=4, width=16):
    """The lines of a docstring for one argument."""
    lines, line = [], f"{'':<{indent}}{name:<{width}}"
    for word in text.split():
        if len(line) + len(word) > _WIDTH - 4:
            lines.append(line.rstrip())
            line = " " * (indent + width)
        line += word + " "
    return [*lines, line.rstrip()]


def members_documented(*names):
    """Puts the meanings of members of a spec into the docstring of a class, where {members} stands."""
    def decorate(made):
        lines = [line for name in _MEANINGS if name in names for line in _wrapped(name, _MEANINGS[name], 0, 13)]
        made.__doc__ = (made.__doc__ or "").replace("{members}", "\n    ".join(lines))  # python -OO has none
        return made
    return decorate


def names_of(function):
    """The names of the arguments that may be given by name, without **options."""
    code = inspect.unwrap(function).__code__
    named = code.co_varnames[code.co_posonlyargcount:code.co_argcount + code.co_kwonlyargcount]
    return tuple(name for name in named if name not in ("self", "cls"))


def names_offered(function):
    """The names of all arguments that a function takes by name, without those that it refuses."""
    refused = _REFUSED.get(function.__code__, ())
    return tuple(name for name in (*names_of(function), *OPTIONS) if name not in refused)


def documented(without=(), **own):
    """Adds the meanings of a function's arguments to its docstring. own: meanings that differ from ARGUMENTS; without:
    options that the function refuses."""
    def decorate(function):
        _REFUSED[function.__code__] = without
        checks_itself(function)
        places = function.__code__.co_varnames[:function.__code__.co_posonlyargcount]
        named = sorted(names_offered(function), key=list(ARGUMENTS).index)
        lines = [line for name in dict.fromkeys((*places, *own, *named)) if name != "self"
                 for line in _wrapped(name, own.get(name) or ARGUMENTS[name])]
        function.__doc__ = f"{(function.__doc__ or '').rstrip()}\n\n    Arguments:\n" + "".join(f"    {line}\n" for line in lines) + "    "
        return function
    return decorate


def nearest(word, names):
    """The name that was most likely meant by an unknown word; None: no name is like it."""
    import difflib  # pylint: disable=import-outside-toplevel

    if _OTHER_WORDS.get(word) in names:
        return _OTHER_WORDS[word]
    close = difflib.get_close_matches(word, names, 1)
    return close[0] if close else None


def _of_reduction(name, function):
    """What to do with an argument that only a Reduction has."""
    if function in ("cumulative_sum", "cumulative_prod") and name in ("accumulate", "result"):
        return ": did you mean 'dtype'?"
    if function in _SCANS or function == "scan":
        op = _SCANS.get(function, "sum")
        written = "combine=..., identity=..." if name in ("combine", "identity", "commutative") else f"\"{op}\", {name}=..."
        return f": a Reduction has it, jitreduce.scan(x, jitreduce.Reduction({written}))."
    op = function if function in _OF_ONE_ARRAY else "norm2" if function == "norm" else "var" if name == "correction" else "sum"
    written = "combine=..., identity=..." if name in ("combine", "identity", "commutative") else f"\"{op}\", {name}=..."
    made = f"jitreduce.Reduction({written})"
    return f": a Reduction has it, {f'{function}(keys, x, op={made})' if function in ('group_by', 'reduce_by_key') else made}."


def refuse_of_scans(given, op):
    """Raises TypeError for what jitreduce.scan takes, and scans of one operator do not."""
    for name in sorted(given.keys() & {"keys", "offsets", "where", "initial", "parameters"}):
        raise TypeError(f"unknown argument {name!r}: jitreduce.scan(x, {op!r}, {name}=...) takes it")


def check_names(given, names, offered=None, function=None):
    """Raises TypeError where an argument has an unknown name: the error suggests the nearest name and lists all.

    names: those that are taken; offered: those to list, default: all of them; function: the name of the one that was called."""
    offered = names if offered is None else offered
    for name in sorted(set(given) - set(names)):
        near = nearest(name, offered)
        hint = ": jitreduce.average(x, weights=w) takes it." if (function, name) == ("mean", "weights") else f": did you mean {near!r}?" if near else "."
        if function is not None and name in _OF_REDUCTION or function in _OF_ANY_OP and name in _OF_SOME_OPS:
            hint = _of_reduction(_OF_SOME_OPS.get(name, name), function)
        raise TypeError(f"unknown argument {_given.shown(name)}{hint} Known: {', '.join(dict.fromkeys(offered)) or 'none'}")


def check_op_is_text(op):
    """Raises TypeError for a function of Python where an operator's name is meant."""
    if not callable(op):
        return
    name = getattr(op, "__name__", "")
    name = name if isinstance(name, str) else ""
    name = {"add": "sum", "multiply": "prod"}.get(name) or OP_NAMES.get(name, name)
    advice = f"{name!r}" if name in _FUNCTIONS else "its name, such as 'sum'; an operator of your own is jitreduce.Reduction(combine=\"a + b\", identity=\"0\")"
    raise TypeError(f"op={_given.shown(op)} is a function: write {advice}")


def op_named(name):
    """The library's name of an operator, by the name of a function or of an operator."""
    check_op_is_text(name)
    if name == "custom":
        raise ValueError("op='custom': an operator of your own is jitreduce.Reduction(combine=..., identity=...)")
    return OPS.get(_given.text("op", name), name)


def op_unknown(error):
    """The error of the library for an unknown operator, with the nearest name; another error as it is."""
    found = re.match(r"unknown operator '(.*)': known are ([^;]*)", str(error))
    if not found:
        return error
    word, known = found[1], [name for name in found[2].split() if name != "custom"]  # that has `combine` instead of a name
    near = OP_NAMES.get(word) or nearest(word, known)
    name, _, more = (near or "").partition("(x, ")  # "sum(x, nan='ignore')"
    if "," in word:
        return type(error)(f"unknown operator {word!r}: several are a tuple, {tuple(word.replace(' ', '').split(','))}")
    if word in ("count", "size", "len"):
        return type(error)(f"unknown operator {word!r}: counts=True of group_by, reduce_by_key and reduce_segments counts the elements of each "
                           "key or segment; elsewhere jitreduce.count(x) does")
    hint = f": did you mean {name!r}{f', with {more[:-1]}' if more else ''}?" if name in known else "."
    return type(error)(f"unknown operator {word!r}{hint} Known: {' '.join(known)}")


def checked(function):
    """A function without **options that explains arguments it does not take. What can be wrong is looked for only after
    the call was refused, but a call of the wrapper alone costs as much as two of functions: `checks_itself` is without one."""
    @functools.wraps(function)
    def call(*args, **named):
        try:
            return function(*args, **named)
        except TypeError as error:
            if error.__traceback__.tb_next is None:  # no line of the function ran
                unknown = named.keys() - set(names_of(function))
                refuse(function, args[function.__code__.co_argcount:], dict.fromkeys(unknown))
            raise
    return call


def checks_itself(function):
    """A function that calls `refuse` with what its *more and **unknown took. Its signature shows neither of them, nor a default
    that is MISSING."""
    of = inspect.signature(function)
    shown = [one.replace(default=one.empty) if one.default is MISSING else one
             for one in of.parameters.values() if one.name not in ("more", "unknown")]
    function.__signature__ = of.replace(parameters=shown)
    return function


def _name_for(function, value):
    """The name of the argument that a surplus one was meant to be, in NumPy's order of arguments; or None."""
    code = function.__code__
    named = code.co_varnames[code.co_argcount:code.co_argcount + code.co_kwonlyargcount]
    order = ("keepdims",) if isinstance(value, bool) else ("map", "axis", "dtype", "out", "context")
    return next((name for name in order if name in named), None)


def refuse(function, more, unknown=()):
    """Raises TypeError for an argument with an unknown name, and for more arguments by their place than a function takes."""
    function = inspect.unwrap(function)
    check_names(unknown, names_of(function))
    if not more:
        return
    code, name = function.__code__, _name_for(function, more[0])
    places = [place for place in code.co_varnames[:code.co_argcount] if place not in ("self", "cls")]
    called = function.__qualname__.removesuffix(".__init__").removesuffix(".__call__")
    taken = f"takes {' and '.join((', '.join(places[:-1]), places[-1])[not places[1:]:])} by place" if places else "takes no argument by place"
    advice = f": give it by name, {name}={_given.shown(more[0])}" if name else ""
    raise TypeError(f"{called} {taken}, and {_given.shown(more[0])} is one too many{advice}")


def caller_level():
    """The stacklevel, for warnings.warn in the function that calls this one, of the first line outside the package."""
    level, frame = 1, sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] == __package__:
        level, frame = level + 1, frame.f_back
    return level
