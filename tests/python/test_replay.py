"""Calls that are replayed in C: the second equal one runs no Python code, and one that differs in anything is another call."""

import itertools
import sys
import threading
import types
import unittest.mock
import warnings
import weakref
from pathlib import Path

import numpy as np

import jitreduce as jr
import producers
from producers import Array, Exchanged, made
from test_cupy import ndarray, stand_in
from test_groups import flattened
from test_reductions import Judged, sample

LAYERS = tuple(str(Path(jr.__file__).parent / name) for name in ("_functions.py", "_engine.py", "_launch.py", "_results.py"))
KINDS = (Exchanged, jr.DeviceArray, ndarray)
X = np.array([[3, 1, 4], [1, 5, 9]], "f4")
MASK = np.array([[True, False, True], [True, True, False]])


def python_calls(function):
    """What a function returns, and the functions of the package's layers in Python that it ran."""
    ran = []

    def see(frame, event, _):
        if event == "call" and frame.f_code.co_filename in LAYERS:
            ran.append(frame.f_code.co_name)

    sys.setprofile(see)
    try:
        found = function()
    finally:
        sys.setprofile(None)
    return found, ran


def numbers_of(found):
    """What is compared of results: values, types, shapes and how they lie."""
    if isinstance(found, tuple):
        return tuple(map(numbers_of, found))
    if isinstance(found, (Array, jr.DeviceArray)):
        ours = getattr(found, "ours", found)
        return type(found), ours.dtype, found.shape, ours._array.strides, ours.numpy().tobytes()
    return type(found), repr(found)


def outcome(function, *args, **named):
    """A result as numbers, or the exception."""
    try:
        return numbers_of(function(*args, **named))
    except Exception as error:  # pylint: disable=broad-exception-caught
        return type(error), str(error)


