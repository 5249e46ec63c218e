"""Works of torch_bench.py: shapes, segments, and the contestants: ours, the peer, and what both are held against."""

import ctypes
import math

import numpy as np

import jitreduce as jr

COLUMNS = ("16384x16384:0", "1000000x100:0", "100x1000000:0", "64x3x512x512:1", "64x256x56x56:2", "32x1024x4096:1",
           "3x50000000:0", "50000000x3:0", "4096x65536:0", "128x128x16384:1", "7x11x13x17x19x23:3")
CUMSUMS = ("1048576x32:0", "32x1048576:1", "16384x16384:0", "16384x16384:1", "64x3x512x512:1", "64x256x56x56:2",
           "3x50000000:0", "50000000x3:0", "268435456:0")
LISTS = {"columns": ["sum,max,argmax:" + shape for shape in COLUMNS],
         "rows": ["sum,max,argmax:2684354x100:1"],
         "ragged": ["sum,max:ragged16:268435456", "sum,max:ragged64:268435456"],
         "cumsum": ["cumsum:" + shape for shape in CUMSUMS]}
SCANS = {"cumsum": "sum"}  # the library's operator of each
OPS = ("sum", "max", "argmax", *SCANS)
ELEMENT_BYTES, RESULT_DTYPES = 4, {"argmax": "i8"}
OUTS = 2  # arrays of results that runs take in turn


def works_of(words, most):
    """The works that these words say, of at most so many elements."""
    words = words or list(LISTS)
    return [Work(text, most) for word in words for text in LISTS.get(word, [word])]


class Work:
    """Operators over elements that lie in a shape, along an axis, or ragged: then offsets say where segments begin."""

    def __init__(self, text, most):
        ops, shape, place = (text.split(":") + ["", ""])[:3]
        self.ops, self.offsets, self.name = ops.split(","), None, f"{shape}:{place}"
        try:
            if shape.startswith("ragged"):
                self.shape, self.axis = (min(int(place), most or int(place)),), 0
                self.offsets = ragged_offsets(int(shape[6:]), self.shape[0])
                self.shape_text, self.axis_text = shape, ""
            else:
                self.shape, self.axis = shrunk([int(side) for side in shape.split("x")], most), int(place)
                self.shape_text, self.axis_text = "x".join(map(str, self.shape)), self.axis
            if min(self.shape) < 1 or self.axis not in range(len(self.shape)) or not set(self.ops) <= set(OPS):
                raise ValueError
        except ValueError:
            raise ValueError(f"'{text}' is no work like sum,max:64x3x512x512:1 or sum:ragged16:1000000; operators are "
                             f"{' '.join(OPS)}, lists are {' '.join(LISTS)}") from None
        self.count = math.prod(self.shape)
        self.length = self.shape[self.axis] if self.offsets is None else int(np.diff(self.offsets).max())
        self.segments = self.count // self.length if self.offsets is None else len(self.offsets) - 1
        # A random walk of `length` steps of at most that size stays below 2^24, where f32 is exact: its standard
        # deviation is 0.58 * most * sqrt(length).
        self.most = max(1, int(2**24 / (5 * math.sqrt(self.length))))

    def results_of(self, op):
        return self.count if op in SCANS else self.segments

    def bytes_of(self, op):
        """What must be read and written."""
        offsets = 0 if self.offsets is None else self.offsets.nbytes
        return self.count * ELEMENT_BYTES + offsets + self.results_of(op) * np.dtype(dtype_of(op)).itemsize


class Data:
    """Arrays that runs take in turn, and the offsets of ragged segments."""

    def __init__(self, arrays, offsets):
        self.arrays, self.offsets = arrays, offsets

    def array(self, run):
        return self.arrays[run % len(self.arrays)]


def dtype_of(op):
    return RESULT_DTYPES.get(op, "f4")


def shrunk(shape, most):
    """Halves the longest side until there are at most so many elements."""
    while most is not None and math.prod(shape) > most:
        longest = shape.index(max(shape))
        shape[longest] = (shape[longest] + 1) // 2
    return tuple(shape)


