"""Reductions and scans of device memory: plans, memory for results, and streams; no call waits for the device."""

import math
import struct

from . import _device, _jitreduce, _kernel, _layout, _types
from ._context import kept
from ._results import Wanted, wanted_of


def _order(call):
    """Lets the stream of the call wait for the streams on which its arrays are made."""
    for array in call.arrays:
        _device.order_streams(call.owner, array.stream, call.stream)


def _check_not_empty(call, spec):
    """Raises the error of the library for no elements, which only calls on host memory give."""
    nothing = tuple(_jitreduce.Array(array.type, (0,), (_types.ITEM_BYTES[array.type],)) for array in call.arrays)
    _jitreduce.reduce(call.context, spec, nothing)


class _Results:
    """Memory for the results of all operators, as the library writes them: those of one element side by side."""

    def __init__(self, call, spec, lies):
        (self.shape, self.order), self.call, self.spec = lies, call, spec
        self.count = 1
        for size in self.shape:
            self.count *= size
        x = call.kind.x
        device = call.arrays[0].device if call.arrays[0].device[1] >= 0 else call.owner.dlpack_device
        self.own = spec.bytes != _types.ITEM_BYTES[spec.types[0]] or not call.kind.exchanges  # lists have gaps
        if self.own:
            self.memory = _jitreduce.Memory(call.context, self.count * spec.bytes, call.stream)
            self.address, self.device = self.memory.address or 0, call.owner.dlpack_device
        else:
            self.memory = _jitreduce.Array.like(type(x), spec.types[0], self.count, device, call.stream)
            self.address, self.device = self.memory.address or 0, device
        self.whole = _jitreduce.Array.at(self.memory, "u8", (self.count * spec.bytes,), (1,), self.address, False,
                                         *self.device, call.stream)

    def of(self, op):
        """The results of an operator as an array of the caller's kind."""
        spec = self.spec
        wanted = Wanted(spec.types[op], self.shape, self.order, spec.bytes)
        array = _jitreduce.Array.at(self.memory, wanted.type, wanted.shape, wanted.strides, self.address + spec.offsets[op],
                                    False, *self.device, self.call.stream)
        if not self.own:
            return array.as_class(type(self.call.kind.x))
        return _device.like(self.call.kind.x, _device.of_memory(self.call.owner, self.memory, array))


def _report(call, plan, outcome, lies):
    """Reports the one plan that a call ran, so that the next call with equal arguments is replayed in C."""
    if plan is not None and not call.copied:
        seen = ((), 0) if call.begins is None else (tuple(array.address - begin for array, begin in zip(call.arrays, call.begins)),
                                                    math.prod(call.arrays[0].shape))
        _jitreduce.report(plan, call.owner, call.kind.x, len(call.arrays) - call.masked, call.masked, outcome, *lies, *seen)


def _run(call, plan, out, lies, go, alone=True):
    """Runs a plan into `out`, or into new memory: go(plan, Array of the results). alone: it runs the plan once, and nothing
    else. The results, one for each operator."""
    spec = call.spec()
    _order(call)
    if alone:
        _report(call, plan, "new" if out is None else "out", lies)
    if out is None:
        results = _Results(call, spec, lies)
        go(plan, results.whole)
        return tuple(map(results.of, range(len(spec.types))))
    target = wanted_of(spec, lies)[0].check(call.view(out, "out"))
    _device.order_streams(call.owner, target.stream, call.stream)
    go(plan, target)
    if call.asked is None:
        _device.order_streams(call.owner, call.stream, target.stream)
    return (out,)


def reduce(call, reduced, order, lies, out):
    """The results of a reduction, one for each operator. lies: the shape of the results and their axes in memory."""
    spec = call.spec()
    arrays = tuple(call.arrays)
    if 0 in call.shape and 0 not in lies[0]:
        _check_not_empty(call, spec)
    if call.value:
        _order(call)
        plan = _device.plan_of(call.context, spec)
        numbers = plan.value(arrays, call.stream)
        _report(call, plan, "value", ((), ()))
        return numbers if len(spec.types) > 1 else (numbers,)
    if call.apart is not None:
        shape, axes, strides = call.apart
        plan = _device.plan_of(call.context, spec, shape, axes, None, strides)
    elif len(reduced) == len(call.shape):
        plan = _device.plan_of(call.context, spec)
    elif 0 in lies[0]:
        plan = None
    else:
        plan = _device.plan_of(call.context, spec, *_layout.merged(call.shape, order, reduced))

    def go(plan, results):
        if plan is not None:
            plan.run(arrays, results, call.stream, type(call.kind.x))

    return _run(call, plan, out, lies, go)