class Replay(Judged):
    """Equal calls, and those that are not."""

    def setUp(self):
        modules = unittest.mock.patch.dict(sys.modules, cupy=stand_in())
        modules.start()
        self.addCleanup(modules.stop)

    def alike(self, function, *calls):
        """Each call, a pair (args, named) made by a function, has what the function in Python has, in any order."""
        for call in (*calls, *calls, *reversed(calls)):
            args, named = call()
            expected_args, expected_named = call()
            self.assertEqual(outcome(function, *args, **named), outcome(function.__wrapped__, *expected_args, **expected_named))

    def pairs(self, kind):
        """(function, first call, others), for each argument; arrays are made for each call."""
        def x(elements=X):
            return made(kind, elements)

        def call(*args, **named):
            return lambda: ([one() if isinstance(one, types.FunctionType) else one for one in args],
                            {name: one() if isinstance(one, types.FunctionType) else one for name, one in named.items()})

        yield jr.sum, call(x, axis=0), call(x, axis=1), call(x, 0), call(x, axis=-1), call(x, axis=(0,)), call(x, axis=[0, 1]), call(x, axis=()), call(
            x, axis=None), call(x, axis=0.0), call(x, axis=False), call(x, axis=2), call(x, axis="0"), call(x, axis=np.int64(0)), call(x, axis=np.int8(1))
        yield jr.sum, call(x, axis=0), call(lambda: x(X.T), axis=0), call(lambda: x(np.asfortranarray(X)), axis=0), call(
            lambda: x(X.astype("i4")), axis=0), call(lambda: x(X[None]), axis=0), call(lambda: x(X[:, :2].copy()), axis=0), call(lambda: x(X[:, :0]), axis=0)
        yield jr.sum, call(x, keepdims=True), call(x, keepdims=False), call(x, keepdims=1), call(x, keepdims=None), call(x, keep=True)
        yield jr.sum, call(x, dtype="float64"), call(x, dtype="float32"), call(x, dtype=float), call(x, dtype=int), call(x, dtype=np.dtype("f8")), call(
            x, dtype=np.float32), call(x, dtype="i8"), call(x, dtype=None)
        yield jr.var, call(x, correction=1), call(x, correction=1.0), call(x, correction=True), call(x, correction=0), call(x, correction=-0.0), call(
            x, correction=np.float64(0.5)), call(x, correction=np.float32(0.5)), call(x, correction="1")
        yield jr.sum, call(x, where="x > 3"), call(x, where="x > 4"), call(x, where=True), call(x, where=False), call(x, where=np.bool_(False)), call(
            x, where=lambda: x(MASK)), call(x, where=lambda: x(~MASK)), call(x, where=lambda: x(X)), call(x, where=lambda: x(MASK[:1]))
        yield jr.max, call(x, initial=4), call(x, initial=4.5), call(x, initial=True), call(x, initial=100), call(x, initial=np.float32(7)), call(
            x, initial=np.array(8.0)), call(x, initial="4"), call(x, initial=[4])
        yield jr.sum, call(x, where="q / 2 > 0", parameters={"q": 1}), call(x, where="q / 2 > 0", parameters={"q": 1.0}), call(
            x, where="q / 2 > 0", parameters={"q": np.float32(1)}), call(x, where="q / 2 > 0", parameters={"q": True}), call(
            x, where="q / 2 > 0", parameters={"q": 4}), call(x, where="q / 2 > 0", parameters={"r": 4}), call(x, where="q / 2 > 0", parameters={"q": [4]}), call(
            x, where="q > r", parameters={"q": 1, "r": 2}), call(x, where="q > r", parameters={"r": 1, "q": 2})
        yield jr.sum, call(x, accuracy="exact"), call(x, accuracy="fast"), call(x, accuracy="reproducible"), call(x, exact=True), call(
            x, exact=False), call(x, exact=True, accuracy="fast"), call(x, accuracy="best")
        yield jr.max, call(x, nan="ignore"), call(x, nan="propagate"), call(x, nan=1)
        yield jr.max, call(x, value=True), call(x, value=False), call(x, value=1), call(x, value=True, axis=0), call(x, value=True, where="x > 99")
        yield jr.sum, call(x, block=128), call(x, block=64), call(x, block=64.0), call(x, unroll=2), call(x, grid=3), call(x, algorithm="two_pass"), call(
            x, algorithm="none")
        yield jr.norm, call(x, ord=1), call(x, ord=2), call(x, ord=2.0), call(x, ord=True), call(x, 1, 0), call(x, 1, 1), call(x, ord=float("inf")), call(x, axis=0)
        yield jr.dot, call(x, x), call(x, lambda: x(X + 1)), call(x, lambda: x(X.T)), call(x, lambda: x(X.astype("f8"))), call(x, x, axis=1), call(
            x), call(x, x, 1), call(x, x, where=lambda: x(MASK))
        yield jr.reduce, call(x, ("min", "max")), call(x, ["min", "max"]), call(x, ("max", "min")), call(x, ("min", "argmax", "any"), axis=1), call(
            x, "sum"), call(x, ("sum",)), call(x, ()), call(x, ("min", "mean"), value=True), call(x, ("sum", "mean"), where="x > 99", value=True)
        yield jr.minmax, call(x), call(x, axis=0), call(x, axis=1, keepdims=True), call(lambda: x(np.asfortranarray(X)), axis=1), call(x, nan="ignore")
        yield jr.cumulative_sum, call(x, axis=0), call(x, axis=1), call(x, axis=1, exclusive=True), call(x, axis=1, include_initial=True), call(x), call(
            lambda: x(X[0])), call(lambda: x(X[0]), include_initial=True), call(x, axis=0, dtype="float64"), call(lambda: x(np.asfortranarray(X)), axis=0)
        yield jr.argmax, call(x, axis=0), call(x, axis=1), call(x), call(lambda: x(np.asfortranarray(X))), call(lambda: x(np.asfortranarray(X)), axis=0)
        squares, products = jr.Reduction("sum", map="x * x"), jr.Reduction("sum", map="x * y + q", parameters={"q": 0})
        yield jr.Reduction.__call__, call(squares, x), call(squares, x, axis=0), call(squares, x, axis=1), call(squares, x, 0), call(squares, x, x), call(
            squares, x, initial=2), call(squares), call(jr.Reduction("sum", map="x * x + 1"), x), call(jr.Reduction(("min", "max"), map="x * x"), x, axis=0)
        yield jr.Reduction.__call__, call(products, x, x), call(products, x, lambda: x(X + 1)), call(products, x), call(products, x, x, parameters={"q": 1}), call(
            products, x, x, where=lambda: x(MASK)), call(squares, x), call(3, x)
        def keys(elements=(7, 7, 8, 8, 8, 9), dtype="i4"):
            return made(kind, np.array(elements, dtype))

        def flat(dtype="f4"):
            return made(kind, np.array([3, 1, 4, 1, 5, 9], dtype))

        yield jr.reduce_by_key, call(keys, flat), call(lambda: keys((1, 2, 2, 2, 2, 3)), flat), call(lambda: keys(dtype="i8"), flat), call(
            lambda: keys((1, 1, 1, 1, 1, 1)), flat), call(keys, lambda: flat("i8")), call(keys, flat, op="max"), call(keys, flat, op=("sum", "max")), call(
            keys, flat, op=["sum", "argmin"]), call(keys, flat, counts=True), call(keys, flat, op=("min", "any"), counts=True), call(keys), call(
            keys, flat, flat, op="dot"), call(keys, flat, where="x > 1"), call(keys, flat, where=lambda: made(kind, np.array([1, 0, 0, 1, 1, 1], "?"))), call(
            keys, flat, initial=2), call(keys, flat, op=jr.Reduction("sum", map="x * x")), call(lambda: keys(()), lambda: made(kind, np.zeros(0, "f4")))
        yield jr.sum, call(x, stream=0), call(x, stream=1), call(x, stream=None), call(x, stream=2), call(x, stream="x"), call(x, stream=True), call(x, stream=-1)
        yield jr.sum, call(x, context=jr.default_context()), call(x, context=None), call(x, context="sim")

    def test_each_argument_that_changes_is_noticed(self):
        for place, kind in enumerate(KINDS):
            for turn, (function, first, *others) in enumerate(sample([*self.pairs(kind)], place, 4)):
                with self.subTest(kind=kind.__name__, function=function.__name__), warnings.catch_warnings(action="ignore"):
                    self.alike(function, first, *sample(others, turn, 5))

    def test_the_second_equal_call_runs_no_python(self):
        calls = [lambda x: jr.sum(x, axis=0), lambda x: jr.sum(x, axis=1, keepdims=True), lambda x: jr.sum(x, axis=(0, 1)),
                 lambda x: jr.argmax(x, axis=1), lambda x: jr.std(x, axis=1, correction=1), lambda x: jr.norm(x, axis=1), lambda x: jr.dot(x, x),
                 lambda x: jr.cumulative_sum(x, axis=1), lambda x: jr.cumulative_sum(x, axis=0, exclusive=True), lambda x: jr.sum(x, dtype="float64"),
                 lambda x: jr.sum(x, dtype=np.dtype("f8")), lambda x: jr.sum(x, accuracy="exact"), lambda x: jr.minmax(x), lambda x: jr.minmax(x, axis=0),
                 lambda x: jr.reduce(x, ("min", "argmax"), value=True), lambda x: jr.max(x, initial=4), lambda x: jr.sum(x, where="x > 3"),
                 lambda x: jr.sum(x, where="x > q", parameters={"q": 3}), lambda x: jr.max(x, nan="ignore"), lambda x: jr.sum(x, stream=1), jr.Reduction("sum", map="x * x"),
                 lambda x, pairs=jr.Reduction("sum", map="x * y"): pairs(x, x, axis=1)]
        for kind in KINDS:
            x, mask, out = made(kind, X), made(kind, MASK), made(kind, np.zeros(3, "f4"))
            for number, call in enumerate([*calls, lambda x, mask=mask: jr.sum(x, axis=0, where=mask), lambda x, out=out: jr.sum(x, axis=0, out=out)]):
                with self.subTest(kind=kind.__name__, number=number):
                    jr._jitreduce.forget()
                    first, ran = python_calls(lambda: call(x))  # pylint: disable=cell-var-from-loop
                    first = numbers_of(first)
                    second, again = python_calls(lambda: call(x))  # pylint: disable=cell-var-from-loop
                    self.assertIn("take_accuracy", ran)
                    self.assertEqual(again, [])
                    self.assertEqual(numbers_of(second), first)

    def test_runs_of_keys_run_no_python(self):
        rng = np.random.default_rng(3)
        options = ({}, {"op": ("min", "max")}, {"op": "argmax", "counts": True}, {"op": ("sum", "min"), "counts": True},
                   {"op": jr.Reduction("sum", map="x * x")})
        for kind, more in itertools.product((Exchanged, ndarray), options):
            values, kept = made(kind, np.arange(3000.0)), []
            jr._jitreduce.forget()
            for round_ in range(12):
                keys = made(kind, np.sort(rng.integers(0, 5 + 100 * round_, 3000)))
                found, ran = python_calls(lambda: jr.reduce_by_key(keys, values, **more))  # pylint: disable=cell-var-from-loop
                self.assertEqual("reduce_runs" in ran, round_ == 0)
                kept.append((found, numbers_of(jr.reduce_by_key.__wrapped__(keys, values, **more))))
            for found, expected in kept:
                self.assertEqual(numbers_of(found), expected)

    def test_runs_of_keys_without_a_wait_run_no_python(self):
        options = ({}, {"op": ("min", "max")}, {"op": "argmax", "counts": True}, {"op": ("sum", "min"), "counts": True})
        for kind, more in itertools.product((Exchanged, ndarray), options):
            values, kept = made(kind, np.arange(3000.0)), []
            jr._jitreduce.forget()
            for round_ in range(9):
                keys = made(kind, np.arange(3000) // (1 + 100 * round_))
                found, ran = python_calls(lambda: jr.reduce_by_key(keys, values, wait=False, **more))  # pylint: disable=cell-var-from-loop
                self.assertEqual("reduce_runs" in ran, round_ == 0)
                kept.append((found, jr.reduce_by_key.__wrapped__(keys, values, **more)))
            for round_, (found, expected) in enumerate(kept):
                runs = -(-3000 // (1 + 100 * round_))
                self.assertEqual((int(found[-1].numpy()), found[-1].shape), (runs, ()))
                for one, right in zip(flattened(found[:-1]), flattened(expected), strict=True):
                    self.assertEqual((type(one), one.shape), (type(right), (3000,)))
                    np.testing.assert_array_equal(one.numpy()[:runs], right.numpy())

    def test_elements_are_those_of_now(self):
        for kind in KINDS:
            x = made(kind, X)
            for number in range(4):
                getattr(x, "ours", x)._memory.write(jr._jitreduce.Array.of(X + number))
                self.same(jr.sum(x, axis=1).numpy(), (X + number).sum(axis=1))
                self.same(jr.sum(made(kind, X - number), axis=1).numpy(), (X - number).sum(axis=1))

    def test_what_is_changed_inside_of_an_argument_is_noticed(self):
        for kind in KINDS:
            x, axis, limits, ops = made(kind, X), [0], {"q": 3}, ["min", "max"]
            for axes, least, names in (([0], 3, ["min", "max"]), ([0], 3, ["min", "max"]), ([0, 1], 4, ["min", "sum"]), ([1], 1.5, ["max"])):
                axis[:], limits["q"], ops[:] = axes, least, names
                self.same(jr.sum(x, axis=axis).numpy()[()], X.sum(axis=tuple(axes)))
                self.assertEqual(jr.sum(x, where="x > q", parameters=limits).numpy(), X[X > least].sum())
                found = jr.reduce(x, ops, axis=0)
                for name, one in zip(names, found, strict=True):
                    self.same(one.numpy(), getattr(np, name)(X, axis=0))

    def test_zeros_of_both_signs_are_two_numbers(self):
        for kind in KINDS:
            x = made(kind, np.full((1, 2), -0.0))
            for initial in (0.0, 0.0, -0.0, 0.0, -0.0):
                found = jr.sum(x, axis=0, initial=initial).numpy()
                self.assertEqual(np.signbit(found).tolist(), [np.signbit(initial)] * 2)

    def test_names_in_another_order_and_made_names_are_taken(self):
        x = made(Exchanged, X)
        for _ in range(3):
            self.same(jr.sum(x, axis=0, dtype="float64").numpy(), X.sum(axis=0, dtype="f8"))
            self.same(jr.sum(x, dtype="float64", axis=1).numpy(), X.sum(axis=1, dtype="f8"))
            self.same(jr.sum(x, **{"".join(("ax", "is")): 0}).numpy(), X.sum(axis=0))
            self.same(jr.sum(x, 1, **{"".join(("wh", "ere")): made(Exchanged, MASK)}).numpy(), X.sum(axis=1, where=MASK))

    def test_a_stream_whose_name_was_made_is_the_one_that_is_asked_for(self):
        class Text(str):
            """A name."""

        stream, x = jr.Stream(), jr.DeviceArray.of(X)
        for name in ("stream", "".join(("str", "eam")), Text("stream")):
            for _ in range(3):
                found = jr.sum(x, axis=0, **{name: stream.number})
                self.assertEqual(found._array.stream, stream.number)
                stream.wait()
                self.same(found.numpy(), X.sum(axis=0))
            self.assertEqual(jr.sum(x, axis=0, **{name: 1})._array.stream, 1)

    def test_out_is_the_one_of_this_call_and_may_be_written(self):
        for kind in KINDS:
            x = made(kind, X)
            for _ in range(3):
                out = made(kind, np.zeros(3, "f4"))
                self.assertIs(jr.sum(x, axis=0, out=out), out)
                self.same(out.numpy(), X.sum(axis=0))
            for wrong in (np.zeros(2, "f4"), np.zeros(3, "f8"), np.zeros((3, 1), "f4")):
                self.assertRaisesRegex(ValueError, "out has elements", lambda: jr.sum(x, axis=0, out=made(kind, wrong)))
            self.assertRaisesRegex(ValueError, "host memory", lambda: jr.sum(x, axis=0, out=np.zeros(3, "f4")))
        out = made(Exchanged, np.zeros(3, "f4"))
        for _ in range(2):
            jr.sum(x := made(Exchanged, X), axis=0, out=out)
        with unittest.mock.patch.object(Exchanged, "flags", 1), self.assertRaisesRegex(ValueError, "out is read-only"):
            jr.sum(x, axis=0, out=out)

    def test_an_out_of_pytorchs_is_borrowed_as_its_inputs_are(self):
        theirs = type("Tensor", (Exchanged,), {"__module__": "torch"})
        for kind, exports in ((theirs, 0), (Exchanged, 1)):
            x, out = kind(X), kind(np.zeros(3, "f4"))
            jr.sum(x, axis=0, out=out)
            before = Exchanged.counts["export"]
            self.assertIs(jr.sum(x, axis=0, out=out), out)
            self.same(out.numpy(), X.sum(axis=0))
            self.assertEqual(Exchanged.counts["export"] - before, exports)

    def test_one_array_in_two_places_is_two_arrays(self):
        for kind in KINDS:
            x, y = made(kind, X), made(kind, X + 1)
            for a, b in ((x, x), (x, x), (x, y), (y, x), (y, y)):
                self.assertEqual(jr.dot(a, b).numpy(), np.vdot(a.numpy(), b.numpy()))
            mask, out = made(kind, MASK), made(kind, np.zeros_like(MASK))
            for m, o in ((mask, mask), (mask, mask), (mask, out)):
                self.same(jr.any(mask, axis=(), where=m, out=o).numpy(), MASK)

    def test_results_have_memory_of_their_own(self):
        for kind in KINDS:
            x = made(kind, np.arange(40.0).reshape(4, 10))
            kept = [(jr.sum(x, axis=0), jr.minmax(x, axis=1), jr.cumulative_sum(x, axis=1)) for _ in range(80)]
            first = numbers_of(kept[0])
            for one in kept:
                self.assertEqual(numbers_of(one), first)
            spans = sorted((getattr(a, "ours", a).address, getattr(a, "ours", a).nbytes)
                           for total, (least, _), scanned in kept for a in (total, least, scanned))
            for (address, size), (after, _) in zip(spans, spans[1:]):
                self.assertLessEqual(address + size, after)

    def test_memory_of_large_results_is_given_back_with_them(self):
        x = made(Exchanged, np.asfortranarray(np.arange(12000.0).reshape(120, 100)))
        for call in (lambda: jr.cumulative_sum(x, axis=0), lambda: jr.reduce(x, ("min", "max"), axis=()), lambda: jr.sum(x, axis=())):
            call(), call()
            before = len(producers._alive)
            kept = [call() for _ in range(5)]
            self.assertGreater(len(producers._alive) + len(kept), before)
            del kept
            self.assertEqual(len(producers._alive), before)

    def test_another_default_context_and_a_closed_one(self):
        x = made(Exchanged, X)
        before = jr.default_context()
        self.addCleanup(jr.set_default_context, before)
        expected = numbers_of(jr.sum(x, axis=0))
        other = jr.Context("sim", cache_dir="")
        jr.set_default_context(other)
        counted = other.counters()
        for _ in range(2):
            self.assertEqual(numbers_of(jr.sum(x, axis=0)), expected)
        self.assertNotEqual(other.counters(), counted)
        for _ in range(2):
            self.assertEqual(numbers_of(jr.sum(x, axis=0, context=other)), expected)
        other.close()
        self.assertRaisesRegex(ValueError, "is closed", jr.sum, x, axis=0)
        self.assertRaisesRegex(ValueError, "is closed", jr.sum, x, axis=0, context=other)
        jr.set_default_context(before)
        self.assertEqual(numbers_of(jr.sum(x, axis=0)), expected)

    def test_the_stream_of_each_call_waits_for_the_arrays(self):
        theirs, ours, third = jr.Stream(), jr.Stream(), jr.Stream()
        fill = jr.Kernel("""extern "C" __global__ void fill(float *x, float with, int count, int rounds) {
            float value = with;
            for (int i = 0; i < rounds; i++) value = value * 5 + with - value * 5;
            for (int i = threadIdx.x; i < count; i += blockDim.x) x[i] = with + (value != value);
        }""", "fill")
        x, out = made(Exchanged, X), made(Exchanged, np.zeros(3, "f4"))
        with unittest.mock.patch.object(Exchanged, "stream", theirs.number):
            for round_ in range(1, 8):
                fill(1, 32, (x.ours, np.float32(round_), np.int32(6), np.int32(300000)), stream=theirs)
                stream = (ours, third, ours.number, None)[round_ % 4]
                found = jr.sum(x, axis=0, stream=stream)
                jr.sum(x, axis=0, stream=stream, out=out)
                value = jr.max(x, axis=None, stream=stream, value=True)
                for waited in (theirs, ours, third):
                    waited.wait()
                self.assertEqual(value, round_)
                self.assertEqual(found.numpy().tolist(), [2 * round_] * 3)
                self.assertEqual(out.numpy().tolist(), [2 * round_] * 3)

    def test_a_stream_is_asked_for_its_handle_at_each_call(self):
        x, streams, asked = made(Exchanged, X), [jr.Stream(), jr.Stream()], []

        class Changing:
            """Whose stream is another one each time."""

            def __cuda_stream__(self):
                asked.append(streams[len(asked) % 2].number)
                return 0, asked[-1]

        stream = Changing()
        with unittest.mock.patch.object(Exchanged, "stream", streams[1].number):
            for _ in range(4):
                found = jr.sum(x, axis=0, stream=stream)
                streams[0].wait()
                streams[1].wait()
                self.same(found.numpy(), X.sum(axis=0))
        self.assertGreaterEqual(len(asked), 4)

    def test_a_captured_call_goes_into_the_graph(self):
        for kind in KINDS:
            x, stream = made(kind, X), jr.Stream()
            out = made(kind, np.zeros(3, "f4"))
            named = {"stream": stream} if kind is jr.DeviceArray else {}
            with unittest.mock.patch.object(Exchanged, "stream", stream.number), unittest.mock.patch.object(ndarray, "told", {"stream": stream.number}):
                for _ in range(2):
                    jr.sum(x, axis=0, out=out, **named)
                    jr.sum(x, axis=1, **named)
                stream.wait()
                with stream.capture() as graph:
                    jr.sum(x, axis=0, out=out, **named)
                    found, ran = python_calls(lambda: jr.sum(x, axis=1, **named))  # pylint: disable=cell-var-from-loop
                self.assertIn("take_accuracy", ran)  # results of replayed calls share memory, those in a graph do not
                getattr(x, "ours", x)._memory.write(jr._jitreduce.Array.of(X + 1))
                for _ in range(3):
                    graph.launch(stream)
                stream.wait()
                self.same(out.numpy(), (X + 1).sum(axis=0))
                self.same(found.numpy(), (X + 1).sum(axis=1))

    def test_a_stream_that_waits_for_a_captured_one_is_captured_with_it(self):
        theirs, ours, order = jr.Stream(), jr.Stream(), jr.default_context()._context.order
        for given in ({}, {"value": False}):
            x, out = made(Exchanged, X), made(Exchanged, np.zeros(3, "f4"))
            with unittest.mock.patch.object(Exchanged, "stream", theirs.number):
                for _ in range(2):
                    jr.sum(x, axis=0, out=out, stream=ours, **given)
                ours.wait()
                with theirs.capture() as graph:
                    jr.sum(x, axis=0, out=out, stream=ours, **given)
                    order(ours.number, theirs.number)
                x.ours._memory.write(jr._jitreduce.Array.of(X + 1))
                graph.launch(theirs)
                theirs.wait()
            self.same(out.numpy(), (X + 1).sum(axis=0))

    def test_a_device_array_on_another_stream_is_not_used_again(self):
        first, second = jr.Stream(), jr.Stream()
        x = jr.DeviceArray.of(X)
        for _ in range(3):
            used = jr.sum(x, axis=1, stream=first)
            address = used.address
            found = jr.sum(used, axis=0, stream=second)
            del used
            held = [jr.DeviceArray.of(np.zeros(2)) for _ in range(16)]  # a driver gives freed memory out again
            self.assertNotEqual(jr.sum(x, axis=1, stream=first).address, address)
            self.assertEqual(found.numpy(), X.sum())
            del held

    def test_references_are_as_many_as_before(self):
        class Name:
            """A dtype."""

            name = "float64"

        for kind in KINDS:
            x, y, mask, out, dtype = made(kind, X), made(kind, X), made(kind, MASK), made(kind, np.zeros(3, "f8")), Name()
            axis, limits = (0,), {"q": 3}
            keys, flat = made(kind, np.arange(6) // 4), made(kind, np.arange(6.0))
            held = (x, y, keys, flat, mask, out, dtype, axis, limits, type(x), jr.default_context())

            def calls():
                jr.sum(x, axis=axis, dtype=dtype, out=out, where=mask)  # pylint: disable=cell-var-from-loop
                jr.sum(x, where="x > q", parameters=limits)  # pylint: disable=cell-var-from-loop
                jr.dot(x, y, axis=axis)  # pylint: disable=cell-var-from-loop
                jr.minmax(x, axis=axis)  # pylint: disable=cell-var-from-loop
                jr.reduce_by_key(keys, flat, op=("sum", "max"), counts=True)  # pylint: disable=cell-var-from-loop
                jr.reduce(x, ("min", "sum"), value=True)  # pylint: disable=cell-var-from-loop
                for wrong in ({"axis": 7}, {"out": mask}, {"dtype": object()}):
                    with self.assertRaises((TypeError, ValueError)):
                        jr.sum(x, **wrong)  # pylint: disable=cell-var-from-loop

            for _ in range(3):
                calls()
            before = [sys.getrefcount(one) for one in held]
            for _ in range(300):
                calls()
            self.assertEqual([sys.getrefcount(one) for one in held], before)

    def test_records_are_bounded(self):
        class Name:
            """A dtype."""

            name = "float64"

        x, names = made(Exchanged, X), []
        for _ in range(1000):
            dtype = Name()
            names.append(weakref.ref(dtype))
            jr.sum(x, axis=0, dtype=dtype)
        del dtype
        kept = sum(name() is not None for name in names)
        self.assertGreater(kept, 0)
        self.assertLessEqual(kept, 256)
        jr.sum._forget()
        self.assertEqual(sum(name() is not None for name in names), 0)

    def test_threads_have_results_of_their_own_calls(self):
        wrong = []

        def work(number):
            x = made(Exchanged, X + number)
            for round_ in range(40):
                axis = (number + round_) % 2
                found = jr.sum(x, axis=axis, initial=round_ % 5).numpy()
                if not np.array_equal(found, (X + number).sum(axis=axis, initial=round_ % 5)):
                    wrong.append((number, round_))

        threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(wrong, [])

    def test_a_call_that_calls_is_not_recorded_as_the_other(self):
        inner = made(Exchanged, X + 1)

        class Nested(Exchanged):
            """Whose attribute asks for another reduction."""

            @property
            def mask(self):
                """None; meanwhile a sum of other elements."""
                jr.sum(inner, axis=0)
                jr.sum.__wrapped__(inner, axis=0)
                raise AttributeError("mask")

        x = made(Nested, X)
        for _ in range(3):
            self.same(jr.sum(x, axis=0).numpy(), X.sum(axis=0))
            self.same(jr.sum(inner, axis=0).numpy(), (X + 1).sum(axis=0))
            self.same(jr.cumulative_sum(x, axis=1, include_initial=True).numpy(), np.cumsum(np.pad(X, ((0, 0), (1, 0))), axis=1))

