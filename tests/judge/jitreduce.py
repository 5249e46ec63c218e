"""The library through its public ABI: numpy arrays in, numbers out."""

import ctypes
import os
from pathlib import Path

import numpy as np

from headers import Headers

H = Headers(Path(__file__).parents[2] / "include" / "jitreduce")
OPS, ALGORITHMS = H.names["JR_OPS"], H.names["JR_ALGORITHMS"]
STATUS_NAMES = {number: name for name, number in H.names["JR_STATUSES"].items()}
Spec, Value, Structure, Parameter = (H.structs[name] for name in ("jr_spec", "jr_value", "jr_structure", "jr_parameter"))

# How elements lie in memory; NumPy has no bf16: it is the upper half of a float32; nor floats of 8 bits: a table has their
# numbers.
DTYPES = {"i8": "i1", "u8": "u1", "i16": "i2", "u16": "u2", "i32": "i4", "u32": "u4", "i64": "i8", "u64": "u8",
          "f16": "f2", "bf16": "u2", "f32": "f4", "f64": "f8", "bool": "?", "e4m3": "u1", "e5m2": "u1"}
TYPES = {kind: number for kind, number in H.names["JR_TYPES"].items() if kind in DTYPES}
NOT_JUDGED = [kind for kind in H.names["JR_TYPES"] if kind not in DTYPES]  # the judge reports that it skips these
FLOATS = ("f16", "bf16", "f32", "f64", "e4m3", "e5m2")
FOREIGN = ("bf16", "e4m3", "e5m2")  # types that NumPy has not: arrays hold their bits


def byte_numbers(fraction):
    """The 128 magnitudes of a float of 8 bits, NaN and infinity as the finite numbers that they would be (OCP OFP8)."""
    bits = np.arange(128)
    field, rest = bits >> fraction, bits & (1 << fraction) - 1
    least = 2 - (1 << (6 - fraction))
    return np.ldexp(np.where(field > 0, rest + (1 << fraction), rest), least - fraction + np.maximum(field, 1) - 1)


# Of e4m3 all ones is NaN; of e5m2 from 124 on infinity and NaNs.
BYTE_FLOATS = {"e4m3": (byte_numbers(3), 127, 127), "e5m2": (byte_numbers(2), 124, 126)}


def byte_to_float(kind, bits):
    magnitudes, infinity, nan = BYTE_FLOATS[kind]
    table = magnitudes.astype(np.float32)
    table[infinity] = np.inf
    table[nan if nan == infinity else infinity + 1:] = np.nan
    return np.concatenate([table, -table])[bits]


def float_to_byte(kind, x):
    """Rounds to nearest, ties to even; what is too large becomes infinite, of e4m3 NaN."""
    magnitudes, infinity, nan = BYTE_FLOATS[kind]
    x = np.asarray(x, np.float64)
    middles = (magnitudes[:infinity] + magnitudes[1:infinity + 1]) / 2
    size = np.where(np.isnan(x), 0, np.abs(x))
    bits = np.searchsorted(middles, size, "left")
    tied = (bits < infinity) & (size == middles[np.minimum(bits, infinity - 1)]) & (bits % 2 == 1)
    bits = np.where(np.isnan(x), nan, bits + tied)
    return (bits | np.where(np.signbit(x), 128, 0)).astype(np.uint8)


def bf16_to_float(bits):
    return (bits.astype(np.uint32) << 16).view(np.float32)


def float_to_bf16(x):
    """Rounds to nearest, ties to even; NaN stays NaN."""
    x = np.asarray(x, np.float32)
    bits = x.view(np.uint32)
    rounded = ((bits.astype(np.uint64) + 0x7fff + (bits >> 16 & 1)) >> 16).astype(np.uint16)
    return np.where(np.isnan(x), np.uint16(0x7fc0), rounded)


