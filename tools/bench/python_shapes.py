"""The works of python_bench.py shapes: elements in a shape, segments of them, and contestants: ours, peers, a reference."""

import ctypes
import math

import numpy as np

SHAPES = ("16384x16384:0", "1000000x100:0", "100x1000000:0", "64x3x512x512:1", "64x256x56x56:2", "32x1024x4096:1",
          "3x50000000:0", "50000000x3:0", "4096x65536:0", "128x128x16384:1", "7x11x13x17x19x23:3")
CUMSUMS = ("1048576x32:0", "32x1048576:1", "16384x16384:0", "16384x16384:1", "64x3x512x512:1", "64x256x56x56:2",
           "3x50000000:0", "50000000x3:0", "268435456:0")
MOMENTS = ["var,std:" + shape for shape in ("16384x16384:0", "1000000x100:0", "64x256x56x56:2", "1000x1000x250:0", "1000x1000x250:1",
                                            "1000x1000x250:2", "5x33554432:0", "17x4194304:0", "31x33x65537:1", "200x200x200x8:2",
                                            "65536x1000:1")]
LISTS = {"columns": ["sum,max,argmax:" + shape for shape in SHAPES],
         "rows": ["sum,max,argmax:2684354x100:1"],
         "ragged": ["sum,max:ragged16:268435456", "sum,max:ragged64:268435456"],
         "cumsum": ["cumsum:" + shape for shape in CUMSUMS],
         "moments": MOMENTS,
         "flat": [f"sum,argmin,norm:flat:{count}" for count in (2**20, 2**28)]}
OPS = ("sum", "max", "min", "argmax", "argmin", "var", "std", "norm", "cumsum")
NORM = {"map": "x * x", "combine": "a + b", "identity": "0", "finish": "sqrt(a)", "commutative": 1}  # an operator of the caller's own
OUTS = 2  # arrays of results that runs take in turn
COLUMNS = ("work,op,type,shape,axis,count,results,bytes,contestant,median_us,lower_quartile_us,upper_quartile_us,"
           "gb_per_s,flat_share,copy_share,ratio,rounds,tuning,wrong_results")
SAMPLE_US, BATCH_MAX = 4000, 64  # as jr_measure
SPAN_BYTES = 1 << 30  # of the arrays that runs take in turn: far more than a cache holds


def works_of(words, most):
    """The works that these words say, of at most so many elements."""
    listed = [text for word in words or LISTS for text in LISTS.get(word, [word])]
    return [Work(one, most) for text in listed for one in (drawn(text) if ":random:" in text else [text])]


def drawn(text):
    """OPS:random:COUNT[:SEED] as so many works of shapes and axes that are drawn: 2 to 6 dimensions, 2^10 to 2^28 elements, lengths
    log-uniform."""
    ops, _, count, seed = (text.split(":") + ["1"])[:4]
    if not (count.isdecimal() and seed.isdecimal()):
        raise ValueError(f"'{text}' does not say how many shapes are drawn: like sum,argmax:random:200, or with a seed sum:random:200:7")
    random, works = np.random.default_rng(int(seed)), []
    for _ in range(int(count)):
        parts = random.dirichlet(np.ones(random.integers(2, 7))) * random.uniform(10, 28)
        shape = [max(1, round(2**part)) for part in parts]
        works.append(f"{ops}:{'x'.join(map(str, shape))}:{random.integers(len(shape))}")
    return works


class Work:
    """Operators over all elements (flat), over those that lie in a shape, along an axis, or ragged: then offsets say where
    segments begin."""

    def __init__(self, text, most):
        ops, shape, place = (text.split(":") + ["", ""])[:3]
        self.ops, self.offsets, self.name, self.is_flat = ops.split(","), None, f"{shape}:{place}", shape == "flat"
        try:
            if self.is_flat or shape.startswith("ragged"):
                self.shape, self.axis = (min(int(place), most or int(place)),), 0
                self.offsets = None if self.is_flat else ragged_offsets(int(shape[6:]), self.shape[0])
                self.shape_text, self.axis_text = shape, ""
            else:
                self.shape, self.axis = shrunk([int(side) for side in shape.split("x")], most), int(place)
                self.shape_text, self.axis_text = "x".join(map(str, self.shape)), self.axis
            if min(self.shape) < 1 or self.axis not in range(len(self.shape)) or not set(self.ops) <= set(OPS):
                raise ValueError
        except ValueError:
            raise ValueError(f"'{text}' is no work like sum,max:64x3x512x512:1, sum:ragged16:1000000 or norm:flat:1000000; operators are "
                             f"{' '.join(OPS)}, lists are {' '.join(LISTS)}") from None
        self.count = math.prod(self.shape)
        self.length = self.shape[self.axis] if self.offsets is None else int(np.diff(self.offsets).max())
        self.segments = self.count // self.length if self.offsets is None else len(self.offsets) - 1
        # A random walk of `length` steps of at most that size stays below 2^24, where f32 is exact: its standard
        # deviation is 0.58 * most * sqrt(length).
        self.most = max(1, int(2**24 / (5 * math.sqrt(self.length))))

    def results_of(self, op):
        return self.count if op == "cumsum" else self.segments

    def bytes_of(self, op):
        """What must be read and written."""
        offsets = 0 if self.offsets is None else self.offsets.nbytes
        return self.count * 4 + offsets + self.results_of(op) * np.dtype(dtype_of(op)).itemsize


