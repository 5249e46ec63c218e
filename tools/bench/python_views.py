"""The works of python_bench.py views: sums and the index of a maximum of views, beside the functions of the library whose views they are."""

import jitreduce as jr
import numpy as np
import python_calls
import python_devices

#: name -> view(module, array of side x side), of NumPy, CuPy and PyTorch alike. PyTorch has no views backwards.
VIEWS = {
    "x": lambda m, x: x,
    "x[:, ::2]": lambda m, x: x[:, ::2],
    "x[::2]": lambda m, x: x[::2],
    "x[:, :5/8]": lambda m, x: x[:, : x.shape[1] * 5 // 8],
    "x[::-1]": lambda m, x: x[::-1],
    "x[:, ::-1]": lambda m, x: x[:, ::-1],
    "x.T": lambda m, x: x.T,
    "image[..., 0]": lambda m, x: x.reshape(-1)[: x.shape[0] // 3 * 3 * x.shape[1]].reshape(-1, x.shape[1], 3)[..., 0],
    "image[..., :3]": lambda m, x: x.reshape(-1, x.shape[1], 4)[..., :3],
    "a row, broadcast": lambda m, x: m.broadcast_to(x[:1], x.shape),
    "a column, broadcast": lambda m, x: m.broadcast_to(x[:, :1], x.shape),
    "windows of 32": lambda m, x: windows(x.reshape(-1)[: x.shape[0] * x.shape[1] // 32], 32),
}
#: name -> (ours, the peer's name of it, arguments)
DONE = {"sum": (jr.sum, "sum", ()), "sum axis 0": (jr.sum, "sum", (0,)), "sum axis 1": (jr.sum, "sum", (1,)), "argmax": (jr.argmax, "argmax", ())}
WORKS = [f"{op}: {view}" for op in DONE for view in VIEWS]
SAMPLE_US, BATCH_MAX = 4000, 20  # of runs one after the other
COLUMNS = "work,contestant,median_us,lower_quartile_us,upper_quartile_us,gb_per_s,ratio,rounds,count,wrong_results"


def windows(x, length):
    """All windows of so many neighbours of an array of one axis, where they lie."""
    if hasattr(x, "unfold"):
        return x.unfold(0, length, 1)
    return python_calls.found(type(x).__module__.split(".", maxsplit=1)[0]).lib.stride_tricks.as_strided(x, (x.size - length + 1, length), x.strides * 2)


def on_gpu(side, note):
    """The device, and of each library there its name, its module and an array of numbers from 0 to 99."""
    device = python_devices.TorchDevice(None)
    x = device.integers(side * side, 99, 7).abs().view(side, side)
    bases = [("torch", device.torch, x)]
    cupy = python_calls.found("cupy")
    if cupy is None:
        note("CuPy is left out: it is not here")
        return device, bases
    cupy.cuda.ExternalStream(device.stream()).use()
    return device, bases + [("cupy", cupy, cupy.asarray(x))]


class Host(python_devices.NumpyDevice):
    """NumPy's arrays, which the simulator is given."""

    def __init__(self):  # pylint: disable=super-init-not-called
        pass

    def wait(self):
        pass


def on_simulator(side, _note):
    """As on_gpu."""
    return Host(), [("numpy", np, np.random.default_rng(7).integers(0, 99, (side, side)).astype("f4"))]


def as_numpy(result):
    """A result as an array of NumPy."""
    return result.cpu().numpy() if hasattr(result, "cpu") else result.get() if hasattr(result, "get") else np.asarray(result)


def is_wrong(module, view, op, arguments, result):
    """Is a result none of the view's? Of several elements that are the greatest, any one will do."""
    if op == "argmax":
        return as_numpy(view.reshape(-1)[int(result)]) != as_numpy(view.max())
    return not np.allclose(as_numpy(result), as_numpy(module.sum(view, *arguments, dtype=module.float64)), rtol=1e-5)


def contestants_of(bases, work, note):
    """Ours and the peer's, of each library that has the view: (name, call, elements, whether it is wrong)."""
    op, name = work.split(": ", maxsplit=1)
    ours, peer, arguments = DONE[op]
    for library, module, x in bases:
        for contestant, function in ((f"jitreduce({library})", ours), (library, getattr(module, peer))):
            try:
                view = VIEWS[name](module, x)
                wrong = is_wrong(module, view, peer, arguments, function(view, *arguments))
            except Exception as error:  # whatever another library raises  # pylint: disable=broad-exception-caught
                note(f"{work}: {contestant} is left out: {error}")
                break
            yield contestant, (lambda _run, f=function, v=view: f(v, *arguments)), int(np.prod(view.shape)), bool(wrong)


def rows(options, note):
    """Measures every work that is asked for; a line of fields for each contestant."""
    side = 1 << options.side
    device, bases = (on_gpu if options.device == "cuda" else on_simulator)(side, note)
    for work in options.works or WORKS:
        there = list(contestants_of(bases, work, note))
        calls = [call for _, call, _, _ in there]
        for i in range(3 * len(calls)):
            calls[i % len(calls)](0)
        device.wait()
        batches = [1 if device.simulated else max(1, min(BATCH_MAX, int(SAMPLE_US / device.time(call, 0, 1)))) for call in calls]
        times = np.percentile([[device.time(*each) for each in zip(calls, [0] * len(calls), batches)] for _ in range(options.rounds)], (50, 25, 75), axis=0)
        for i, (name, _, count, wrong) in enumerate(there):
            first = max(j for j in range(i + 1) if there[j][0].startswith("jitreduce"))  # ours of the same library
            yield [work.replace(",", ";"), name, *(f"{us:.3f}" for us in times[:, i]), f"{count * 4 / times[0, i] / 1e3:.1f}",
                   f"{times[0, i] / times[0, first]:.3f}", str(options.rounds), str(count), str(int(wrong))]
