"""Everything public is given what it should not be: only errors with our words come, and a valid call works right after."""

import inspect
import itertools
import pathlib
import re
import tempfile
import unittest
import warnings

import numpy as np

import hostile
import jitreduce as jr
from test_reductions import sample

PYTHONS = re.compile(  # what Python and NumPy themselves say
    r"an integer is required|cannot be interpreted as an integer|is not subscriptable|is not iterable|object has no attribute|unhashable|"
    r"argument \d+ must be|must be (real number|tuple|str|bool|int|type)|not enough values|too many values|cannot unpack|has no len|cannot convert|"
    r"not supported between|unsupported operand|bad argument|bad operand|expected (str|bytes|int)|returned non-|required for|embedded null|surrogates not allowed|"
    r"takes \d+ positional|invalid literal|could not convert|is not callable|truth value|string conversion|cannot fit|too large to convert|can't convert|"
    r"(?<!is )out of range|required argument|not an instance|^'?\w*'?$")
ALLOWED = (TypeError, ValueError, OverflowError, MemoryError, BufferError, jr.Error)  # DLPack wants BufferError

x, y = np.arange(6.0), np.ones(6)
DX, TOTAL = jr.DeviceArray.of(x), jr.DeviceArray((), "float64")
FOLDER = tempfile.TemporaryDirectory()
COPY_FILE = pathlib.Path(FOLDER.name) / "copy.cu"
COPY = '__device__ double copied; extern "C" __global__ void copy(const double *x, double *y, double by, int n) { if (n > 6) y[threadIdx.x] = by * x[threadIdx.x]; }'


def calls():
    """(name, function, arguments, named arguments) of valid calls, of which one argument after the other is replaced. Named ones
    that are None are left as they are where they are not replaced."""
    more = dict.fromkeys(("axis", "keepdims", "where", "out"))
    tuning = {**dict.fromkeys(("stream", "value", "nan", "accuracy", "exact", "parameters", "context", "algorithm", "unroll", "block", "grid")),
              "no_such_option": None}
    for name in ("sum", "prod", "min", "max", "argmin", "argmax", "any", "all", "count_nonzero", "mean", "var", "std", "norm", "logsumexp"):
        yield name, getattr(jr, name), (x,), {**more, **{word: None for word in inspect.signature(getattr(jr, name)).parameters if word in (
            "dtype", "initial", "correction", "ord")}}
    yield "sum", jr.sum, (x,), tuning
    yield "sum of a device array", jr.sum, (DX,), {**more, **tuning, "dtype": None, "initial": None}
    yield "argmax of a device array", jr.argmax, (DX,), more
    yield "cumulative_sum", jr.cumulative_sum, (x,), {**dict.fromkeys(("axis", "dtype", "include_initial", "exclusive", "out")), **tuning}
    yield "cumulative_prod of a device array", jr.cumulative_prod, (DX,), dict.fromkeys(("axis", "dtype", "include_initial", "exclusive", "out", "stream"))
    for name in ("nansum", "nanprod", "nanmin", "nanmax", "nanargmin", "nanargmax", "nanmean", "nanvar", "nanstd", "count"):
        yield name, getattr(jr, name), (x,), {**more, "nan": None} if name == "nanmean" else {"axis": None}
    yield "ptp", jr.ptp, (x,), dict.fromkeys(("axis", "keepdims", "where"))
    yield "average", jr.average, (x,), {**more, "weights": None}
    yield "covariance", jr.covariance, (x, y), {**more, "correction": None}
    for name in ("correlation", "cov", "corrcoef"):
        yield name, getattr(jr, name), (x, y), {"where": None}
    for name in ("cumulative_min", "cumulative_max"):
        yield name, getattr(jr, name), (x,), dict.fromkeys(("axis", "out"))
    yield "scan", jr.scan, (x,), {"op": "sum", **dict.fromkeys(("axis", "keys", "offsets", "include_initial", "exclusive", "where", "initial", "out"))}
    yield "scan of a device array", jr.scan, (DX,), dict.fromkeys(("keys", "offsets"))
    yield "reduce_segments", jr.reduce_segments, (x, [0, 2, 6]), {"op": "sum", **dict.fromkeys(("where", "initial", "counts"))}
    yield "dot", jr.dot, (x, y), more
    yield "minmax", jr.minmax, (x,), dict.fromkeys(("axis", "keepdims", "where"))
    yield "reduce", jr.reduce, (x, ("min", "max")), dict.fromkeys(("axis", "keepdims", "where"))
    yield "group_by", jr.group_by, (x, y), {"op": "sum", **dict.fromkeys(("where", "counts", "stream", "context"))}
    yield "reduce_by_key", jr.reduce_by_key, (x, y), {"op": "sum", **dict.fromkeys(("where", "counts", "stream", "context"))}
    yield "reduce_by_key of device arrays", jr.reduce_by_key, (DX, DX), {"op": "sum", **dict.fromkeys(("where", "counts", "wait"))}
    yield "Context", jr.Context, ("sim",), dict.fromkeys(("driver", "nvrtc", "simulator", "cache_dir", "wisdom", "packs"))
    yield "set_default_context", jr.set_default_context, (jr.default_context(),), {}
    yield from of_rows()
    yield from of_many()
    yield from of_arrays()
    yield from of_classes()