def dtype_of(op):
    return "i8" if op in ("argmax", "argmin") else "f4"


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


def tuning_of(text):
    """A tuning of ours that is asked for: threads of a block x unroll factor [x blocks], like 256x8x264."""
    sides = text.split("x")
    if len(sides) not in (2, 3) or not all(side.isdecimal() and int(side) > 0 for side in sides):
        raise ValueError(f"'{text}' is no tuning like 256x8 or 256x8x264: block x unroll factor x grid")
    return text, dict(zip(("block", "unroll", "grid"), map(int, sides)))


class Data:
    """Arrays that runs take in turn, and the offsets of ragged segments."""

    def __init__(self, device, work):
        slots = 2 if device.simulated else max(2, math.ceil(SPAN_BYTES / (4 * work.count)))
        self.device, self.arrays = device, [device.integers(work.count, work.most, seed) for seed in range(slots)]
        self.offsets = None if work.offsets is None else device.upload(work.offsets)

    def array(self, run):
        return self.arrays[run % len(self.arrays)]

    def free(self):
        for array in self.arrays + ([] if self.offsets is None else [self.offsets]):
            self.device.free(array)


class Ours:
    """A plan of the library, on the peer's arrays and stream; as the estimate has it, or tuned as asked for. flat: our sum
    of as many elements as one, for comparison."""

    def __init__(self, judge, library, data, work, op, asked=("", {}), flat=False):
        self.library, self.device, self.data, self.plan, self.op = library, data.device, data, ctypes.c_void_p(), op
        self.name, self.is_reference, self.work = f"jitreduce {'flat sum' if flat else asked[0]}".strip(), flat, work
        structs, constants = judge.H.structs, judge.H.constants
        asked = {**asked[1], **(NORM if op == "norm" else {}), "capacity": work.count}
        self.spec = library.spec({"norm": "custom", "cumsum": "sum"}.get(op, op), "f32", **asked)
        self.given = structs["jr_work"](spec=ctypes.addressof(self.spec), kind=constants["JR_WORK_SCAN_INCLUSIVE"] if op == "cumsum" else 0)
        self.of_run = structs["jr_work_data"](count=work.count)
        if not flat and work.offsets is not None:
            self.layout = structs["jr_segment_layout"](kind=constants["JR_SEGMENTS_OFFSETS"])
            self.given.layout = ctypes.addressof(self.layout)
            self.of_run.segments, self.of_run.offsets = work.segments, self.device.address(data.offsets)
        elif not flat and len(work.shape) > 1:
            self.shape = np.array(work.shape, np.uint64)
            self.axis = structs["jr_axis"](self.shape.ctypes.data, len(work.shape), work.axis)
            self.given.axis = ctypes.addressof(self.axis)
        self.outs = [self.device.empty(1 if flat else work.results_of(op), dtype_of(op)) for _ in range(OUTS)]
        library.check(library.lib.jr_work_plan_create(library.context, ctypes.byref(self.given), ctypes.byref(self.plan)))
        stats = structs["jr_stats"]()
        library.check(library.lib.jr_plan_stats(self.plan, ctypes.byref(stats)))
        algorithm = next((name for name, number in judge.ALGORITHMS.items() if number == stats.algorithm), "segments")
        self.tuning = "" if flat else f"{algorithm} uf {stats.unroll} block {stats.block} grid {stats.grid}; " + stats.tuned_by.decode()

    def run(self, run):
        array = (ctypes.c_void_p * 1)(self.device.address(self.data.array(run)))
        setattr(self.of_run, "in", ctypes.addressof(array))
        self.of_run.out = self.device.address(self.outs[run % OUTS])
        self.library.check(self.library.lib.jr_work_plan_run(self.plan, ctypes.byref(self.of_run), None, ctypes.c_void_p(self.device.stream())))

    def results(self):
        """Those of the first array, where others stood."""
        self.device.spoil(self.outs[0])
        self.run(0)
        return self.device.read(self.outs[0])

    def wrong(self, right):
        """How many differ from the peer's; the flat sum may be off by 64 roundings, were all elements as large as they may be."""
        if self.is_reference:
            off = abs(float(self.results()[0]) - self.device.wide_sum(self.data.array(0)))
            return int(math.isnan(off) or off > 64 * 2.0**-24 * self.work.most * self.work.count)
        if right is None:
            return ""
        found = self.results()
        return int(np.count_nonzero(~np.isclose(found, right, 1e-4) if self.op in ("norm", "var", "std") else found != right))

    def free(self):
        self.device.wait()
        self.library.lib.jr_plan_destroy(self.plan)
        for out in self.outs:
            self.device.free(out)


