"""Streams of arrays' libraries, of the caller, and captured ones: on which work is put, and what it waits for."""

import unittest.mock

import numpy as np

import jitreduce as jr
from jitreduce import _device, _jitreduce
from producers import Exchanged, InterfaceArray, OwnArray, made
from test_reductions import Judged

FILL = jr.Kernel("""extern "C" __global__ void fill(int *x, int with, int count, int rounds) {
    int value = with;
    for (int i = 0; i < rounds; i++) value = value * 5 + with - value * 5;
    for (int i = threadIdx.x; i < count; i += blockDim.x) x[i] = value;
}""", "fill")
COUNT = 1000


def fill(x, with_, stream, rounds=20000):
    """Puts a slow kernel on a stream that sets all elements."""
    FILL(1, 32, (x, np.int32(with_), np.int32(COUNT), np.int32(rounds)), stream=stream)


def write(x, elements):
    """Other elements for an array."""
    x.ours._memory.write(_jitreduce.Array.of(elements))


def workspace_of(stream, kind):
    """The address of the workspace that the plan of sums of all elements has for a stream."""
    call = jr._engine.Call((jr.DeviceArray.of(np.zeros(1, kind.replace("32", "4"))),), {})
    call.fields.update(jr._functions.fields_of("sum", kind))
    (address,) = [address for number, address in _device.plan_of(call.context, call.spec()).workspaces
                  if number == stream.number]
    return address


class Streams(Judged):
    """Where work is put."""

    def test_work_is_put_on_the_stream_of_the_arrays_library(self):
        stream = jr.Stream()
        x = made(Exchanged, np.zeros(COUNT, "i"))
        with unittest.mock.patch.object(Exchanged, "stream", stream.number):
            for round_ in range(1, 4):
                fill(x.ours, round_, stream)
                total, along = jr.sum(x), jr.sum(x, axis=0, keepdims=True)
                self.assertEqual(jr.sum(x, value=True), round_ * COUNT)
                stream.wait()
                self.assertEqual((total.numpy(), along.numpy()), (round_ * COUNT, [round_ * COUNT]))

    def test_capsules_are_asked_for_the_stream_of_the_work(self):
        stream = jr.Stream()
        x = made(OwnArray, np.zeros(COUNT, "i"))
        for given, asked in ((None, 1), (0, 1), (1, 1), (2, 2), (stream, stream.number), (stream.number, stream.number)):
            OwnArray.asked.clear()
            jr.sum(x, stream=given)
            self.assertEqual(OwnArray.asked, [asked])

    def test_the_stream_of_the_interface_is_that_of_the_work(self):
        stream = jr.Stream()
        x = made(InterfaceArray, np.zeros(COUNT, "i"))
        for told in (stream.number, 2, 1, None):
            with unittest.mock.patch.object(InterfaceArray, "told", {"stream": told}):
                fill(x.ours, 3, told)
                found = jr.sum(x)
                self.assertEqual(found.__cuda_array_interface__["stream"], told or 1)
                self.assertEqual(found.numpy(), 3 * COUNT)

    def test_a_stream_that_is_given_waits_for_the_arrays_library(self):
        before, given = jr.Stream(), jr.Stream()
        x = made(Exchanged, np.zeros(COUNT, "i"))
        y = made(InterfaceArray, np.zeros(COUNT, "i"))
        with unittest.mock.patch.object(Exchanged, "stream", before.number), \
                unittest.mock.patch.object(InterfaceArray, "told", {"stream": before.number}):
            for round_ in range(1, 4):
                fill(x.ours, round_, before)
                fill(y.ours, round_, before)
                self.assertEqual(jr.sum(x, value=True, stream=given), round_ * COUNT)
                found = jr.dot(y, x, stream=given)
                self.assertEqual(found.numpy(), round_ * round_ * COUNT)

    def test_arrays_of_two_libraries_are_waited_for(self):
        theirs, ours = jr.Stream(), jr.Stream()
        x, y = made(Exchanged, np.zeros(COUNT, "i")), made(InterfaceArray, np.full(COUNT, 2, "i"))
        ordered = []
        with unittest.mock.patch.object(Exchanged, "stream", theirs.number), \
                unittest.mock.patch.object(InterfaceArray, "told", {"stream": ours.number}), \
                unittest.mock.patch.object(_device, "order_streams", lambda _, *streams: ordered.append(streams)):
            jr.dot(x, y)
            self.assertIn((ours.number, theirs.number), ordered)
            jr.dot(y, x)
            self.assertIn((theirs.number, ours.number), ordered)

    def test_results_are_waited_for_by_who_takes_them(self):
        first, second = jr.Stream(), jr.Stream()
        x = jr.DeviceArray.of(np.zeros(COUNT, "i"))
        for round_ in range(1, 4):
            fill(x, round_, first, 200000)
            scanned = jr.cumulative_sum(x, stream=first)
            with unittest.mock.patch.object(OwnArray, "stream", second.number):
                taken = OwnArray.from_dlpack(scanned)
            found = jr.max(InterfaceArray(taken.ours), stream=second)
            self.assertEqual(found.numpy(), round_ * COUNT)

    def test_runs_on_several_streams_do_not_share_a_workspace(self):
        streams = [jr.Stream() for _ in range(3)]
        x = [jr.DeviceArray.of(np.full(100003, k, "i")) for k in (1, 2, 3)]
        found = [[jr.sum(a, stream=stream) for a, stream in zip(x, streams)] for _ in range(3)]
        for row in found:
            self.assertEqual([int(total.numpy()) for total in row], [100003, 200006, 300009])
        self.assertEqual(len({workspace_of(stream, "i32") for stream in streams}), 3)

    def test_results_take_memory_that_others_had_on_the_same_stream(self):
        first, second = jr.Stream(), jr.Stream()
        x = jr.DeviceArray.of(np.arange(12.0).reshape(3, 4))
        address = jr.sum(x, axis=0, stream=first).address
        self.assertNotEqual(jr.sum(x, axis=0, stream=second).address, address)
        again = jr.sum(x, axis=0, stream=first)
        self.assertEqual(again.address, address)
        for use in (lambda y: y.__dlpack__(stream=second.number), lambda y: y.__cuda_array_interface__,
                    lambda y: jr.sum(y, stream=second)):
            used = jr.sum(x, axis=1, stream=first)
            address = used.address
            use(used)
            del used
            held = [jr.DeviceArray.of(np.zeros(3)) for _ in range(16)]  # a driver gives freed memory out again
            self.assertNotEqual(jr.sum(x, axis=1, stream=first).address, address)
            del held
        self.same(again.numpy(), np.arange(12.0).reshape(3, 4).sum(axis=0))

    def test_a_result_outlives_its_stream(self):
        x = jr.DeviceArray.of(np.arange(5))
        self.assertEqual(jr.sum(x, stream=jr.Stream()).numpy(), 10)

    def test_what_is_no_stream_is_told(self):
        x = jr.DeviceArray.of(np.zeros(3))
        self.assertRaisesRegex(TypeError, "not a CUDA stream", jr.sum, x, stream="first")
        self.assertRaisesRegex(ValueError, "stream=-1", jr.sum, x, stream=-1)

    def test_streams_of_all_libraries_are_taken(self):
        class Torch:
            """PyTorch's."""

            cuda_stream = 77

        class CuPy:
            """CuPy's."""

            ptr = 78

        class Core:
            """cuda.core's."""

            def __cuda_stream__(self):
                return 0, 79

        self.assertEqual([_device.stream_number(stream()) for stream in (Torch, CuPy, Core)], [77, 78, 79])


