#!/usr/bin/env python3
"""What a call costs from Python: sums of arrays on a GPU compared with PyTorch, CuPy and cuda.compute, as CSV.

usage: python_bench.py [--rounds N] [--calls N] [--counts 10,20] [--device cuda|sim]
       python_bench.py --works [--rounds N] [--calls N] [--device cuda|sim]

What every kind of call costs the host, for an array of (64, 1024) f32, on a GPU with PyTorch (CuPy: if it is there):
    PYTHONPATH=build/current/python python3 tools/bench/python_bench.py --works --rounds 31 --calls 200 > works.csv
Each work is a call of python_works.py; ratio is the contestant's time over that of the first one, jitreduce(torch).

PYTHONPATH names the folder of the package (build/current/python). Contestants take turns in one process. For each:
host_us    a call on the host: --calls of them one after the other, the device waited for before and after, not timed
call_us    the same with the wait in it: what a loop over small arrays takes
value_us   a call whose result becomes a number of Python; "jr_plan_value (C)" and "jr_plan_run (C)" are the library's own, for comparison
All are medians over the rounds; ratio is theirs over ours. The exit code is 1 where a result is wrong. --device sim:
NumPy's arrays and ours alone, and times say nothing.

cuda.compute is in the wheel cuda-cccl, which takes cuda-core, cuda-bindings and cuda-pathfinder beside it and finds CUDA's
libraries in the wheels that PyTorch brings: pip install --no-deps cuda-cccl cuda-core cuda-pathfinder "cuda-bindings==13.*"
(of the CUDA that PyTorch has).
"""

import argparse
import ctypes
import importlib
import inspect
import statistics
import subprocess
import sys
import tempfile
import time
from functools import partial
from pathlib import Path

import jitreduce
import python_works

HERE = Path(__file__).resolve().parent
COLUMNS = "contestant,count,host_us,call_us,value_us,host_ratio,call_ratio,value_ratio,rounds,calls,wrong".split(",")


def note(text):
    """Tells what is left out."""
    print(f"python_bench.py: {text}", file=sys.stderr)


class Contestant:
    """run(): a sum of device memory, not waited for; value(): the same as a number; wait(): for the device."""

    def __init__(self, name, run, value, wait, expected):
        self.name, self.run, self.value, self.wait, self.expected = name, run, value, wait, expected
        self.host, self.call, self.values = [], [], []

    def is_wrong(self):
        """Whether a result is another one."""
        return float(self.value()) != self.expected

    def measure(self, calls):
        """One sample of each kind."""
        run, value = self.run, self.value
        self.wait()
        begin = time.perf_counter()
        for _ in range(calls):
            run()
        queued = time.perf_counter()
        self.wait()
        ended = time.perf_counter()
        for _ in range(calls):
            value()
        self.values.append((time.perf_counter() - ended) / calls * 1e6)
        self.host.append((queued - begin) / calls * 1e6)
        self.call.append((ended - begin) / calls * 1e6)


def on_gpu(count):
    """All contestants that are here, over one array."""
    import torch  # pylint: disable=import-outside-toplevel

    x = (torch.arange(count, device="cuda") % 8).to(torch.float32)
    expected, wait = float(x.double().sum()), torch.cuda.synchronize
    made = [Contestant("jitreduce.sum(torch)", partial(jitreduce.sum, x), partial(jitreduce.sum, x, value=True), wait, expected),
            Contestant("torch.sum", partial(torch.sum, x), lambda: torch.sum(x).item(), wait, expected)]
    for make in (of_cupy, of_compute):
        try:
            made += make(x, expected, wait)
        except Exception as error:  # whatever another library raises  # pylint: disable=broad-exception-caught
            note(f"{make.__name__[3:]} is left out: {error!r}")
    return made, x.data_ptr(), "cuda:0"


def of_cupy(x, expected, wait):
    """CuPy's own sum, and ours of its arrays."""
    import cupy  # pylint: disable=import-outside-toplevel

    y = cupy.from_dlpack(x)
    return [Contestant("cupy.sum", partial(cupy.sum, y), lambda: cupy.sum(y).item(), wait, expected),
            Contestant("jitreduce.sum(cupy)", partial(jitreduce.sum, y), partial(jitreduce.sum, y, value=True), wait, expected)]


def compute_module():
    """cuda.compute, under the names that the versions of the wheel cuda-cccl have had for it."""
    found = []
    for name in ("cuda.compute", "cuda.cccl.parallel.experimental"):
        try:
            return importlib.import_module(name)
        except ImportError as error:
            found.append(f"{name}: {error}")
    raise ImportError("; ".join(found))


