"""The works of python_bench.py calls: one call of the package each, and the call of PyTorch, CuPy or cuda.compute that does the same."""

import importlib
import inspect
import time
from functools import partial

import jitreduce as jr
import numpy

UNWAITED = "reduce_by_key wait=False"
SQUARES = jr.Reduction("sum", map="x * x")
COLUMNS = "work,contestant,host_us,ratio,rounds,calls,wrong,count,call_us,call_ratio"
#: What the package's functions are called with: name -> call(arrays), of any library.
OURS = {
    "sum": lambda a: partial(jr.sum, a.x),
    "max": lambda a: partial(jr.max, a.x),
    "var": lambda a: partial(jr.var, a.x),
    "sum axis 0": lambda a: partial(jr.sum, a.x, axis=0),
    "sum axis 1": lambda a: partial(jr.sum, a.x, axis=1),
    "sum axes (0, 2)": lambda a: partial(jr.sum, a.cube, axis=(0, 2)),
    "argmax axis 1": lambda a: partial(jr.argmax, a.x, axis=1),
    "std axis 1": lambda a: partial(jr.std, a.x, axis=1),
    "norm axis 1": lambda a: partial(jr.norm, a.x, axis=1),
    "dot": lambda a: partial(jr.dot, a.x, a.y),
    "cumulative_sum axis 1": lambda a: partial(jr.cumulative_sum, a.x, axis=1),
    "sum dtype float64": lambda a: partial(jr.sum, a.x, dtype="float64"),
    "sum accuracy exact": lambda a: partial(jr.sum, a.x, accuracy="exact"),
    "minmax": lambda a: partial(jr.minmax, a.x),
    "sum axis 0 out": lambda a: partial(jr.sum, a.x, axis=0, out=a.out),
    "sum where mask": lambda a: partial(jr.sum, a.x, where=a.mask),
    "sum value": lambda a: partial(jr.sum, a.x, value=True),
    "Reduction x * x": lambda a: partial(SQUARES, a.x),
    "reduce min sum max axis 0": lambda a: partial(jr.reduce, a.x, ("min", "sum", "max"), axis=0),
    "reduce_by_key": lambda a: partial(jr.reduce_by_key, a.keys, a.flat),
    UNWAITED: lambda a: partial(jr.reduce_by_key, a.keys, a.flat, **({} if isinstance(a.keys, numpy.ndarray) else {"wait": False})),
}


