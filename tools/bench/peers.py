#!/usr/bin/env python3
"""CuPy and PyTorch beside jitreduce, interleaved in one process; prints the CSV of `jitreduce bench --csv`.

usage: peers.py [--works 'sum f32,norm f32'] [--sizes 2^20,2^28] [--graph] [--rounds N] LIBJITREDUCE.so

Works are an operator and a type; `norm` is an operator of the caller's own, map + combine + finish: the square root of
the sum of squares, by CuPy a ReductionKernel. All times are taken by jr_measure: contestants take turns, a sample is a
batch of runs between two events of one stream. Runs are started from Python, which takes some microseconds each, and
counts where the device is faster than that: without --graph, sizes from about 2^24 on say what the device does.
Needs NumPy; a contestant that is not installed is named on standard error and left out.
"""

import argparse
import collections
import ctypes
import math
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests" / "judge"))
import csv_head  # noqa: E402
import jitreduce as jr  # noqa: E402  (the judge's binding of the public ABI)

COLUMNS = ("op,type,count,bytes,mode,data,contestant,median_us,lower_quartile_us,upper_quartile_us,least_us,most_us,"
           "gb_per_s,ceiling_share,ratio,rounds,tuning,note").split(",")
NORM = {"map": "x * x", "combine": "a + b", "identity": "0", "finish": "sqrt(a)", "commutative": 1}
PIECE_BYTES, ALIGNMENT, OUT_BYTES, SLOTS_MAX = 16 << 20, 256, 512, 1024
RUN = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_uint64, ctypes.c_void_p)

Spread = collections.namedtuple("Spread", "median lower_quartile upper_quartile least most")


def fail(message):
    sys.exit(f"peers.py: {message}")


def sizes_of(text):
    """Counts as 1000 or 2^20."""
    try:
        return [int(a) ** int(b) if b else int(a) for a, _, b in (word.partition("^") for word in text.split(","))]
    except ValueError:
        fail(f"--sizes: '{text}' is not a list as 1000,2^20")


class Span:
    """Device memory as CuPy and PyTorch take it without a copy."""

    def __init__(self, address, count, kind):
        self.__cuda_array_interface__ = {"shape": (count,), "typestr": np.dtype(jr.DTYPES[kind]).str,
                                         "data": (address, False), "version": 3}