def of_compute(x, expected, wait):
    """cuda.compute's reduce, made once and called with its storage."""
    import numpy  # pylint: disable=import-outside-toplevel
    import torch  # pylint: disable=import-outside-toplevel

    compute = compute_module()
    out, zero = torch.empty(1, device="cuda"), numpy.zeros(1, "f4")
    reducer = compute.make_reduce_into(d_in=x, d_out=out, op=compute.OpKind.PLUS, h_init=zero)
    given = {"d_in": x, "d_out": out, "num_items": x.numel(), "h_init": zero}
    if "op" in inspect.signature(type(reducer).__call__).parameters:  # later versions are given it again
        given["op"] = compute.OpKind.PLUS
    storage = torch.empty(max(reducer(temp_storage=None, **given), 1), device="cuda", dtype=torch.uint8)
    run = partial(reducer, temp_storage=storage, **given)

    def value():
        run()
        return out.item()

    return [Contestant("cuda.compute.reduce", run, value, wait, expected)]


def on_simulator(count):
    """Ours alone."""
    import numpy  # pylint: disable=import-outside-toplevel

    host = (numpy.arange(count) % 8).astype("f4")
    x = jitreduce.DeviceArray.of(host)
    return [Contestant("jitreduce.sum(own)", partial(jitreduce.sum, x), partial(jitreduce.sum, x, value=True),
                       lambda: None, float(host.sum()))], 0, None


def loops_of_c(folder):
    """jr_plan_value and jr_plan_run in loops of C; None: there is no compiler."""
    package = Path(jitreduce.__file__).resolve().parent
    library = next(package.glob("libjitreduce.so.*"))
    made = Path(folder) / "value_loop.so"
    try:
        subprocess.run(["cc", "-O2", "-shared", "-fPIC", f"-I{HERE.parents[1] / 'include'}", HERE / "value_loop.c",
                        library, "-o", made, f"-Wl,-rpath,{package}"], check=True)
    except (OSError, subprocess.CalledProcessError) as error:
        note(f"jr_plan_value is left out: {error}")
        return None
    loops = ctypes.CDLL(str(made))
    for loop in (loops.value_us, loops.run_us):
        loop.restype = ctypes.c_double
        loop.argtypes = (ctypes.c_char_p, ctypes.c_void_p, ctypes.c_uint64, ctypes.c_int)
    return loops


def line(contestant, count, medians, ours, options, wrong):
    """A line of the table."""
    ratios = [f"{theirs / own:.3f}" if own and theirs is not None else "" for theirs, own in zip(medians, ours)]
    values = ["" if us is None else f"{us:.3f}" for us in medians]
    print(",".join([contestant, str(count), *values, *ratios, str(options.rounds), str(options.calls), str(wrong)]))


def host_us(call, calls, wait):
    """The time of one call on the host, of many one after the other."""
    wait()
    begin = time.perf_counter()
    for _ in range(calls):
        call()
    us = (time.perf_counter() - begin) / calls * 1e6
    wait()
    return us


def measure_works(options):
    """Measures every work, and prints a line for each contestant. Whether a result is wrong."""
    contestants, wait = (python_works.contestants_on_gpu if options.device == "cuda" else python_works.contestants_on_simulator)()
    print("work,contestant,host_us,ratio,rounds,calls,wrong")
    failed = False
    for work in python_works.OURS:
        there = [(name, calls[work], arrays) for name, calls, arrays in contestants if work in calls]
        wrong = [python_works.is_wrong(work, call, arrays.as_numpy) for _, call, arrays in there]
        times = [[host_us(call, options.calls, wait) for _, call, _ in there] for _ in range(options.rounds)]
        medians = list(map(statistics.median, zip(*times)))
        for (name, _, _), us, bad in zip(there, medians, wrong):
            print(f"{work.replace(',', '')},{name},{us:.3f},{us / medians[0]:.3f},{options.rounds},{options.calls},{int(bad)}")
        failed |= any(wrong)
    return failed


def main():
    """Measures, and prints the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=31)
    parser.add_argument("--calls", type=int, default=200)
    parser.add_argument("--counts", default="10,14,20,24")
    parser.add_argument("--device", choices=("cuda", "sim"), default="cuda")
    parser.add_argument("--works", action="store_true")
    options = parser.parse_args()
    if options.works:
        sys.exit(measure_works(options))
    print(",".join(COLUMNS))
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        for exponent in options.counts.split(","):
            count = 1 << int(exponent)
            contestants, address, device = (on_gpu if options.device == "cuda" else on_simulator)(count)
            wrong = [contestant.is_wrong() for contestant in contestants]
            for _ in range(options.rounds):
                for contestant in contestants:
                    contestant.measure(options.calls)
            found = [tuple(map(statistics.median, (c.host, c.call, c.values))) for c in contestants]
            for contestant, medians, bad in zip(contestants, found, wrong):
                line(contestant.name, count, medians, found[0], options, int(bad))
            loops = loops_of_c(folder) if device else None
            if loops:
                us = loops.value_us(device.encode(), address, count, options.rounds * options.calls)
                line("jr_plan_value (C)", count, (None, None, us), found[0], options, int(us < 0))
                us = loops.run_us(device.encode(), address, count, options.rounds)
                line("jr_plan_run (C)", count, (us, None, None), found[0], options, int(us < 0))
            failed |= any(wrong)
    sys.exit(failed)


if __name__ == "__main__":
    main()
