"""PyTorch as the peer of torch_bench.py: its arrays, its current stream and its events."""

import numpy as np
import torch

DTYPES = {"f4": torch.float32, "i8": torch.int64}
HOLD_US, HOLD_RUN_US, CYCLES_A_US = 100, 20, 2000  # about what Python takes to start a run; no clock is faster


class Device:
    """The same functions as numpy_device.Device has."""

    simulated = False
    peer_name = f"PyTorch {torch.__version__}"

    def __init__(self, _library):
        torch.cuda.set_stream(torch.cuda.Stream())  # kernels of the default one wait for those of all others

    def integers(self, count, most, seed):
        generator = torch.Generator(device="cuda").manual_seed(seed)
        return torch.randint(-most, most + 1, (count,), generator=generator, dtype=torch.int32,
                             device="cuda").to(torch.float32)

    def upload(self, host):
        return torch.from_numpy(host).to("cuda")

    def empty(self, count, dtype):
        return torch.empty(count, dtype=DTYPES[dtype], device="cuda")

    def free(self, array):
        """The last reference to it goes; what was cached goes with the next allocation that needs it."""

    def address(self, array):
        return array.data_ptr()

    def spoil(self, array):
        array.view(torch.uint8).fill_(0x7b)

    def read(self, array):
        return array.cpu().numpy()

    def stream(self):
        return torch.cuda.current_stream().cuda_stream

    def wait(self):
        torch.cuda.synchronize()

    def time(self, run, first, batch):
        """Microseconds of a run, of so many from the first on: the device sleeps until all of them wait for it."""
        begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        torch.cuda._sleep((HOLD_US + HOLD_RUN_US * batch) * CYCLES_A_US)  # pylint: disable=protected-access
        begin.record()
        for i in range(first, first + batch):
            run(i)
        end.record()
        end.synchronize()
        return begin.elapsed_time(end) * 1e3 / batch

    def copy(self, out, array):
        out.copy_(array)

    def wide_sum(self, array):
        return float(torch.sum(array, dtype=torch.float64))

    def function(self, op, work, offsets):
        """PyTorch's function of an array."""
        if offsets is not None:
            return lambda array: torch.segment_reduce(array, op, offsets=offsets, unsafe=True)
        function = {"sum": torch.sum, "max": torch.amax, "argmax": torch.argmax, "cumsum": torch.cumsum}[op]
        return lambda array: function(array.view(work.shape), work.axis)

    def peer_read(self, result):
        return np.ravel(result.cpu().numpy())