class Data:
    """Random elements in one span of device memory, cut into slots that runs take in turn."""

    def __init__(self, library, kind, count, arrays, simulated):
        self.library, self.kind, self.count, self.arrays = library, kind, count, arrays
        size = np.dtype(jr.DTYPES[kind]).itemsize
        self.stride = -(-count * size // ALIGNMENT) * ALIGNMENT
        slot = self.stride * arrays
        self.slots = max(2, min(SLOTS_MAX, (4 << 20 if simulated else 1 << 30) // slot))
        self.address = ctypes.c_void_p()
        library.check(library.lib.jr_memory_new(library.context, ctypes.c_uint64(self.slots * slot),
                                                ctypes.byref(self.address)))
        self.fill(self.slots * slot)

    def fill(self, size):
        """Floats in [0.5, 1), integers from their small values: sums of both stay in range."""
        dtype = np.dtype(jr.DTYPES[self.kind])
        bits = np.random.default_rng(1).integers(0, 1 << 32, min(size, PIECE_BYTES) // dtype.itemsize + 1, np.uint32)
        if self.kind == "bf16":
            piece = (0x3f00 | bits >> 25).astype(dtype)
        elif dtype.kind == "f":
            piece = (0.5 + (bits >> 10) * 2.0 ** -23).astype(dtype)
        else:
            piece = (bits >> (32 - min(20, 8 * dtype.itemsize - 1))).astype(dtype)
        for at in range(0, size, piece.nbytes):
            length = min(piece.nbytes, size - at)
            self.library.check(self.library.lib.jr_memory_write(
                self.library.context, ctypes.c_void_p(self.address.value + at), ctypes.c_void_p(piece.ctypes.data),
                ctypes.c_uint64(length)))

    def place(self, run, array):
        return self.address.value + (run % self.slots * self.arrays + array) * self.stride

    def free(self):
        self.library.lib.jr_memory_free(self.library.context, self.address)


class Ours:
    name = "jitreduce"

    def __init__(self, library, op, data):
        self.library, self.data = library, data
        lib = library.lib
        spec = library.spec("custom", data.kind, capacity=data.count, **NORM) if op == "norm" else \
            library.spec(op, data.kind, capacity=data.count)
        self.plan, self.out = ctypes.c_void_p(), ctypes.c_void_p()
        library.check(lib.jr_plan_create(library.context, ctypes.byref(spec), ctypes.byref(self.plan)))
        library.check(lib.jr_memory_new(library.context, ctypes.c_uint64(OUT_BYTES), ctypes.byref(self.out)))
        stats = jr.H.structs["jr_stats"]()
        library.check(lib.jr_plan_stats(self.plan, ctypes.byref(stats)))
        algorithm = next(name for name, number in jr.ALGORITHMS.items() if number == stats.algorithm)
        self.tuning = f"{algorithm} uf {stats.unroll} block {stats.block} grid {stats.grid}; " + stats.tuned_by.decode()

    def run(self, run, stream):
        arrays = (ctypes.c_void_p * 2)(*(self.data.place(run, a) for a in range(self.data.arrays)))
        return self.library.lib.jr_plan_run_arrays(self.plan, arrays, ctypes.c_uint64(self.data.count), self.out, None,
                                                   ctypes.c_void_p(stream))

    def value(self):
        value = jr.Value(type=self.library.lib.jr_plan_result_type(self.plan))
        self.library.check(self.library.lib.jr_memory_read(self.library.context, ctypes.byref(getattr(value, "as")),
                                                           self.out, ctypes.c_uint64(16)))
        return float(self.library.value(value)), value.type in (jr.TYPES["f32"], jr.TYPES["f16"], jr.TYPES["bf16"])

    def free(self):
        self.library.lib.jr_plan_destroy(self.plan)
        self.library.lib.jr_memory_free(self.library.context, self.out)


class Peer:
    """What CuPy and PyTorch share: arrays over the slots, and a function of them."""

    tuning = ""

    def __init__(self, function, data, array_of, stream_of):
        self.function, self.stream_of, self.streams = function, stream_of, {}
        self.slots = [[array_of(Span(data.place(s, a), data.count, data.kind)) for a in range(data.arrays)]
                      for s in range(data.slots)]

    def run(self, run, stream):
        if stream not in self.streams:
            self.streams[stream] = self.stream_of(stream or 0)
        with self.streams[stream]:
            self.result = self.function(*self.slots[run % len(self.slots)])
        return 0

    def value(self):
        return float(self.result), False

    def free(self):
        self.slots = self.result = None


def cupy_peer(op, data):
    import cupy

    norm = cupy.ReductionKernel("T x", "T y", "x * x", "a + b", "y = sqrt(a)", "0", "norm")
    functions = {"sum": cupy.sum, "min": cupy.min, "max": cupy.max, "argmin": cupy.argmin, "argmax": cupy.argmax,
                 "mean": cupy.mean, "dot": cupy.dot, "norm2": cupy.linalg.norm, "norm": norm}
    if op not in functions or data.kind == "bf16":
        return None
    wide = {"dtype": np.float32} if data.kind == "f16" and op in ("sum", "mean") else {}
    peer = Peer(lambda *arrays: functions[op](*arrays, **wide), data, cupy.asarray, cupy.cuda.ExternalStream)
    peer.name = f"CuPy {cupy.__version__}"
    return peer


def torch_peer(op, data):
    import torch

    functions = {"sum": torch.sum, "min": torch.amin, "max": torch.amax, "argmin": torch.argmin,
                 "argmax": torch.argmax, "mean": torch.mean, "dot": torch.dot, "norm2": torch.linalg.vector_norm,
                 "norm": torch.linalg.vector_norm}
    if op not in functions or data.kind in ("u16", "u32", "u64"):
        return None
    wide = {"dtype": torch.float32} if data.kind in ("f16", "bf16") and op in ("sum", "mean") else {}

    def array_of(span):
        if data.kind == "bf16":
            span.__cuda_array_interface__["typestr"] = "<i2"
            return torch.as_tensor(span, device="cuda").view(torch.bfloat16)
        return torch.as_tensor(span, device="cuda")

    peer = Peer(lambda *arrays: functions[op](*arrays, **wide), data, array_of,
                lambda stream: torch.cuda.stream(torch.cuda.ExternalStream(stream)))
    peer.name = f"PyTorch {torch.__version__}"
    return peer


def peers_here(simulated):
    """The makers of those that are installed; the others are named."""
    makers = []
    if simulated:
        print("peers.py: CuPy and PyTorch need a GPU: ours runs alone", file=sys.stderr)
        return makers
    for module, name, package, maker in (("cupy", "CuPy", "cupy-cuda13x", cupy_peer),
                                         ("torch", "PyTorch", "torch", torch_peer)):
        try:
            __import__(module)
            makers.append(maker)
        except ImportError as reason:
            print(f"peers.py: {name} is left out: {reason}; 'pip install {package}' installs it", file=sys.stderr)
    return makers


def agree(op, count, ours, narrow, other):
    """As bench_value.c: two orders of adding up may round otherwise; what selects is equal."""
    if op in ("min", "max", "argmin", "argmax") or ours == other:
        return ours == other
    unit = 2.0 ** -24 if narrow else 2.0 ** -53
    return abs(ours - other) <= unit * (16 + 4 * math.log2(count + 1) + count * 2.0 ** -18) * max(abs(ours), abs(other))


class Measurement:
    """One work and size."""

    def __init__(self, library, options, op, kind, count, makers):
        self.library, self.options, self.op = library, options, op
        self.data = Data(library, kind, count, 2 if op == "dot" else 1, library.simulated)
        self.contestants = [Ours(library, op, self.data)]
        self.contestants += [peer for peer in (maker(op, self.data) for maker in makers) if peer is not None]
        self.error = None

    def guarded(self, contestant):
        """The contestant as jr_measure calls it: an exception ends the measurement and is raised again behind it."""
        def call(_, run, stream):
            try:
                return contestant.run(run, stream)
            except Exception as error:  # whatever another library raises must not cross C
                self.error = error
                return jr.H.names["JR_STATUSES"]["JR_ERROR_NOT_APPLICABLE"]
        return RUN(call)

    def notes(self):
        """Runs each once on the same data: what its value is where it is not ours."""
        notes, ours, narrow = [""], None, False
        for contestant in self.contestants:
            self.library.check(contestant.run(0, None))
            value, is_narrow = contestant.value()
            if ours is None:
                ours, narrow = value, is_narrow
            else:
                same = agree(self.op, self.data.count, ours, narrow, value)
                notes.append("" if same else f"{self.op} is {value:.17g} and ours is {ours:.17g}")
        return notes

    def measure(self):
        runs = [self.guarded(contestant) for contestant in self.contestants]
        items = (jr.H.structs["jr_measured"] * len(runs))()
        for item, run in zip(items, runs):
            item.run = ctypes.cast(run, ctypes.c_void_p)
        rounds = self.options.rounds
        us = (ctypes.c_double * (len(runs) * rounds))()
        how = jr.H.structs["jr_measure_options"](mode=int(self.options.graph), rounds=rounds)
        status = self.library.lib.jr_measure(self.library.context, ctypes.byref(how), items, len(runs), us, None)
        if self.error is not None:
            raise self.error
        self.library.check(status)
        return [self.spread(us, i * rounds, rounds) for i in range(len(runs))]

    def spread(self, us, begin, rounds):
        lower, median, upper = np.percentile(us[begin:begin + rounds], (25, 50, 75))
        return Spread(median, lower, upper, min(us[begin:begin + rounds]), max(us[begin:begin + rounds]))

    def rows(self):
        notes, spreads = self.notes(), self.measure()
        size = self.data.count * np.dtype(jr.DTYPES[self.data.kind]).itemsize * self.data.arrays
        for contestant, note, spread in zip(self.contestants, notes, spreads):
            yield [self.op, self.data.kind, str(self.data.count), str(size),
                   "in a CUDA graph" if self.options.graph else "launches back to back", "cold", contestant.name,
                   *(f"{number:.4f}" for number in (spread.median, spread.lower_quartile, spread.upper_quartile,
                                                    spread.least, spread.most)),
                   f"{size / spread.median / 1e3:.3f}", "", f"{spread.median / spreads[0].median:.4f}",
                   str(self.options.rounds), contestant.tuning, note]

    def close(self):
        for contestant in self.contestants:
            contestant.free()
        self.data.free()


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("usage: ")[1].split("\n")[0], description=__doc__)
    parser.add_argument("--works", default="sum f32,argmin f32,norm f32")
    parser.add_argument("--sizes", default="2^20,2^24,2^28", type=sizes_of)
    parser.add_argument("--rounds", default=21, type=int)
    parser.add_argument("--graph", action="store_true")
    parser.add_argument("library")
    options = parser.parse_args()
    library = jr.Library(str(Path(options.library).resolve()))
    info = jr.H.structs["jr_device_info"]()
    library.check(library.lib.jr_context_device_info(library.context, ctypes.byref(info)))
    library.simulated = bool(info.simulated)
    makers = peers_here(library.simulated)
    csv_head.write(library, [], sys.argv)
    print(",".join(COLUMNS))
    wrong = 0
    for work in options.works.split(","):
        op, _, kind = work.partition(" ")
        if kind not in jr.DTYPES or (op != "norm" and op not in jr.OPS):
            fail(f"--works: '{work}' is not an operator and a type as 'sum f32'")
        for count in options.sizes:
            measurement = Measurement(library, options, op, kind, count, makers)
            for row in measurement.rows():
                wrong += row[-1] != ""
                print(",".join(row), flush=True)
            measurement.close()
    library.close()
    if wrong:
        fail(f"{wrong} results are not ours: the last column says which")


if __name__ == "__main__":
    main()