class Peer:
    """Another library's function; the first one says what results must be. Or a copy of as many bytes as a scan reads and
    writes."""

    tuning = ""

    def __init__(self, name, function, data):
        self.name, self.data, self.function, self.result = name, data, function, None

    def run(self, run):
        self.result = self.function(self.data.array(run))

    def results(self):
        self.run(0)
        return self.data.device.peer_read(self.result)

    def wrong(self, _right):
        return "" if self.name == "copy" else 0

    def free(self):
        self.result = None


def contestants_of(judge, library, tunings, data, work, op, note):
    """Ours first, and as it is asked for; the peers that can do the work; what all are held against."""
    device, peers = data.device, []
    made = [Ours(judge, library, data, work, op, asked) for asked in [("", {})] + tunings]
    try:
        for name, function in device.functions(op, work, data.offsets):
            peers.append(Peer(name, function, data))
            peers[-1].run(0)
            device.wait()
    except Exception as error:  # whatever another library raises  # pylint: disable=broad-exception-caught
        peers = peers[:-1]
        note(f"{op}:{work.name}: {device.peer_name} is left out: {error!r}")
    if op != "cumsum":
        return made + peers + [Ours(judge, library, data, work, "sum", flat=True)]
    out = device.empty(work.count, "f4")
    return made + peers + [Peer("copy", lambda array: device.copy(out, array), data)]


def measure(device, contestants, rounds):
    """Quartiles of each contestant: a run to warm up, one to find the batch, then all take turns."""
    batches, places, samples = [], [], [[] for _ in contestants]
    for contestant in contestants:
        contestant.run(0)
        us = device.time(contestant.run, 1, 1)
        batches.append(max(1, min(BATCH_MAX, math.ceil(SAMPLE_US / us))) if not device.simulated else 1)
        places.append(2)
    for turn in range(rounds):  # there and back, so that nobody always follows the same one
        for i, contestant in list(enumerate(contestants))[::-1 if turn % 2 else 1]:
            samples[i].append(device.time(contestant.run, places[i], batches[i]))
            places[i] += batches[i]
    return [np.percentile(taken, (25, 50, 75)) for taken in samples]


def rows(judge, library, options, data, work, op, note):
    """Measures one operator of a work; a line of fields for each contestant."""
    contestants = contestants_of(judge, library, options.tunings, data, work, op, note)
    times = measure(data.device, contestants, options.rounds)
    right = next((other.results() for other in contestants if isinstance(other, Peer) and other.name != "copy"), None)
    wrong = [other.wrong(right) for other in contestants]
    moved, first, last = work.bytes_of(op), times[0][1], times[-1][1]
    for contestant, (lower, median, upper), count in zip(contestants, times, wrong):
        share = f"{last / median:.4f}"
        yield [f"{op}:{work.name}", op, "f32", work.shape_text, str(work.axis_text), str(work.count), str(work.results_of(op)), str(moved),
               contestant.name, f"{median:.3f}", f"{lower:.3f}", f"{upper:.3f}", f"{moved / median / 1e3:.1f}",
               *(("", share) if op == "cumsum" else (share, "")), f"{median / first:.4f}", str(options.rounds), contestant.tuning, str(count)]
    for contestant in contestants:
        contestant.free()