class Arrays:
    """Arrays of one library of so many elements. of(numpy array) makes one, as_numpy(array) reads it."""

    def __init__(self, count, of, as_numpy):
        x = (numpy.arange(count) % 8).astype("f4").reshape(64, -1)
        self.as_numpy = as_numpy
        self.x, self.y, self.mask, self.cube, self.flat = map(of, (x, x[::-1].copy(), x > 3, x.reshape(16, 4, -1), x.reshape(-1)))
        self.keys, self.out = of((numpy.arange(count) // 100).astype("i4")), of(numpy.zeros(count // 64, "f4"))


def of_torch(a):
    """PyTorch's own calls."""
    import torch  # pylint: disable=import-outside-toplevel

    return {
        "sum": partial(torch.sum, a.x), "max": partial(torch.max, a.x), "var": partial(torch.var, a.x, correction=0),
        "sum axis 0": partial(torch.sum, a.x, 0), "sum axis 1": partial(torch.sum, a.x, 1), "sum axes (0, 2)": partial(torch.sum, a.cube, (0, 2)),
        "argmax axis 1": partial(torch.argmax, a.x, 1), "std axis 1": partial(torch.std, a.x, 1, correction=0),
        "norm axis 1": partial(torch.linalg.vector_norm, a.x, dim=1), "dot": partial(torch.dot, a.x.view(-1), a.y.view(-1)),
        "cumulative_sum axis 1": partial(torch.cumsum, a.x, 1), "sum dtype float64": partial(torch.sum, a.x, dtype=torch.float64),
        "sum accuracy exact": partial(torch.sum, a.x), "minmax": partial(torch.aminmax, a.x), "sum axis 0 out": partial(torch.sum, a.x, 0, out=a.out),
        "sum where mask": lambda: torch.sum(torch.where(a.mask, a.x, 0)), "sum value": lambda: torch.sum(a.x).item(),
        "Reduction x * x": lambda: torch.sum(a.x * a.x),
        "reduce min sum max axis 0": lambda: (torch.amin(a.x, 0), torch.sum(a.x, 0), torch.amax(a.x, 0)),
    }


def of_cupy(a):
    """CuPy's own calls."""
    import cupy  # pylint: disable=import-outside-toplevel

    return {
        "sum": partial(cupy.sum, a.x), "max": partial(cupy.max, a.x), "var": partial(cupy.var, a.x), "sum axis 0": partial(cupy.sum, a.x, axis=0),
        "sum axis 1": partial(cupy.sum, a.x, axis=1), "sum axes (0, 2)": partial(cupy.sum, a.cube, axis=(0, 2)),
        "argmax axis 1": partial(cupy.argmax, a.x, axis=1), "std axis 1": partial(cupy.std, a.x, axis=1),
        "norm axis 1": partial(cupy.linalg.norm, a.x, axis=1), "dot": partial(cupy.vdot, a.x, a.y), "cumulative_sum axis 1": partial(cupy.cumsum, a.x, axis=1),
        "sum dtype float64": partial(cupy.sum, a.x, dtype="f8"), "sum accuracy exact": partial(cupy.sum, a.x),
        "minmax": lambda: (cupy.min(a.x), cupy.max(a.x)), "sum axis 0 out": partial(cupy.sum, a.x, axis=0, out=a.out),
        "sum where mask": lambda: cupy.sum(cupy.where(a.mask, a.x, 0)), "sum value": lambda: cupy.sum(a.x).item(),
        "Reduction x * x": lambda: cupy.sum(a.x * a.x),
        "reduce min sum max axis 0": lambda: (cupy.min(a.x, axis=0), cupy.sum(a.x, axis=0), cupy.max(a.x, axis=0)),
    }


def of_compute(a):
    """cuda.compute's reduce, made once and called with its storage; under the names that the wheel cuda-cccl has had for it."""
    import torch  # pylint: disable=import-outside-toplevel

    compute = next(filter(None, map(found, ("cuda.compute", "cuda.cccl.parallel.experimental"))))
    out, zero, x = torch.empty(1, device="cuda"), numpy.zeros(1, "f4"), a.flat
    reducer = compute.make_reduce_into(d_in=x, d_out=out, op=compute.OpKind.PLUS, h_init=zero)
    given = {"d_in": x, "d_out": out, "num_items": x.numel(), "h_init": zero}
    if "op" in inspect.signature(type(reducer).__call__).parameters:  # later versions are given it again
        given["op"] = compute.OpKind.PLUS
    storage = torch.empty(max(reducer(temp_storage=None, **given), 1), device="cuda", dtype=torch.uint8)

    def run():
        reducer(temp_storage=storage, **given)
        return out[0]

    return {"sum": run, "sum value": lambda: run().item()}


def peers():
    """The libraries that are here, with their versions."""
    return [f"{name} {module.__version__}" for name, module in (("PyTorch", found("torch")), ("CuPy", found("cupy"))) if module]


def found(name):
    """A module, or None."""
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


def contestants_on_gpu(count, note):
    """[(name, calls by work, Arrays)], ours over PyTorch's tensors first, and a function that waits for the device."""
    import torch  # pylint: disable=import-outside-toplevel

    tensors = Arrays(count, lambda x: torch.from_numpy(x).cuda(), lambda x: x.cpu().numpy())
    made = [("jitreduce(torch)", {name: call(tensors) for name, call in OURS.items()}, tensors), ("torch", of_torch(tensors), tensors)]
    try:
        import cupy  # pylint: disable=import-outside-toplevel

        arrays = Arrays(count, cupy.asarray, cupy.asnumpy)
        made += [("jitreduce(cupy)", {name: call(arrays) for name, call in OURS.items()}, arrays), ("cupy", of_cupy(arrays), arrays)]
    except Exception as error:  # whatever another library raises  # pylint: disable=broad-exception-caught
        note(f"CuPy is left out: {error!r}")
    try:
        made.append(("cuda.compute", of_compute(tensors), tensors))
    except Exception as error:  # pylint: disable=broad-exception-caught
        note(f"cuda.compute is left out: {error!r}")
    return made, torch.cuda.synchronize


def contestants_on_simulator(count, _note):
    """Ours alone."""
    arrays = Arrays(count, jr.DeviceArray.of, lambda x: x.numpy())
    return [("jitreduce(own)", {name: call(arrays) for name, call in OURS.items()}, arrays)], jr.default_context().synchronize


def numbers_of(result, as_numpy):
    """A result as arrays of NumPy."""
    if isinstance(result, tuple):
        return [numbers for one in result for numbers in numbers_of(one, as_numpy)]
    return [numpy.asarray(result if isinstance(result, (float, int)) else as_numpy(result))]


def is_wrong(work, call, arrays, expected):
    """Whether a contestant's result is not what the package has for NumPy's arrays, which its tests hold against NumPy."""
    got = numbers_of(call(), arrays.as_numpy)
    if work == UNWAITED:  # the last result says how many of the others are of runs
        got = [one[: int(got[-1])] for one in got[:-1]]
    return len(got) != len(expected) or not all(one.shape == other.shape and numpy.allclose(one, other, rtol=1e-4)
                                                for one, other in zip(got, expected))


def measure(call, calls, wait):
    """Microseconds of one call, of many one after the other: on the host, and with the wait for the device in it."""
    wait()
    begin = time.perf_counter()
    for _ in range(calls):
        call()
    queued = time.perf_counter()
    wait()
    return (queued - begin) / calls * 1e6, (time.perf_counter() - begin) / calls * 1e6


def rows(options, count, note):
    """Measures every work that is asked for; a line of fields for each contestant."""
    contestants, wait = (contestants_on_gpu if options.device == "cuda" else contestants_on_simulator)(count, note)
    plain = Arrays(count, lambda x: x, lambda x: x)
    for work in options.works or OURS:
        there = [(name, calls[work], arrays) for name, calls, arrays in contestants if work in calls]
        expected = numbers_of(OURS[work](plain)(), plain.as_numpy)
        wrong = [is_wrong(work, call, arrays, expected) for _, call, arrays in there]
        times = [[measure(call, options.calls, wait) for _, call, _ in there] for _ in range(options.rounds)]
        medians = numpy.median(times, axis=0)
        for (name, _, _), (host, whole), bad in zip(there, medians, wrong):
            yield [work.replace(",", ""), name, f"{host:.3f}", f"{host / medians[0][0]:.3f}", str(options.rounds), str(options.calls),
                   str(int(bad)), str(count), f"{whole:.3f}", f"{whole / medians[0][1]:.3f}"]