def of_rows():
    """What computes a value for each element of a row."""
    yield "apply", jr.apply, (x, "x - r"), dict.fromkeys(("op", "axis", "weights", "dtype", "where", "correction", "out", "parameters"))
    for name in ("softmax", "log_softmax", "zscore", "minmax_scale"):
        yield name, getattr(jr, name), (x,), dict.fromkeys(("axis", "out"))
    yield "normalize", jr.normalize, (x,), dict.fromkeys(("ord", "eps", "axis", "out"))
    for name in ("rms_norm", "layer_norm"):
        yield name, getattr(jr, name), (x, x), dict.fromkeys(("eps", "axis", "out"))


def of_many():
    """Lists of arrays."""
    yield "many.reduce", jr.many.reduce, ([x, y],), dict.fromkeys(("op", "where", "parameters", "counts", "stream", "context"))
    yield "many.norm", jr.many.norm, ([x, y],), dict.fromkeys(("ord", "stream", "context"))
    yield "many.apply_", jr.many.apply_, ([x.copy(), y.copy()], "x"), dict.fromkeys(("op", "where", "parameters", "stream", "context"))
    yield "many.clip_grad_norm_", jr.many.clip_grad_norm_, ([x.copy()], 1e9), dict.fromkeys(("norm_type", "error_if_nonfinite"))
    yield "many.Plan", jr.many.Plan, ([DX],), dict.fromkeys(("op", "expression", "where", "parameters", "counts", "stream", "context"))
    for name in ("reduce", "norm"):
        yield f"an array of many.{name}", lambda one, name=name: getattr(jr.many, name)([y, one]), (x,), {}


def of_arrays():
    """DeviceArray and its members."""
    yield "DeviceArray", jr.DeviceArray, (3, "float32"), {"context": None}
    yield "DeviceArray.of", jr.DeviceArray.of, (x,), {"context": None}
    yield "DeviceArray.reshape", DX.reshape, (6,), {}
    yield "DeviceArray.write", jr.DeviceArray.of(x).write, (x,), {}
    yield "DeviceArray.__dlpack__", DX.__dlpack__, (), dict.fromkeys(("stream", "max_version", "dl_device", "copy"))


def of_classes():
    """The others, and their members."""
    state = jr.ExactState()
    yield "ExactState", jr.ExactState, ("sum", "float64"), dict.fromkeys(("context", "nan", "parameters", "result", "where", "map", "no_such_option"))
    yield "State", jr.State, ("max", "float64"), dict.fromkeys(("context", "nan", "exact", "parameters", "result", "where", "map", "no_such_option"))
    yield "State.add", state.add, (x,), {"stream": None}
    yield "State.merge", state.merge, (state.to_bytes(),), {}
    yield "State.from_bytes", jr.State.from_bytes, (state.to_bytes(),), dict.fromkeys(("context", "result"))
    kernel = jr.Kernel(COPY, "copy")
    yield "Kernel", jr.Kernel, (COPY, "copy"), dict.fromkeys(("constants", "name", "headers", "options", "context", "include_folders"))
    COPY_FILE.write_text(COPY)
    yield "Kernel.watch", jr.Kernel.watch, (COPY_FILE, "copy"), dict.fromkeys(("constants", "name", "headers", "options", "context", "include_folders"))
    yield "Kernel.link", jr.Kernel.link, ([COPY], "copy"), {"context": None}
    yield "Kernel.__call__", kernel, (1, 1, (DX, DX, 1.0, 1)), dict.fromkeys(("shared_bytes", "stream"))
    yield "Kernel.global_", kernel.global_, ("copied",), {"dtype": None, "shape": None}
    for at in range(4):
        yield f"an argument of a kernel, {at}", lambda value, at=at: kernel(1, 1, (DX, DX, 1.0, 1)[:at] + (value,) + (DX, DX, 1.0, 1)[at + 1:]), ((DX, DX, 1.0, 1)[at],), {}
    plan = jr.Plan("sum", DX)
    yield "Plan", jr.Plan, ("sum", DX), dict.fromkeys(("axis", "keepdims", "where", "initial", "context", "nan", "parameters", "accumulate", "block", "no_such_option"))
    yield "Plan.run", plan.run, (DX,), {"out": jr.DeviceArray((), "float64"), "where": None, "stream": None}
    yield "Plan.value", plan.value, (DX,), dict.fromkeys(("where", "stream"))
    yield "Stream", jr.Stream, (), {"context": None}
    yield "Graph.launch", captured(plan).launch, (), {"stream": None}
    yield "Graph", jr.Graph, (jr.Stream(),), {}
    yield "Reduction", jr.Reduction, ("sum",), dict.fromkeys(("map", "map_type", "where", "finish", "accumulate", "result", "parameters"))
    yield "Reduction with combine", jr.Reduction, (), {"combine": "a + b", "identity": "0", "commutative": None}
    yield "Reduction.__call__", jr.Reduction("sum"), (x,), dict.fromkeys(("axis", "keepdims", "where", "initial", "out", "parameters", "unroll"))


