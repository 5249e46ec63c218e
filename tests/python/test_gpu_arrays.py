"""Arrays of PyTorch, CuPy, JAX and Numba on a GPU: on their own streams, into CUDA graphs, against their own results.

Run where they are: JITREDUCE_DEVICE=cuda. Elsewhere each says why it is skipped."""

import gc
import importlib
import os
import threading
import unittest

import numpy as np

import jitreduce as jr


def library(name):
    """A library of arrays with a GPU. Raises SkipTest: there is none."""
    if os.environ.get("JITREDUCE_DEVICE", "auto").startswith("sim"):
        raise unittest.SkipTest("JITREDUCE_DEVICE is the simulator, whose memory no other library has")
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise unittest.SkipTest(f"{name} is not here ({error})") from None


class Torch(unittest.TestCase):
    """PyTorch."""

    @classmethod
    def setUpClass(cls):
        cls.torch = library("torch")
        if not cls.torch.cuda.is_available():
            raise unittest.SkipTest("PyTorch finds no GPU")
        cls.torch.manual_seed(7)

    def same(self, ours, theirs, tolerance=1e-5):
        """Two tensors are of one class, type, shape and device, and about equal."""
        self.assertEqual((type(ours), ours.dtype, ours.shape, ours.device), (type(theirs), theirs.dtype, theirs.shape,
                                                                             theirs.device))
        self.assertTrue(self.torch.allclose(ours, theirs, rtol=tolerance, equal_nan=True), f"{ours} {theirs}")

    def test_results_are_tensors_and_right(self):
        torch = self.torch
        for dtype in (torch.float32, torch.float64, torch.int32, torch.int64, torch.uint8, torch.int8):
            for count in (1, 31, 1024, 100003):
                x = (1 + torch.rand(count, device="cuda") * 99).to(dtype)
                with self.subTest(dtype=dtype, count=count):
                    total = torch.sum(x)
                    ours = jr.sum(x)
                    self.assertEqual((ours.shape, ours.device), (total.shape, total.device))
                    self.assertAlmostEqual(ours.item() / total.item(), 1, 5)
                    self.assertAlmostEqual(jr.sum(x, value=True) / total.item(), 1, 5)
                    self.same(jr.max(x), torch.max(x))
                    self.assertEqual(x[jr.argmax(x)], torch.max(x))
        x = torch.rand(1000, device="cuda")
        self.same(jr.mean(x), torch.mean(x))
        self.same(jr.std(x, correction=1), torch.std(x))

    def test_small_types(self):
        torch = self.torch
        for dtype in (torch.float16, torch.bfloat16):
            x = torch.ones(500, device="cuda", dtype=dtype)
            self.same(jr.sum(x), torch.sum(x))
            self.assertEqual(jr.sum(x, value=True), 500)
        x = torch.ones(500, device="cuda").to(torch.float8_e4m3fn)
        try:
            x.__dlpack__(max_version=(1, 2))
        except (BufferError, RuntimeError):  # PyTorch does not tell of them
            self.assertRaises((BufferError, RuntimeError, TypeError), jr.sum, x)
        else:
            self.assertEqual(jr.sum(x, value=True), 500)
        self.assertIs(jr.any(torch.zeros(9, device="cuda", dtype=torch.bool), value=True), False)
        self.assertRaisesRegex(TypeError, "complex with 64 bits", lambda: jr.sum(torch.zeros(3, device="cuda", dtype=torch.complex64)))

    def test_axes_and_views(self):
        torch = self.torch
        x = torch.rand(20, 30, 40, device="cuda", dtype=torch.float64)
        for axis in (0, 1, 2, (0, 1), (0, 2), (1, 2)):
            self.same(jr.sum(x, axis=axis), torch.sum(x, dim=axis))
            self.same(jr.sum(x.permute(2, 0, 1), axis=axis, keepdims=True),
                      torch.sum(x.permute(2, 0, 1), dim=axis, keepdim=True))
        self.same(jr.cumulative_sum(x, axis=1), torch.cumsum(x, dim=1))
        self.same(jr.sum(x[3:9], axis=1), torch.sum(x[3:9], dim=1))
        low, high = jr.minmax(x, axis=2)
        self.same(low, torch.amin(x, dim=2))
        self.same(high, torch.amax(x, dim=2))
        for view in (x[:, ::2], x[..., 1], x[:1].expand(5, -1, -1), x.unfold(0, 3, 1)):
            for _ in range(2):
                self.same(jr.sum(view, axis=1), torch.sum(view, dim=1))
                self.same(jr.argmax(view), torch.argmax(view.contiguous()))
        out = torch.empty(20, 40, device="cuda", dtype=torch.float64)
        self.assertIs(jr.sum(x, axis=1, out=out), out)
        self.same(out, torch.sum(x, dim=1))
        self.same(jr.sum(x, where=x > 0.5), torch.sum(x * (x > 0.5)))

    def test_host_tensors(self):
        torch = self.torch
        x = torch.rand(20, 30)
        self.same(jr.sum(x), torch.sum(x))
        self.same(jr.max(x, axis=0), torch.amax(x, dim=0))

    def test_the_current_stream_is_respected(self):
        torch = self.torch
        side = torch.cuda.Stream()
        x = torch.zeros(1 << 22, device="cuda")
        jr.sum(x)
        torch.cuda.synchronize()
        for round_ in range(50):
            with torch.cuda.stream(side):
                torch.cuda._sleep(2_000_000)
                x.fill_(round_)
                ours = jr.sum(x)
                again = ours * 2
            side.synchronize()
            self.assertEqual(ours.item(), round_ * float(1 << 22))
            self.assertEqual(again.item(), 2 * round_ * float(1 << 22))
        with torch.cuda.stream(side):
            torch.cuda._sleep(20_000_000)
            x.fill_(3)
            self.assertEqual(jr.sum(x, value=True), 3 * float(1 << 22))

    def test_a_stream_can_be_given(self):
        torch = self.torch
        side = torch.cuda.Stream()
        x = torch.zeros(1 << 22, device="cuda")
        torch.cuda._sleep(20_000_000)
        x.fill_(2)
        out = torch.empty((), device="cuda")
        jr.sum(x, stream=side, out=out)
        side.synchronize()
        self.assertEqual(out.item(), 2 * float(1 << 22))

    def test_nothing_waits_for_the_device(self):
        torch = self.torch
        x = torch.ones(1024, device="cuda")
        jr.sum(x), jr.sum(x.reshape(32, 32), axis=0)
        torch.cuda.synchronize()
        torch.cuda._sleep(2_000_000_000)  # about a second
        ended = torch.cuda.Event()
        ended.record()
        for _ in range(10):
            jr.sum(x), jr.sum(x.reshape(32, 32), axis=0)
        self.assertFalse(ended.query())
        torch.cuda.synchronize()

    def test_inside_a_cuda_graph(self):
        torch = self.torch
        x = torch.ones(1 << 20, device="cuda")
        y = torch.ones(64, 1024, device="cuda", dtype=torch.float64)
        jr.sum(x), jr.sum(y, axis=1)
        torch.cuda.synchronize()
        graphs = []
        for _ in range(2):
            graph = torch.cuda.CUDAGraph()
            with torch.cuda.graph(graph):
                total, rows = jr.sum(x), jr.sum(y, axis=1)
                mean = total / x.numel()
            graphs.append((graph, total, rows, mean))
        side = torch.cuda.Stream()
        for round_ in range(1, 20):
            x.fill_(round_)
            y.fill_(2 * round_)
            live = jr.sum(x)
            torch.cuda.synchronize()
            with torch.cuda.stream(side):
                graphs[1][0].replay()
                beside = jr.sum(x)
            graphs[0][0].replay()
            torch.cuda.synchronize()
            for _, total, rows, mean in graphs:
                self.assertEqual((total.item(), mean.item()), (round_ * float(1 << 20), round_))
                self.assertTrue((rows == 2048 * round_).all())
            self.assertEqual((live.item(), beside.item()), (round_ * float(1 << 20),) * 2)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            total = jr.sum(x)
            self.assertRaisesRegex(jr.Error, "captur", jr.sum, x, value=True)
        graph.replay()
        self.assertEqual(total.item(), 19 * float(1 << 20))

    def test_threads_on_streams_of_their_own(self):
        torch = self.torch
        failures = []

        def work(number):
            stream = torch.cuda.Stream()
            with torch.cuda.stream(stream):
                x = torch.full((100003,), number, device="cuda", dtype=torch.float64)
                for _ in range(300):
                    total = jr.sum(x)
                    if jr.sum(x, value=True) != number * 100003 or total.item() != number * 100003:
                        failures.append(number)

        threads = [threading.Thread(target=work, args=(number,)) for number in range(1, 7)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(failures, [])

    def test_memory_is_given_back(self):
        torch = self.torch
        x = torch.ones(1 << 20, device="cuda").reshape(1024, 1024)
        for _ in range(2):
            jr.sum(x), jr.sum(x, axis=0), jr.minmax(x, axis=1), jr.cumulative_sum(x, axis=0)
        torch.cuda.synchronize()
        gc.collect()
        before = torch.cuda.memory_allocated()
        for _ in range(300):
            jr.sum(x), jr.sum(x, axis=0), jr.minmax(x, axis=1), jr.cumulative_sum(x, axis=0)
        gc.collect()
        # Small results share blocks of memory, of which one for each call is kept; 300 results of one kind would be more.
        self.assertLess(torch.cuda.memory_allocated() - before, 300 * 512)

    def test_calls_that_come_again_have_the_results_of_now(self):
        torch = self.torch
        x, y = torch.rand(64, 1024, device="cuda"), torch.rand(64, 1024, device="cuda")
        out, mask = torch.empty(1024, device="cuda"), torch.rand(64, 1024, device="cuda") > 0.5
        stream = torch.cuda.Stream()
        for _ in range(40):
            x.uniform_()
            self.same(jr.sum(x, axis=0), torch.sum(x, 0))
            self.same(jr.sum(x, axis=1, keepdims=True), torch.sum(x, 1, keepdim=True))
            self.same(jr.sum(x.view(16, 64, 64), axis=(0, 2)), torch.sum(x.view(16, 64, 64), (0, 2)))
            self.same(jr.sum(x.T, axis=0), torch.sum(x.T, 0))
            self.same(jr.std(x, axis=1, correction=1), torch.std(x, 1), 1e-4)
            self.same(jr.sum(x, dtype=torch.float64), torch.sum(x, dtype=torch.float64))
            self.same(jr.sum(x, axis=0, where=mask), torch.sum(torch.where(mask, x, 0), 0))
            self.same(jr.dot(x, y), torch.dot(x.view(-1), y.view(-1)), 1e-4)
            self.same(jr.cumulative_sum(x, axis=1), torch.cumsum(x, 1), 1e-4)
            for ours, theirs in zip(jr.minmax(x, axis=1), torch.aminmax(x, dim=1)):
                self.same(ours, theirs)
            self.assertTrue(torch.equal(jr.argmax(x, axis=1), torch.argmax(x, 1)))
            self.assertIs(jr.sum(x, axis=0, out=out), out)
            self.same(out, torch.sum(x, 0))
            with torch.cuda.stream(stream):
                stream.wait_stream(torch.cuda.default_stream())
                self.same(jr.max(x, axis=0), torch.amax(x, 0))
            found = jr.min(x, axis=0, stream=stream)
            torch.cuda.default_stream().wait_stream(stream)
            self.same(found, torch.amin(x, 0))
            keys = torch.sort(torch.randint(0, 50, (1000,), device="cuda"))[0]
            found_keys, sums = jr.reduce_by_key(keys, x.view(-1)[:1000])
            self.assertTrue(torch.equal(found_keys, torch.unique(keys)))
            self.assertAlmostEqual(sums.sum().item() / x.view(-1)[:1000].sum().item(), 1, 4)

    def test_two_devices(self):
        torch = self.torch
        if torch.cuda.device_count() < 2:
            self.skipTest("there is one GPU")
        x = torch.ones(1000, device="cuda:1")
        self.assertEqual((jr.sum(x).item(), str(jr.sum(x).device), jr.sum(x, value=True)), (1000, "cuda:1", 1000))
        self.assertRaisesRegex(ValueError, "device 1, the context on device 0", lambda: jr.sum(x, context=jr.Context("cuda:0")))


class CuPy(unittest.TestCase):
    """CuPy."""

    @classmethod
    def setUpClass(cls):
        cls.cupy = library("cupy")
        if cls.cupy.cuda.runtime.getDeviceCount() == 0:
            raise unittest.SkipTest("CuPy finds no GPU")

    def test_results_are_arrays_and_right(self):
        cupy = self.cupy
        x = cupy.random.rand(30, 40)
        for axis in (None, 0, 1):
            ours = jr.sum(x, axis=axis)
            self.assertIs(type(ours), cupy.ndarray)
            cupy.testing.assert_allclose(ours, x.sum(axis=axis), rtol=1e-12)
            cupy.testing.assert_allclose(jr.sum(x.T, axis=axis), x.T.sum(axis=axis), rtol=1e-12)
        cupy.testing.assert_allclose(jr.cumulative_sum(x, axis=1), cupy.cumsum(x, axis=1), rtol=1e-12)
        self.assertAlmostEqual(jr.sum(x, value=True) / float(x.sum()), 1, 12)
        self.assertEqual(jr.count_nonzero(x > 0.5, value=True), int((x > 0.5).sum()))
        out = cupy.empty(40)
        self.assertIs(jr.max(x, axis=0, out=out), out)
        cupy.testing.assert_array_equal(out, x.max(axis=0))
        self.assertEqual(jr.sum(cupy.zeros(0)).item(), 0)

    def test_calls_that_come_again_have_the_results_of_now(self):
        cupy = self.cupy
        out, mask = cupy.empty(40), cupy.random.rand(30, 40) > 0.5
        for _ in range(20):
            x = cupy.random.rand(30, 40)
            for y in (x, x.T):
                for found, expected in ((jr.sum(y, axis=0), y.sum(axis=0)), (jr.sum(y), y.sum()), (jr.std(y, axis=1), y.std(axis=1)), (jr.dot(y, y), (y * y).sum()),
                                        (jr.cumulative_sum(y, axis=1), cupy.cumsum(y, axis=1)), (jr.argmax(y, axis=1), y.argmax(axis=1)),
                                        (jr.minmax(y, axis=0)[1], y.max(axis=0)), (jr.sum(y, dtype="float32"), y.sum(dtype="f4"))):
                    self.assertIs(type(found), cupy.ndarray)
                    self.assertEqual((found.dtype, found.shape), (expected.dtype, expected.shape))
                    cupy.testing.assert_allclose(found, expected, rtol=1e-5)
            cupy.testing.assert_allclose(jr.sum(x, axis=0, where=mask, out=out), cupy.where(mask, x, 0).sum(axis=0), rtol=1e-12)

    def test_the_current_stream_is_respected(self):
        cupy = self.cupy
        slow = cupy.RawKernel('extern "C" __global__ void slow(float *x, float v, long long c) {'
                              'long long t = clock64(); while (clock64() - t < c) {} x[threadIdx.x] = v; }', "slow")
        for flags in (False, True):
            stream = cupy.cuda.Stream(non_blocking=flags)
            x = cupy.zeros(32, "f4")
            cupy.cuda.Device().synchronize()
            with stream:
                for round_ in range(1, 20):
                    slow((1,), (32,), (x, np.float32(round_), np.int64(3_000_000)))
                    ours = jr.sum(x)
                    twice = ours * 2
                    self.assertEqual(jr.sum(x, value=True), 32 * round_)
                    self.assertEqual((ours.item(), twice.item()), (32 * round_, 64 * round_))

    def test_inside_a_cuda_graph(self):
        cupy = self.cupy
        stream = cupy.cuda.Stream(non_blocking=True)
        with stream:
            x = cupy.ones(100003, "f8")
            out = cupy.zeros((), "f8")
            jr.sum(x, out=out)
            stream.synchronize()
            stream.begin_capture()
            jr.sum(x, out=out)
            graph = stream.end_capture()
            for round_ in range(5):
                x.fill(round_)
                graph.launch(stream)
                stream.synchronize()
                self.assertEqual(out.item(), round_ * 100003)

    def test_cupy_and_torch_side_by_side(self):
        torch = library("torch")
        x = self.cupy.arange(100, dtype="f4")
        y = torch.arange(100, dtype=torch.float32, device="cuda")
        found = jr.dot(x, y)
        self.assertIs(type(found), self.cupy.ndarray)
        self.assertEqual(found.item(), 328350)


class Jax(unittest.TestCase):
    """JAX."""

    @classmethod
    def setUpClass(cls):
        os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")
        cls.jax = library("jax")
        if cls.jax.default_backend() != "gpu":
            raise unittest.SkipTest("JAX finds no GPU")

    def test_results_are_arrays_and_right(self):
        jnp = self.jax.numpy
        x = jnp.arange(1200, dtype="float32").reshape(30, 40) / 7
        for axis in (None, 0, 1):
            ours = jr.sum(x, axis=axis)
            self.assertIsInstance(ours, self.jax.Array)
            np.testing.assert_allclose(np.asarray(ours), np.asarray(x.sum(axis=axis)), rtol=1e-6)
        self.assertAlmostEqual(jr.sum(x, value=True) / float(x.sum()), 1, 5)
        np.testing.assert_allclose(np.asarray(jr.sum(x) + 1), np.asarray(x.sum() + 1), rtol=1e-6)


class Numba(unittest.TestCase):
    """Numba."""

    @classmethod
    def setUpClass(cls):
        cls.cuda = library("numba.cuda")
        if not cls.cuda.is_available():
            raise unittest.SkipTest("Numba finds no GPU")

    def test_arrays_are_taken_and_results_can_be_used(self):
        x = self.cuda.to_device(np.arange(1000.0).reshape(10, 100))
        self.assertEqual(jr.sum(x, value=True), 499500)
        back = self.cuda.as_cuda_array(jr.sum(x, axis=0)).copy_to_host()
        np.testing.assert_array_equal(back, np.arange(1000.0).reshape(10, 100).sum(axis=0))