def reduce_runs(call, by, keys, wait):
    """The keys of runs of equal keys, and the results of each operator; then their number, as an array if it is not waited for.
    by: the Array that sees `keys`."""
    spec, (count,), device = call.spec(), call.shape, call.owner.dlpack_device
    _order(call)
    _device.order_streams(call.owner, by.stream, call.stream)
    item_bytes = _types.ITEM_BYTES[by.type]
    results = _Results(call, spec, ((count,), (0,)))
    memory = _jitreduce.Memory(call.context, count * item_bytes, call.stream)

    def found_keys(size):
        return _jitreduce.Array.at(memory, by.type, (size,), (item_bytes,), memory.address or 0, False, *device, call.stream)

    runs, number = (0 if wait else count), None
    if count > 0 or not wait:
        plan = _device.plan_of(call.context, spec, by.type)
        if not call.copied:
            _jitreduce.report(plan, call.owner, keys, 1 + len(call.arrays) - call.masked, call.masked, "runs" if wait else "bound", (count,), (0,))
        given = (tuple(call.arrays), results.whole, call.stream, type(call.kind.x), by, found_keys(count))
        if wait:
            runs = plan.run_by_key(*given)
        else:
            number = _number(call)
            plan.run_by_key(*given, number._array)  # pylint: disable=protected-access
    results.shape = (runs,)
    found = _device.of_memory(call.owner, memory, found_keys(runs))
    return _device.like(keys, found), tuple(map(results.of, range(len(spec.types)))), None if number is None else _device.like(keys, number)


def _number(call):
    """A DeviceArray of one whole number."""
    memory = _jitreduce.Memory(call.context, 8, call.stream)
    array = _jitreduce.Array.at(memory, "i64", (), (), memory.address, False, *call.owner.dlpack_device, call.stream)
    return _device.of_memory(call.owner, memory, array)


SPREAD = """extern "C" __global__ void spread(const ELEMENT *scans, ELEMENT *to, unsigned long long length,
                                   unsigned long long inner, unsigned long long count, unsigned long long lead) {
    const unsigned long long step = (unsigned long long)gridDim.x * blockDim.x;
    for (unsigned long long k = (unsigned long long)blockIdx.x * blockDim.x + threadIdx.x; k < count; k += step) {
        const unsigned long long line = k / inner, row = line % (length + 1), outer = line / (length + 1);
        to[k] = scans[row == 0 ? lead : (outer * length + row - 1) * inner + k % inner];
    }
}
"""  # count: elements of `to`, an array of any outer size, length + 1 and inner; scans[lead]: what comes first of each
PACK = """struct walk { unsigned long long shape[AXES]; long long strides[AXES]; };
extern "C" __global__ void pack(const ELEMENT *from, ELEMENT *to, walk of, unsigned long long count) {
    const unsigned long long step = (unsigned long long)gridDim.x * blockDim.x;
    for (unsigned long long k = (unsigned long long)blockIdx.x * blockDim.x + threadIdx.x; k < count; k += step) {
        INDEX rest = (INDEX)k;
        long long at = 0;
        for (int a = AXES - 1; a > 0; a--) {
            const INDEX size = (INDEX)of.shape[a], next = rest / size;
            at += (long long)(rest - next * size) * of.strides[a];
            rest = next;
        }
        to[k] = from[at + (long long)rest * of.strides[0]];
    }
}
"""  # strides: in elements; INDEX holds count
ELEMENTS = {1: "unsigned char", 2: "unsigned short", 4: "unsigned int", 8: "unsigned long long"}
BLOCK, BLOCKS_MAX = 256, 4096


@kept(64)
def _spread_of(owner, element_bytes):
    """The kernel that copies scans after their initial values; made once per size of element."""
    return _kernel.Kernel(SPREAD, "spread", {"ELEMENT": ELEMENTS[element_bytes]}, name="spread", context=owner)


@kept(64)
def _pack_of(owner, axes, element_bytes, index):
    """The kernel that copies arrays of so many axes; made once per size of element and type of the index."""
    return _kernel.Kernel(PACK, "pack", {"AXES": axes, "ELEMENT": ELEMENTS[element_bytes], "INDEX": index}, name="pack", context=owner)