def numbers(type_name, array):
    """An array as NumPy computes with it."""
    if type_name in BYTE_FLOATS:
        return byte_to_float(type_name, array)
    return bf16_to_float(array) if type_name == "bf16" else array


class Error(Exception):
    """A call that failed: status is its name, "JR_ERROR_EMPTY_INPUT"."""

    def __init__(self, status, message):
        super().__init__(f"{status}: {message}")
        self.status = status


class Library:
    """One context on the device that JITREDUCE_DEVICE names."""

    def __init__(self, path):
        self.lib = ctypes.CDLL(path)
        self.lib.jr_last_error.restype = ctypes.POINTER(H.structs["jr_error"])
        self.lib.jr_type_size.restype = ctypes.c_size_t
        self.context = ctypes.c_void_p()
        self.check(self.lib.jr_context_open(None, ctypes.byref(self.context)))
        self.simulated = os.environ.get("JITREDUCE_DEVICE") == "sim"

    def close(self):
        self.lib.jr_context_close(self.context)

    def check(self, status):
        if status != 0:
            error = self.lib.jr_last_error().contents
            text = error.message.decode() + ("\n" + error.log.decode() if error.log else "")
            raise Error(STATUS_NAMES.get(status, str(status)), text)

    def spec(self, op, type_name, **more):
        """A jr_spec: names as text, members by keyword; what it points to lives as long as it does."""
        tables = {"algorithm": ALGORITHMS, "accumulate": TYPES, "result": TYPES, "map_type": TYPES}
        spec = Spec(type=TYPES.get(type_name, H.constants["JR_STRUCT"]))
        spec.alive = []
        if isinstance(op, (list, tuple)):
            spec.alive.append((ctypes.c_int * len(op))(*(OPS[name] for name in op)))
            spec.ops, spec.op_count = ctypes.cast(spec.alive[-1], ctypes.c_void_p), len(op)
        else:
            spec.op = OPS[op]
        for name, value in more.items():
            if isinstance(value, ctypes.Structure):
                spec.alive.append(value)
                value = ctypes.cast(ctypes.pointer(value), ctypes.c_void_p)
            elif name in tables:
                value = tables[name][value]
            elif isinstance(value, str):
                value = value.encode()
            setattr(spec, name, value)
        return spec

    def value(self, value):
        """What a jr_value holds; of a struct its bytes."""
        if value.type == H.constants["JR_STRUCT"]:
            return bytes(getattr(value, "as").bytes)
        name = next(name for name, number in TYPES.items() if number == value.type)
        raw = np.frombuffer(bytes(getattr(value, "as").bytes), DTYPES[name], 1)
        return numbers(name, raw)[0]

    def result_array(self, op, kind, count):
        """Room for results, and how NumPy reads them."""
        result = ctypes.c_int()
        self.check(self.lib.jr_result_type(OPS[op], TYPES[kind], ctypes.byref(result)))
        name = next(name for name, number in TYPES.items() if number == result.value)
        return np.zeros(count, DTYPES[name]), lambda array: numbers(name, array)

    def result_like(self, op, kind, array):
        """Room for the results of a scan; custom operators give what they are given."""
        if op == "custom":
            return np.zeros_like(array), lambda results: results
        return self.result_array(op, kind, array.size)

    def initial(self, kind, number):
        """A jr_value of a type, for spec.initial."""
        value = Value(type=TYPES[kind])
        raw = np.array([number], DTYPES[kind]).tobytes()
        ctypes.memmove(ctypes.addressof(value) + Value.__dict__["as"].offset, raw, len(raw))
        return value

    @staticmethod
    def pointers(*arrays):
        return (ctypes.c_void_p * len(arrays))(*(array.ctypes.data for array in arrays))

    @staticmethod
    def work(spec, exclusive=None, **how):
        """A jr_work, of a layout or an axis by keyword. exclusive: of a scan, whether it is; None: a reduction."""
        kind = "REDUCE" if exclusive is None else "SCAN_EXCLUSIVE" if exclusive else "SCAN_INCLUSIVE"
        work = H.structs["jr_work"](ctypes.addressof(spec), H.constants["JR_WORK_" + kind])
        work.alive = (spec, how)
        for name, value in how.items():
            setattr(work, name, ctypes.addressof(value))
        return work

    def data(self, arrays, **more):
        """A jr_work_data: its members by keyword, arrays as they are. Arrays that begin at odd places are welcome."""
        data = H.structs["jr_work_data"]()
        data.alive = (self.pointers(*arrays), more)
        setattr(data, "in", ctypes.addressof(data.alive[0]))
        for name, value in more.items():
            setattr(data, name, value.ctypes.data if isinstance(value, np.ndarray) else value)
        return data

    def run(self, work, *arrays, **more):
        """jr_work_run_host."""
        self.check(self.lib.jr_work_run_host(self.context, ctypes.byref(work), ctypes.byref(self.data(arrays, **more))))

    @staticmethod
    def axis(shape, axis):
        """A jr_axis; axis: one, or a tuple."""
        shape, axes = np.array(shape, np.uint64), np.array(axis, np.intc)
        made = H.structs["jr_axis"](shape.ctypes.data, len(shape))
        made.alive = (shape, axes)
        if isinstance(axis, tuple):
            made.axes, made.axis_count = axes.ctypes.data, len(axis)
        else:
            made.axis = axis
        return made

    @staticmethod
    def layout(kind, **more):
        """A jr_segment_layout."""
        return H.structs["jr_segment_layout"](kind=H.constants["JR_SEGMENTS_" + kind], **more)

    def scan(self, op, kind, array, exclusive=False, **more):
        """A result for each element."""
        out, read = self.result_like(op, kind, array)
        self.run(self.work(self.spec(op, kind, **more), exclusive), array, count=array.size, out=out)
        return read(out)

    def scan_segments(self, op, kind, array, exclusive=False, offsets=None, keys=None, key_type=None, length=0,
                      beside=(), **more):
        """Of offsets, of keys, or of rows of one length. beside: further inputs."""
        out, read = self.result_like(op, kind, array)
        told = {"count": len(array), "out": out}
        if offsets is not None:
            layout, told["offsets"], told["segments"] = self.layout("OFFSETS"), np.array(offsets, np.uint64), len(offsets) - 1
        elif keys is not None:
            layout, told["keys"] = self.layout("KEYS", key_type=TYPES[key_type]), keys
        else:
            layout, told["segments"] = self.layout("EQUAL", length=length), len(array) // length
        self.run(self.work(self.spec(op, kind, **more), exclusive, layout=layout), array, *beside, **told)
        return read(out)

    def scan_axis(self, op, kind, array, axis, exclusive=False, beside=(), shape=None, **more):
        """Results in the array's own shape. shape: of structs, without their members."""
        out, read = self.result_like(op, kind, array)
        work = self.work(self.spec(op, kind, **more), exclusive, axis=self.axis(shape or array.shape, axis))
        self.run(work, array, *beside, out=out)
        return read(out).reshape(array.shape)

    def reduce_axis(self, op, kind, array, axis):
        """Along an axis or a tuple of them: the results in the shape that is left."""
        left = np.delete(np.array(array.shape), axis)
        out, read = self.result_array(op, kind, int(np.prod(left)))
        self.run(self.work(self.spec(op, kind), axis=self.axis(array.shape, axis)), array, out=out)
        return read(out).reshape(left)

    def reduce_axis_at(self, op, kind, array, axis, offset):
        """By a plan in device memory, where the array begins `offset` elements after an allocation."""
        out, read = self.result_array(op, kind, array.size // array.shape[axis])
        work, plan = self.work(self.spec(op, kind), axis=self.axis(array.shape, axis)), ctypes.c_void_p()
        self.check(self.lib.jr_work_plan_create(self.context, ctypes.byref(work), ctypes.byref(plan)))
        d_in, d_out, first = ctypes.c_void_p(), ctypes.c_void_p(), offset * array.itemsize
        self.check(self.lib.jr_memory_new(self.context, ctypes.c_size_t(array.nbytes + first), ctypes.byref(d_in)))
        self.check(self.lib.jr_memory_new(self.context, ctypes.c_size_t(out.nbytes), ctypes.byref(d_out)))
        place = ctypes.c_void_p(d_in.value + first)
        self.check(self.lib.jr_memory_write(self.context, place, ctypes.c_void_p(array.ctypes.data),
                                            ctypes.c_size_t(array.nbytes)))
        data = self.data((), out=d_out.value)
        setattr(data, "in", ctypes.addressof(place))
        self.check(self.lib.jr_work_plan_run(plan, ctypes.byref(data), None, None))
        self.check(self.lib.jr_memory_read(self.context, ctypes.c_void_p(out.ctypes.data), d_out,
                                           ctypes.c_size_t(out.nbytes)))
        self.lib.jr_plan_destroy(plan)
        for address in (d_in, d_out):
            self.lib.jr_memory_free(self.context, address)
        return read(out)

    def reduce_segments(self, op, kind, array, offsets):
        """Segment s is array[offsets[s]:offsets[s + 1]]."""
        out, read = self.result_array(op, kind, len(offsets) - 1)
        self.run(self.work(self.spec(op, kind), layout=self.layout("OFFSETS")), array, out=out,
                 offsets=np.array(offsets, np.uint64), segments=len(offsets) - 1)
        return read(out)

    def reduce_runs(self, op, kind, array, key_kind, keys):
        """The results of the runs, and their keys as they lie in memory."""
        out, read = self.result_array(op, kind, array.size)
        found, count = np.zeros_like(keys), np.zeros(1, np.uint64)
        self.run(self.work(self.spec(op, kind), layout=self.layout("KEYS", key_type=TYPES[key_kind])), array,
                 count=array.size, keys=keys, out=out, run_keys=found, run_count=count)
        return read(out[:int(count[0])]), found[:int(count[0])]

    def reduce(self, spec, *arrays):
        """A list of operators gives a list."""
        results = (Value * max(1, spec.op_count))()
        self.run(self.work(spec), *arrays, count=len(arrays[0]), values=ctypes.addressof(results))
        values = [self.value(result) for result in results]
        return values if spec.op_count else values[0]

    def kept_state(self, spec, arrays, cuts):
        """The bytes of a kept state of which parts of arrays, (begin, end) each, are merged one by one, and its value."""
        layout, size, value = H.structs["jr_result_layout"](), ctypes.c_size_t(), Value()
        self.check(self.lib.jr_result_layout_of(ctypes.byref(spec), ctypes.byref(layout)))
        states, room, elements = np.zeros(2 * layout.state_bytes, np.uint8), ctypes.create_string_buffer(4096), 0
        works = {kind: self.work(spec) for kind in ("STATE", "MERGE_STATES", "MERGE")}
        for kind, work in works.items():
            work.kind = H.constants["JR_WORK_" + kind]
        for number, (begin, end) in enumerate(cuts):
            self.run(works["STATE"], *(array[begin:end] for array in arrays), count=end - begin, first=begin,
                     out=states[layout.state_bytes:] if number else states)
            elements += end - begin
            if number:
                self.run(works["MERGE_STATES"], states, count=elements, states=2, out=states)
        self.check(self.lib.jr_state_write(ctypes.byref(spec), ctypes.c_void_p(states.ctypes.data), ctypes.c_uint64(elements), room,
                                           ctypes.c_size_t(len(room)), ctypes.byref(size)))
        self.run(works["MERGE"], states, count=elements, states=1, values=ctypes.addressof(value))
        return room.raw[:size.value], self.value(value)
