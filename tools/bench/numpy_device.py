"""NumPy as the peer of torch_bench.py: its arrays, beside the same in the simulator's memory."""

import ctypes
import time

import numpy as np


class Array:
    """Elements in host memory, and room for as many in the device's."""

    def __init__(self, library, host):
        self.library, self.host, self.address = library, host, ctypes.c_void_p()
        library.check(library.lib.jr_memory_new(library.context, ctypes.c_uint64(host.nbytes),
                                                ctypes.byref(self.address)))
        self.write()

    def write(self):
        self.library.check(self.library.lib.jr_memory_write(self.library.context, self.address,
                                                            ctypes.c_void_p(self.host.ctypes.data),
                                                            ctypes.c_uint64(self.host.nbytes)))

    def read(self):
        self.library.check(self.library.lib.jr_memory_read(self.library.context,
                                                           ctypes.c_void_p(self.host.ctypes.data), self.address,
                                                           ctypes.c_uint64(self.host.nbytes)))
        return self.host.copy()


class Device:
    """The same functions as torch_device.Device has."""

    simulated = True
    peer_name = f"NumPy {np.__version__}"

    def __init__(self, library):
        self.library = library
        self.word = Array(library, np.zeros(1, "u1"))

    def integers(self, count, most, seed):
        rng = np.random.default_rng(seed)
        return Array(self.library, rng.integers(-most, most, count, endpoint=True).astype("f4"))

    def upload(self, host):
        return Array(self.library, host)

    def empty(self, count, dtype):
        return Array(self.library, np.zeros(count, dtype))

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

    def function(self, op, work, _offsets):
        """NumPy's function of an array."""
        if work.offsets is not None:
            reduceat = {"sum": np.add, "max": np.maximum}[op].reduceat
            return lambda array: reduceat(array.host, work.offsets[:-1])
        function = {"sum": np.sum, "max": np.max, "argmax": np.argmax, "cumsum": np.cumsum}[op]
        return lambda array: function(array.host.reshape(work.shape), axis=work.axis)

    def peer_read(self, result):
        return result.reshape(-1)