def packed(call, array, order):
    """A copy of an Array in device memory, without gaps, whose axes lie in that order. The copy is made on the stream of
    the call."""
    size = _types.ITEM_BYTES[array.type]
    if any(stride % size for stride in array.strides) or array.address % size:
        raise ValueError(f"elements of {size} bytes that lie {array.strides} bytes apart cannot be read on the device")
    if call.context.captured(call.stream):
        raise ValueError("an array with gaps or in another order needs memory of its own, which a graph would not keep: copy it before the capture")
    walk, count = _layout.walk_of(array, order, size), math.prod(array.shape)
    _device.order_streams(call.owner, array.stream, call.stream)
    memory = _jitreduce.Memory(call.context, count * size, call.stream)
    made = _jitreduce.Array.at(memory, array.type, array.shape, _layout.strides_in(order, array.shape, size), memory.address or 0, False,
                               *array.device, call.stream)
    lengths, strides = zip(*walk)
    kernel = _pack_of(call.owner, len(walk), size, ELEMENTS[4] if count < 1 << 32 else ELEMENTS[8])
    kernel(min(-(-count // BLOCK), BLOCKS_MAX), BLOCK, (array, made, struct.pack(f"{len(walk)}Q{len(walk)}q", *lengths, *strides), count), stream=call.stream)
    return made


def reduce_segments(call, by, lies):
    """The results of each operator for segments between offsets in device memory, seen by the Array `by`."""
    plan = _device.plan_of(call.context, call.spec(), "offsets")

    def go(plan, results):
        if lies[0][0] > 0:
            plan.run_by(tuple(call.arrays), results, call.stream, type(call.kind.x), by)

    return _run(call, plan, None, lies, go, False)


def scan(call, sizes, lies, kind, out, by=None):
    """The result of a scan along the middle one of three axes. kind: the value before each scan or None, and whether
    the scan is exclusive. by: whether there are keys, and the Array of keys or offsets; None: there are no segments."""
    spec = call.spec()
    outer, length, inner = sizes
    (lead, exclusive), arrays = kind, tuple(call.arrays)
    flat = outer == inner == 1
    layout = (by[1].type if by[0] else "offsets", ()) if by else (None, ()) if flat and not call.applies else (sizes, (1,))
    layout, strides = (layout, ()) if call.apart is None else (call.apart[:2], call.apart[2:])
    plan = _device.plan_of(call.context, spec, *layout, "exclusive" if exclusive else "inclusive", *strides)
    if lead is not None and not flat and plan.captured(call.stream):
        raise ValueError("include_initial with several dimensions needs memory of its own, which a graph would not keep: "
                         "scan before the capture, or without include_initial, and concatenate")

    def go(plan, results):
        if lead is not None and not flat:
            _scan_and_spread(call, plan, sizes, results)
            return
        if lead is not None:
            _lead(call, spec, results)
            results = _jitreduce.Array.at(results, "u8", (length * spec.bytes,), (1,), results.address + spec.bytes, False,
                                          *results.device, call.stream)
        if by and length > 0:
            plan.run_by(arrays, results, call.stream, type(call.kind.x), by[1])
        elif outer * length * inner > 0:
            plan.run(arrays, results, call.stream, type(call.kind.x))

    # Another call's out may lie where elements are read: then those are copied.
    alike = by is None and lead is None and (out is None or call.apart is None)
    return _run(call, plan, out, lies, go, alike and outer * length * inner > 0)[0]


def _scan_and_spread(call, plan, sizes, results):
    """Scans into memory of its own, with one more element for the initial value, and spreads both over the results."""
    spec, (outer, length, inner) = call.spec(), sizes
    count, places = outer * length * inner, outer * (length + 1) * inner
    memory = _jitreduce.Memory(call.context, (count + 1) * spec.bytes, call.stream)

    def part(first, elements):
        return _jitreduce.Array.at(memory, "u8", (elements * spec.bytes,), (1,), memory.address + first * spec.bytes, False,
                                   *call.owner.dlpack_device, call.stream)

    if places == 0:
        return
    _lead(call, spec, part(count, 1))
    if count > 0:
        plan.run(tuple(call.arrays), part(0, count), call.stream, type(call.kind.x))
    blocks = min(-(-places // BLOCK), BLOCKS_MAX)
    arguments = (part(0, count + 1), results, length, inner, places, count)
    _spread_of(call.owner, spec.bytes)(blocks, BLOCK, arguments, stream=call.stream)


def _lead(call, spec, results):
    """Writes the reduction of no elements before the results."""
    nothing = tuple(_jitreduce.Array.at(None, array.type, (0,), (_types.ITEM_BYTES[array.type],), 0, True, *array.device,
                                        call.stream) for array in call.arrays)
    _device.plan_of(call.context, spec).run(nothing, results, call.stream, type(call.kind.x))