class Graphs(Judged):
    """Captured work."""

    def test_calls_are_captured_with_all_kinds_of_results(self):
        stream = jr.Stream()
        x = made(Exchanged, np.ones(100003, "i"))
        rows = made(Exchanged, np.ones((20, 30)))
        jr.sum(x), jr.sum(rows, axis=0)
        with unittest.mock.patch.multiple(Exchanged, stream=stream.number, pool=[]):
            with stream.capture() as graph:
                total, along, scanned = jr.sum(x), jr.sum(rows, axis=0), jr.cumulative_sum(x)
                again = jr.sum(x)
            for round_ in (3, 4):
                write(x, np.full(100003, round_, "i"))
                write(rows, np.full((20, 30), float(round_)))
                self.assertNotEqual(total.numpy(), round_ * 100003)
                graph.launch()
                stream.wait()
                self.assertEqual((total.numpy(), again.numpy()), (round_ * 100003,) * 2)
                self.same(along.numpy(), np.full(30, 20.0 * round_))
                self.assertEqual(scanned.numpy()[-1], round_ * 100003)

    def test_a_graph_runs_beside_its_stream(self):
        stream, other = jr.Stream(), jr.Stream()
        x = jr.DeviceArray.of(np.full(100003, 2, "i"))
        y = jr.DeviceArray.of(np.full(100003, 3, "i"))
        out = jr.DeviceArray.of(np.zeros((), "l"))
        jr.sum(x, stream=stream)
        with stream.capture() as graph:
            jr.sum(x, stream=stream, out=out)
        for _ in range(10):
            graph.launch(other)
            beside = jr.sum(y, stream=stream)
            self.assertEqual(beside.numpy(), 300009)
            other.wait()
            self.assertEqual(out.numpy(), 200006)

    def test_what_is_captured_has_workspaces_that_no_other_run_has(self):
        stream = jr.Stream()
        x = jr.DeviceArray.of(np.full(100003, 2, "i2"))
        outs = [jr.DeviceArray.of(np.zeros((), "l")) for _ in range(2)]
        plan = jr.Plan("sum", x)
        plan.run(x, out=outs[0], stream=stream)
        with stream.capture() as graph:
            for out in outs:
                plan.run(x, out=out, stream=stream)
        graph.launch()
        plan.run(x, out=outs[0], stream=stream)
        addresses = [address for _, address in plan._plan.workspaces]
        self.assertEqual((len(addresses), len(set(addresses)), addresses[0]), (3, 3, 0))

    def test_what_waits_is_refused_and_the_capture_goes_on(self):
        stream = jr.Stream()
        x = jr.DeviceArray.of(np.arange(100))
        out = jr.DeviceArray.of(np.zeros((), "l"))
        with stream.capture() as graph:
            jr.sum(x, stream=stream, out=out)
            self.assertRaisesRegex(jr.InvalidArgumentError, "captur", jr.sum, x, stream=stream, value=True)
            self.assertRaisesRegex(ValueError, "has not ended", graph.launch)
        self.assertEqual(out.numpy(), 0)
        graph.launch()
        stream.wait()
        self.assertEqual(out.numpy(), 4950)

    def test_an_exception_ends_the_capture(self):
        stream = jr.Stream()
        with self.assertRaises(KeyError), stream.capture():
            raise KeyError
        self.assertEqual(jr.sum(jr.DeviceArray.of(np.arange(4)), stream=stream).numpy(), 6)

    def test_a_plan_is_of_what_it_was_made_for(self):
        x = made(Exchanged, np.arange(12.0).reshape(3, 4))
        plan = jr.Plan("mean", x, axis=0)
        self.assertEqual((plan.shape, plan.dtype), ((4,), "float64"))
        out = made(Exchanged, np.zeros(4))
        plan.run(x, out=out)
        self.same(out.numpy(), np.arange(12.0).reshape(3, 4).mean(axis=0))
        self.assertRaisesRegex(ValueError, r"shape \(3, 4\)", lambda: plan.run(made(Exchanged, np.zeros((4, 3))), out=out))
        self.assertRaisesRegex(ValueError, "has float64", lambda: plan.run(x, out=made(Exchanged, np.zeros(4, "f"))))
        self.assertRaisesRegex(ValueError, "all elements", plan.value, x)
        self.assertEqual(jr.Plan(("min", "max"), x).value(x), (0, 11))
        own = jr.Reduction("sum", map="x * y")
        self.assertEqual(jr.Plan(own, x, x).value(x, x), 506)
        self.assertRaisesRegex(ValueError, "device memory", lambda: jr.Plan("sum", np.zeros(3)))

    def test_a_plan_has_a_where_and_an_initial_value(self):
        x = np.arange(12.0).reshape(3, 4)
        a, mask, other = (made(Exchanged, y) for y in (x, x % 2 == 0, x > 20))
        self.assertEqual(jr.Plan("sum", a, where="x > q", parameters={"q": 9}).value(a), 21)
        self.assertEqual(jr.Plan("max", a, where="x < 0", initial=-3).value(a), -3)
        plan, out = jr.Plan("min", a, axis=0, where=mask, initial=7.5), made(Exchanged, np.zeros(4))
        plan.run(a, where=mask, out=out)
        self.same(out.numpy(), np.min(x, axis=0, where=x % 2 == 0, initial=7.5))
        plan.run(a, where=other, out=out)
        self.same(out.numpy(), np.full(4, 7.5))
        self.assertEqual(jr.Plan("sum", a, where=mask).value(a, where=mask), 30)
        self.assertRaisesRegex(TypeError, "pass an array of booleans", plan.run, a, out=out)
        self.assertRaisesRegex(TypeError, "without where=mask", lambda: jr.Plan("sum", a).value(a, where=mask))
        self.assertRaisesRegex(TypeError, "1 array, not 2", plan.run, a, mask, where=mask, out=out)
        self.assertRaisesRegex(ValueError, "made for bool", plan.run, a, where=a, out=out)
        self.assertRaisesRegex(ValueError, "a plan reads arrays where they lie", lambda: jr.Plan("sum", a, where=made(Exchanged, np.ones(4, bool))))
        self.assertRaisesRegex(ValueError, "already has a where", lambda: jr.Plan(jr.Reduction("sum", where="x > 0"), a, where=mask))