NOT_TRIED = {  # they take no arguments
    "Context.close", "Context.counters", "Context.device_info", "Context.stats", "Context.synchronize", "DeviceArray.copy_to_host", "DeviceArray.item", "DeviceArray.numpy",
    "DeviceArray.__dlpack_device__", "State.to_bytes", "State.value", "Kernel.info", "Plan.stats", "Stream.capture",
    "Stream.wait", "Stream.__cuda_stream__", "default_context", "doctor", "variables"}


def public_callables():
    """The names of all functions and classes that are public, and of the methods of the classes."""
    found = set()
    for name in jr.__all__:
        thing = getattr(jr, name)
        if not inspect.isclass(thing):
            found.add(name)
        elif not issubclass(thing, Exception):
            found.add(name)
            found |= {f"{name}.{member}" for member, value in vars(thing).items() if callable(getattr(thing, member)) and (
                not member.startswith("_") or member in ("__call__", "__dlpack__", "__dlpack_device__", "__cuda_stream__"))
                and not isinstance(value, property)}
    return found


def takes_nothing(name):
    """Whether the signature of a public callable has no parameter but self."""
    first, _, member = name.partition(".")
    thing = getattr(getattr(jr, first), member) if member else getattr(jr, first)
    return set(inspect.signature(thing).parameters) <= {"self"}


def captured(plan):
    """A graph."""
    stream = jr.Stream()
    with stream.capture() as graph:
        plan.run(DX, out=TOTAL, stream=stream)
    return graph


class Hostile(unittest.TestCase):
    """One argument of a valid call is replaced by each hostile value."""

    def try_one(self, name, call):
        """What is wrong with how a call went, or None."""
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                call()
        except hostile.OwnError:
            return None
        except ALLOWED as error:
            if PYTHONS.search(str(error)) and not isinstance(error, jr.Error):
                return f"{name}: {type(error).__name__}: {error}"
        except BaseException as error:  # pylint: disable=broad-exception-caught
            return f"{name}: {type(error).__name__}: {error}"
        return None

    def test_every_public_callable_is_tried(self):
        tried = {name.split(" ")[0] for name, *_ in calls()}
        self.assertEqual(sorted(public_callables() - tried - set(NOT_TRIED)), [])
        self.assertEqual(sorted(set(NOT_TRIED) - public_callables()), [])
        self.assertEqual([name for name in sorted(NOT_TRIED) if not takes_nothing(name)], [])

    def test_only_errors_with_our_words_come(self):
        everything, wrong, turns = hostile.everything(), [], itertools.count()
        for name, function, arguments, named in calls():
            given = {word: value for word, value in named.items() if value is not None}
            function(*arguments, **given)
            for at, value in ((at, value) for at in range(len(arguments)) for value in sample(everything, next(turns), 101)):
                wrong.append(self.try_one(f"{name}, {at}: {jr._jitreduce.shown(value)}", lambda: function(
                    *arguments[:at], value, *arguments[at + 1:], **given)))
            for word, value in ((word, value) for word in named for value in sample(everything, next(turns), 101)):
                wrong.append(self.try_one(f"{name}, {word}: {jr._jitreduce.shown(value)}", lambda: function(
                    *arguments, **{**given, word: value})))
            function(*arguments, **given)
            self.assertEqual(float(jr.sum(x)), 15)
        wrong = [one for one in wrong if one]
        self.assertEqual(wrong, [], f"{len(wrong)} calls:\n" + "\n".join(wrong))
