"""Kept states: of exact sums, held against math.fsum, and fractions; tests/judge/exact_states.py reads their bytes."""

import copy
import fractions
import math
import pickle
import struct
import subprocess
import sys
import threading
import unittest

import numpy as np

import jitreduce as jr
from test_accuracy import hostile
from test_reductions import sample

RANDOM = np.random.default_rng(23)


class States(unittest.TestCase):
    """ExactState."""

    def test_parts_in_any_order_have_the_sum_of_fsum_and_the_same_bytes(self):
        x = hostile(2000)
        whole = jr.ExactState().add(x)
        self.assertEqual((whole.value(), type(whole.value()), whole.elements), (math.fsum(x), float, len(x)))
        for cuts in range(3):
            parts = np.split(RANDOM.permutation(x), np.sort(RANDOM.integers(0, len(x), 5)))
            states = [jr.ExactState().add(part) for part in parts]
            merged = jr.ExactState()
            for number, state in enumerate(states):
                self.assertIs(merged.merge(state if number % 2 else state.to_bytes()), merged)
            self.assertEqual((merged.value(), merged.to_bytes()), (math.fsum(x), whole.to_bytes()), cuts)
            self.assertEqual(states[0].value(), math.fsum(parts[0]))  # merged from, it stays as it is

    def test_a_value_is_no_end(self):
        state = jr.ExactState()
        self.assertEqual(state.value(), 0)
        for number in (1e308, 1e308, -1e308, 2.0**-1074):
            state.add(np.array([number]))
            state.value()
        self.assertEqual(state.add(np.array([-1e308])).value(), 2.0**-1074)

    def test_every_operator_is_that_of_fractions(self):
        x, y = hostile(150, "f4").astype("f8"), hostile(150, "f4").astype("f8")
        exact = [fractions.Fraction(number) for number in x.tolist()]
        mean = sum(exact) / len(exact)
        squares = sum(number**2 for number in exact)
        wanted = {"sum": sum(exact), "mean": mean, "sumsq": squares, "norm1": sum(map(abs, exact)),
                  "var": squares / len(exact) - mean**2}
        for op, number in sample([*wanted.items()], 1, 4):
            with self.subTest(op=op):
                self.assertEqual(jr.ExactState(op).add(x[:70]).add(x[70:]).value(), float(number))
        self.assertEqual(jr.ExactState(("var", "sum")).add(x).value(), (float(wanted["var"]), float(wanted["sum"])))
        self.assertEqual(jr.ExactState(("sum",)).add(x).value(), (float(sum(exact)),))
        dot = sum(a * fractions.Fraction(b) for a, b in zip(exact, y.tolist()))
        self.assertEqual(jr.ExactState("dot").add(x, y).value(), float(dot))
        self.assertEqual(jr.ExactState(jr.Reduction("sum", map="x * q", parameters={"q": 2.0})).add(x).value(),
                         2 * math.fsum(x))
        unbiased = (squares - len(exact) * mean**2) / (len(exact) - 1)
        self.assertEqual(jr.ExactState("var", ddof=1.0).add(x).value(), float(unbiased))
        self.assertEqual(jr.ExactState("norm").add(x).value(), jr.norm(x, exact=True))

    def test_types_of_elements_and_results(self):
        for dtype in "efd":
            x = hostile(100, "f4").astype("f8").clip(-1000, 1000).astype(dtype)
            found = jr.ExactState("sum", x.dtype).add(x).value()
            self.assertEqual(found, float(np.dtype(dtype).type(math.fsum(x.astype("f8")))), dtype)
        x = hostile(100, "f4")
        self.assertEqual(jr.ExactState("sum", "float32", result="float64").add(x).value(), math.fsum(x.astype("f8")))
        whole = np.array([2**62, 1, 2**62, 1025])
        self.assertEqual(jr.ExactState("sum", int, result="float64").add(whole).value(), float(2**63 + 1026))
        narrow = jr.ExactState("dot", ("float32", "float64")).add(np.array([1.5], "f4"), np.array([2.0]))
        self.assertEqual(narrow.value(), 3)

    def test_numbers_that_are_none_and_negative_zero(self):
        for numbers, wanted in (([np.inf, 1], math.inf), ([-np.inf], -math.inf), ([np.inf, -np.inf], math.nan),
                                ([np.nan, 1], math.nan), ([-0.0], -0.0), ([-0.0, 0.0], 0.0)):
            found = jr.ExactState().add(np.array(numbers)).value()
            self.assertEqual(struct.pack("d", abs(found) if found != found else found),
                             struct.pack("d", abs(wanted) if wanted != wanted else wanted), numbers)
        self.assertEqual(jr.ExactState(nan="ignore").add(np.array([np.nan, 2])).value(), 2)

    def test_where_and_the_index_go_on_from_part_to_part(self):
        x = hostile(100)
        state = jr.ExactState(where="i % 3 == 0")
        for part in np.split(x, [1, 50, 50, 77]):
            state.add(part)
        self.assertEqual(state.value(), math.fsum(x[::3]))
        again = jr.ExactState.from_bytes(state.to_bytes(), where="i % 3 == 0")
        self.assertEqual((again.value(), again.elements), (math.fsum(x[::3]), len(x)))
        self.assertRaises(jr.StateError, lambda: jr.ExactState.from_bytes(state.to_bytes(), where="i % 3 == 1"))
        self.assertRaises(jr.StateError, lambda: jr.ExactState.from_bytes(state.to_bytes()))

    def test_bytes_tell_whether_nan_is_left_out(self):
        state = jr.ExactState("sum", "float64", nan="ignore").add(np.array([1, math.nan, 2]))
        self.assertEqual(jr.ExactState.from_bytes(state.to_bytes()).add(np.array([math.nan, 3])).value(), 6)

    def test_bytes_and_pickles_are_the_state(self):
        x = hostile(300)
        for make in sample((lambda: jr.ExactState("norm2"), lambda: jr.ExactState(("mean", "var"), nan="ignore", ddof=1.0), jr.ExactState,
                            lambda: jr.ExactState("sum", np.dtype("f8"), where="x < limit", parameters={"limit": 3}),
                            lambda: jr.ExactState(jr.Reduction("sum", map="x + q", parameters={"q": 0.5}))), 1, 2):
            made = make().add(x)
            for again in (pickle.loads(pickle.dumps(made)), copy.deepcopy(made)):
                with self.subTest(made=made):
                    self.assertEqual((again.value(), again.to_bytes(), again.elements),
                                     (made.value(), made.to_bytes(), made.elements))
                    again.add(x[:1])
                    self.assertEqual((again.elements, made.elements), (len(x) + 1, len(x)))
        for op in ("sum", ("sum", "mean"), "dot"):
            made = jr.ExactState(op)
            made.add(*[x] * (2 if op == "dot" else 1))
            again = jr.ExactState.from_bytes(bytearray(made.to_bytes()))
            self.assertEqual((again.value(), again.to_bytes()), (made.value(), made.to_bytes()))

    def test_another_process_goes_on(self):
        x = hostile(50)
        program = ("import sys, pickle, jitreduce, numpy; state = pickle.loads(bytes.fromhex(sys.argv[1])); "
                   "print(state.add(numpy.array([2.5])).to_bytes().hex())")
        kept = pickle.dumps(jr.ExactState().add(x)).hex()
        told = subprocess.run([sys.executable, "-c", program, kept], check=True, capture_output=True, text=True).stdout
        self.assertEqual(jr.ExactState.from_bytes(bytes.fromhex(told)).value(), math.fsum([*x, 2.5]))

    def test_device_memory_and_streams_have_the_same_bytes(self):
        x = hostile(700)
        there = jr.ExactState().add(jr.DeviceArray.of(x[:300])).add(jr.DeviceArray.of(x[300:]), stream=jr.Stream())
        self.assertEqual((there.value(), there.to_bytes()), (math.fsum(x), jr.ExactState().add(x).to_bytes()))
        self.assertEqual(there.add(x[:1]).add(jr.DeviceArray.of(-x[:1])).value(), math.fsum(x))
        indexed = jr.ExactState(where="i >= 2").add(jr.DeviceArray.of(x[:3])).add(jr.DeviceArray.of(x[3:5]))
        self.assertEqual(indexed.value(), math.fsum(x[2:5]))
        empty = jr.ExactState().add(jr.DeviceArray.of(np.zeros(0)))
        self.assertEqual((empty.value(), empty.elements), (0, 0))

    def test_orders_in_memory(self):
        x = hostile(100)[:200].reshape(10, 20)
        self.assertEqual(jr.ExactState().add(x.T).value(), math.fsum(x.ravel()))
        self.assertEqual(jr.ExactState().add(x[:, ::2]).value(), math.fsum(x[:, ::2].ravel()))
        self.assertEqual(jr.ExactState(where="i > 1").add(x.T).value(), math.fsum(x.T.ravel()[2:]))

    def test_threads_may_share_one(self):
        x, state = hostile(200), jr.ExactState()
        threads = [threading.Thread(target=lambda: [(state.add(x), state.value()) for _ in range(5)]) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual((state.value(), state.elements), (math.fsum(x.tolist() * 20), 20 * len(x)))

    def test_a_state_may_be_merged_with_itself(self):
        state = jr.ExactState().add(np.array([0.5, 3.0]))
        self.assertEqual((state.merge(state).value(), state.elements), (7, 4))

    def test_damaged_bytes_change_nothing(self):
        state = jr.ExactState().add(hostile(50))
        before = state.to_bytes()
        for data in (b"", before[:-1], before[:100] + bytes([before[100] ^ 1]) + before[101:], b"x" + before[1:], before + b"y"):
            for read in (state.merge, jr.ExactState.from_bytes):
                self.assertRaises((jr.StateError, jr.InvalidArgumentError), read, data)
        self.assertEqual(state.to_bytes(), before)

    def test_what_is_wrong_is_told(self):
        state = jr.ExactState()
        for other in (jr.ExactState("mean"), jr.ExactState("sum", "float32")):
            self.assertRaises(jr.StateError, state.merge, other)
        for wrong, words in ((lambda: state.add(np.ones(2, "f4")), "state takes elements of float64, not of float32"),
                             (lambda: state.add(np.ones(2), np.ones(2)), "takes 1 array, not 2"),
                             (lambda: jr.ExactState("prod"), "no exact form"),
                             (lambda: jr.ExactState("sum", "text"), "dtype"), (lambda: state.merge(None), "NoneType"),
                             (lambda: state.merge(5), "int"), (lambda: jr.ExactState.from_bytes("a"), "str")):
            self.assertRaisesRegex(TypeError, words, wrong)
        for wrong, words in ((lambda: jr.ExactState(jr.Reduction(combine="a + b", identity="0")), "with combine"),
                             (lambda: jr.ExactState("dot").add(np.ones(2), np.ones(3)), "shapes"),
                             (lambda: jr.ExactState(nan="none"), "nan=")):
            self.assertRaisesRegex(ValueError, words, wrong)
        self.assertEqual(state.elements, 0)


class AnyStates(unittest.TestCase):
    """State of operators that are no exact sums."""

    def test_parts_have_the_result_of_the_whole(self):
        x = RANDOM.integers(-1000, 1000, 500).astype("f4")
        x[7] = np.nan
        for op, nan in (("max", "ignore"), (("argmax", "min"), "ignore"), ("sum", "propagate"), ("mean", "ignore"), ("prod", "ignore"),
                        (jr.Reduction(combine="b == 0 ? a : b", identity="0"), "propagate")):
            with self.subTest(op=op):
                whole = jr.State(op, "float32", nan=nan).add(x)
                parts = [jr.State(op, "float32", nan=nan).add(part) for part in np.split(x, [3, 3, 100])]
                if isinstance(op, tuple):  # an index counts from the start of its state
                    parts = [jr.State(op, "float32", nan=nan).add(x[:3]).add(jr.DeviceArray.of(x[3:100])).add(x[100:])]
                again = pickle.loads(pickle.dumps(parts[0]))
                for part in parts[1:]:
                    again.merge(part)
                np.testing.assert_equal((again.value(), again.elements), (whole.value(), len(x)))

    def test_sums_that_never_round_are_exact(self):
        state = jr.ExactState("sum", int).add(np.array([2**62, 1]))
        self.assertEqual(jr.State.from_bytes(state.to_bytes()).add(np.array([2])).value(), 2**62 + 3)

    def test_bytes_say_what_they_are_of(self):
        kept = jr.State(("max", "argmax"), "int16", nan="ignore").add(np.array([1, 7], "i2")).to_bytes()
        self.assertEqual(jr.State.from_bytes(kept).add(np.array([9], "i2")).value(), (9, 2))
        exact = jr.ExactState().add(np.array([1e308, 1e308])).to_bytes()
        self.assertEqual(jr.State.from_bytes(exact).add(np.array([-1e308])).value(), 1e308)
        self.assertEqual(jr.State(exact=True).to_bytes(), jr.ExactState().to_bytes())
        self.assertRaisesRegex(jr.StateError, "sum of float64 with accuracy exact, not fast", lambda: jr.State().merge(exact))
        self.assertRaises(jr.EmptyInputError, lambda: jr.State("max").value())
        nothing = jr.State.from_bytes(jr.State("max").to_bytes())
        self.assertEqual((nothing.elements, nothing.add(np.array([2.0])).value()), (0, 2.0))