def ragged_offsets(mean, count):
    """Segments of 1 to 2 mean - 1 elements; the last one is what is left."""
    ends = np.cumsum(np.random.default_rng(1).integers(1, 2 * mean, 2 * count // mean + 2))
    return np.concatenate([[0], ends[ends < count], [count]]).astype(np.int64)


class Tuning:
    """A tuning of ours that is asked for: threads of a block x unroll factor [x blocks], like 256x8x264."""

    def __init__(self, text):
        sides = text.split("x")
        if len(sides) not in (2, 3) or not all(side.isdecimal() and int(side) > 0 for side in sides):
            raise ValueError(f"'{text}' is no tuning like 256x8 or 256x8x264: block x unroll factor x grid")
        self.text, self.members = text, dict(zip(("block", "unroll", "grid"), map(int, sides)))

    def __str__(self):
        return self.text


class Ours:
    """A plan of the library, on the peer's arrays and stream; as the estimate has it, or tuned as asked for."""

    def __init__(self, library, device, work, op, data, tuning=None):
        self.library, self.device, self.data, self.plan = library, device, data, ctypes.c_void_p()
        self.name, self.asked = f"jitreduce {tuning}" if tuning else "jitreduce", tuning.members if tuning else {}
        self.layout, self.segments = self.segments_of(work)
        self.outs = [device.empty(work.results_of(op), dtype_of(op)) for _ in range(OUTS)]
        self.create(work, op)
        stats = jr.H.structs["jr_stats"]()
        library.check(library.lib.jr_plan_stats(self.plan, ctypes.byref(stats)))
        algorithm = next((name for name, number in jr.ALGORITHMS.items() if number == stats.algorithm), "segments")
        self.tuning = f"{algorithm} uf {stats.unroll} block {stats.block} grid {stats.grid}; " + stats.tuned_by.decode()

    def segments_of(self, work):
        layout, segments = jr.H.structs["jr_segment_layout"](), jr.H.structs["jr_segments"](elements=work.count)
        if work.offsets is not None:
            layout.kind = jr.H.constants["JR_SEGMENTS_OFFSETS"]
            segments.count, segments.offsets = work.segments, self.device.address(self.data.offsets)
            return layout, segments
        shape, count = np.array(work.shape, np.uint64), ctypes.c_uint64()
        axis = jr.H.structs["jr_axis"](shape.ctypes.data, len(work.shape), work.axis)
        self.library.check(self.library.lib.jr_segment_layout_of(ctypes.byref(axis), ctypes.byref(layout),
                                                                 ctypes.byref(count)))
        segments.count = count.value
        return layout, segments

    def create(self, work, op):
        lib, context, plan = self.library.lib, self.library.context, ctypes.byref(self.plan)
        spec = ctypes.byref(self.library.spec(SCANS.get(op, op), "f32", capacity=work.count, **self.asked))
        inclusive = jr.H.constants["JR_SCAN_INCLUSIVE"]
        self.call, self.what = lib.jr_segment_plan_run, ctypes.byref(self.segments)
        if op in SCANS and len(work.shape) == 1:
            self.call, self.what = lib.jr_plan_run, ctypes.c_uint64(work.count)
            status = lib.jr_scan_plan_create(context, spec, inclusive, plan)
        elif op in SCANS:
            status = lib.jr_scan_segment_plan_create(context, spec, inclusive, ctypes.byref(self.layout), plan)
        else:
            status = lib.jr_segment_plan_create(context, spec, ctypes.byref(self.layout), plan)
        self.library.check(status)

    def run(self, run):
        data, out = (self.device.address(array) for array in (self.data.array(run), self.outs[run % OUTS]))
        self.library.check(self.call(self.plan, ctypes.c_void_p(data), self.what, ctypes.c_void_p(out), None,
                                     ctypes.c_void_p(self.device.stream())))

    def results(self):
        """Those of the first array, where others stood."""
        self.device.spoil(self.outs[0])
        self.run(0)
        return self.device.read(self.outs[0])

    def wrong(self, right):
        return "" if right is None else int(np.count_nonzero(self.results() != right))

    def free(self):
        self.device.wait()
        self.library.lib.jr_plan_destroy(self.plan)
        for out in self.outs:
            self.device.free(out)


class Peer:
    """The other library's function; it says what results must be."""

    tuning = ""

    def __init__(self, device, work, op, data):
        self.name, self.data, self.device = device.peer_name, data, device
        self.function = device.function(op, work, data.offsets)
        self.result = None

    def run(self, run):
        self.result = self.function(self.data.array(run))

    def results(self):
        self.run(0)
        return self.device.peer_read(self.result)

    def wrong(self, _right):
        return 0

    def free(self):
        self.result = None


class Flat:
    """Our sum of as many elements as one."""

    name = "jitreduce flat sum"
    tuning = ""

    def __init__(self, library, device, work, data):
        self.library, self.device, self.work, self.data = library, device, work, data
        self.plan, self.count, self.out = ctypes.c_void_p(), ctypes.c_uint64(work.count), device.empty(1, "f4")
        spec = library.spec("sum", "f32", capacity=work.count)
        library.check(library.lib.jr_plan_create(library.context, ctypes.byref(spec), ctypes.byref(self.plan)))

    def run(self, run):
        data, out = self.device.address(self.data.array(run)), self.device.address(self.out)
        self.library.check(self.library.lib.jr_plan_run(self.plan, ctypes.c_void_p(data), self.count,
                                                        ctypes.c_void_p(out), None,
                                                        ctypes.c_void_p(self.device.stream())))

    def wrong(self, _right):
        """1 where it is off by more than 64 roundings, were all elements as large as they may be."""
        self.device.spoil(self.out)
        self.run(0)
        off = abs(float(self.device.read(self.out)[0]) - self.device.wide_sum(self.data.array(0)))
        return int(math.isnan(off) or off > 64 * 2.0**-24 * self.work.most * self.work.count)

    def free(self):
        self.device.wait()
        self.library.lib.jr_plan_destroy(self.plan)
        self.device.free(self.out)


class Copy:
    """A copy of as many bytes as a scan reads and writes."""

    name = "copy"
    tuning = ""

    def __init__(self, _library, device, work, data):
        self.device, self.data = device, data
        self.outs = [device.empty(work.count, "f4") for _ in range(OUTS)]

    def run(self, run):
        self.device.copy(self.outs[run % OUTS], self.data.array(run))

    def wrong(self, _right):
        return ""

    def free(self):
        self.device.wait()
        for out in self.outs:
            self.device.free(out)
