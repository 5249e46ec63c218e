"""Arrays, stream and clock of python_bench.py shapes: NumPy's next to the simulator's memory, or PyTorch's."""

import ctypes
import time

import numpy as np

HOLD_US, HOLD_RUN_US, CYCLES_A_US = 100, 20, 2000  # about what Python takes to start a run; no clock is faster


class Array:
    """Elements in host memory, and room for as many in the device's."""

    def __init__(self, library, host):
        self.library, self.host, self.address = library, host, ctypes.c_void_p()
        library.check(library.lib.jr_memory_new(library.context, ctypes.c_uint64(host.nbytes), ctypes.byref(self.address)))
        self.write()

    def write(self):
        self.library.check(self.library.lib.jr_memory_write(self.library.context, self.address, ctypes.c_void_p(self.host.ctypes.data),
                                                            ctypes.c_uint64(self.host.nbytes)))

    def read(self):
        self.library.check(self.library.lib.jr_memory_read(self.library.context, ctypes.c_void_p(self.host.ctypes.data), self.address,
                                                           ctypes.c_uint64(self.host.nbytes)))
        return self.host.copy()


class NumpyDevice:
    """NumPy as the peer, on the host."""

    simulated = True
    peer_name = f"NumPy {np.__version__}"

    def __init__(self, library):
        self.library = library
        self.word = Array(library, np.zeros(1, "u1"))

    def integers(self, count, most, seed):
        return self.upload(np.random.default_rng(seed).integers(-most, most, count, endpoint=True).astype("f4"))

    def upload(self, host):
        return Array(self.library, host)

    def empty(self, count, dtype):
        return self.upload(np.zeros(count, dtype))

    def free(self, array):
        self.library.lib.jr_memory_free(self.library.context, array.address)

    def address(self, array):
        return array.address.value

    def spoil(self, array):
        array.host.view("u1")[:] = 0x7b
        array.write()

    def read(self, array):
        return array.read()

    def stream(self):
        return None

    def wait(self):
        self.word.read()

    def time(self, run, first, batch):
        """Microseconds of a run, of so many from the first on."""
        begin = time.perf_counter()
        for i in range(first, first + batch):
            run(i)
        self.wait()
        return (time.perf_counter() - begin) * 1e6 / batch

    def copy(self, out, array):
        np.copyto(out.host, array.host)

    def wide_sum(self, array):
        return float(array.host.sum(dtype="f8"))

    def functions(self, op, work, _offsets):
        """Pairs of a peer's name and its function of an array."""
        if work.offsets is not None:
            reduceat = {"sum": np.add, "max": np.maximum}[op].reduceat
            return [(self.peer_name, lambda array: reduceat(array.host, work.offsets[:-1]))]
        function = {"cumsum": np.cumsum, "norm": lambda x, axis: np.linalg.norm(x.reshape(-1))}.get(op) or getattr(np, op)
        return [(self.peer_name, lambda array: function(array.host.reshape(work.shape), axis=work.axis))]

    def peer_read(self, result):
        return np.reshape(result, -1)


class TorchDevice:
    """PyTorch as the peer, and CuPy for flat works, on PyTorch's current stream."""

    simulated = False

    def __init__(self, _library):
        import torch  # pylint: disable=import-outside-toplevel

        self.torch, self.peer_name = torch, f"PyTorch {torch.__version__}"
        torch.cuda.set_stream(torch.cuda.Stream())  # kernels of the default one wait for those of all others

    def integers(self, count, most, seed):
        torch = self.torch
        generator = torch.Generator(device="cuda").manual_seed(seed)
        return torch.randint(-most, most + 1, (count,), generator=generator, dtype=torch.int32, device="cuda").to(torch.float32)

    def upload(self, host):
        return self.torch.from_numpy(host).to("cuda")

    def empty(self, count, dtype):
        return self.torch.empty(count, dtype={"f4": self.torch.float32, "i8": self.torch.int64}[dtype], device="cuda")

    def free(self, array):
        """The last reference to it goes; what was cached goes with the next allocation that needs it."""

    def address(self, array):
        return array.data_ptr()

    def spoil(self, array):
        array.view(self.torch.uint8).fill_(0x7b)

    def read(self, array):
        return array.cpu().numpy()

    def stream(self):
        return self.torch.cuda.current_stream().cuda_stream

    def wait(self):
        self.torch.cuda.synchronize()

    def time(self, run, first, batch):
        """Microseconds of a run, of so many from the first on: the device sleeps until all of them wait for it."""
        cuda = self.torch.cuda
        begin, end = cuda.Event(enable_timing=True), cuda.Event(enable_timing=True)
        cuda._sleep((HOLD_US + HOLD_RUN_US * batch) * CYCLES_A_US)  # pylint: disable=protected-access
        begin.record()
        for i in range(first, first + batch):
            run(i)
        end.record()
        end.synchronize()
        return begin.elapsed_time(end) * 1e3 / batch

    def copy(self, out, array):
        out.copy_(array)

    def wide_sum(self, array):
        return float(self.torch.sum(array, dtype=self.torch.float64))

    def functions(self, op, work, offsets):
        """Pairs of a peer's name and its function of an array."""
        torch = self.torch
        if offsets is not None:
            return [(self.peer_name, lambda array: torch.segment_reduce(array, op, offsets=offsets, unsafe=True))]
        function = {"sum": torch.sum, "max": torch.amax, "min": torch.amin, "argmax": torch.argmax, "argmin": torch.argmin, "cumsum": torch.cumsum,
                    "var": lambda x, axis: torch.var(x, axis, correction=0), "std": lambda x, axis: torch.std(x, axis, correction=0),
                    "norm": lambda x, _: torch.linalg.vector_norm(x)}[op]
        made = [(self.peer_name, lambda array: function(array.view(work.shape), work.axis))]
        return made + self.of_cupy(op) if work.is_flat else made

    def of_cupy(self, op):
        """CuPy's function on PyTorch's stream; nothing without CuPy."""
        try:
            import cupy  # pylint: disable=import-outside-toplevel
        except ImportError:
            return []
        stream = cupy.cuda.ExternalStream(self.stream())
        function = getattr(cupy, op, None) or cupy.ReductionKernel("T x", "T y", "x * x", "a + b", "y = sqrt(a)", "0", "norm")

        def run(array):
            with stream:
                return function(cupy.asarray(array))

        return [(f"CuPy {cupy.__version__}", run)]

    def peer_read(self, result):
        return np.ravel(result.cpu().numpy() if hasattr(result, "cpu") else result.get())
