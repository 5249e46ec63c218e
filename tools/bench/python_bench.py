#!/usr/bin/env python3
"""jitreduce beside other libraries of Python in one process, as CSV: what calls cost the host, and what devices take.

usage: python_bench.py calls [--device cuda|sim] [--rounds N] [--calls N] [--counts 10,16] [WORK...]
       python_bench.py shapes [--device cuda|sim] [--rounds N] [--elements N] [--tuning BxU[xG]]... LIBJITREDUCE.so [WORK...]
       python_bench.py views [--device cuda|sim] [--rounds N] [--side N] [WORK...]

calls: the package (PYTHONPATH=build/current/python) beside PyTorch, CuPy and cuda.compute, over arrays of (64, 2^N / 64) f32, N of
--counts (16). WORK is one of python_calls.py; default: all. host_us is a call on the host: --calls of them one after the other, the
device waited for before and after, not timed; call_us has the wait in it. launch_bench tells what the same calls take from C.

shapes: device time beside PyTorch (of flat works CuPy, too). WORK is OP[,OP...]:SHAPE:AXIS, like sum,argmax:16384x16384:0 or
cumsum:1048576x32:0; or OP[,OP...]:raggedMEAN:COUNT, so many elements in segments of 1 to 2 MEAN - 1; or OP[,OP...]:flat:COUNT; or
OP[,OP...]:random:COUNT[:SEED], shapes and axes that are drawn; or a list of them by its name: columns, rows, ragged, cumsum, moments,
flat. Where none is named all lists are measured. --elements halves the longest sides until there are so few. --tuning measures ours
by blocks of B threads with an unroll factor of U, and G blocks, as well. A sample is a batch of runs between two events of PyTorch's
current stream, put there while the device is still kept busy, so that what Python takes for a call does not count; each run takes the
next of several arrays. Elements are whole numbers as large as sums stay exact with, so that every result must be PyTorch's.
flat_share is the time of our sum of as many elements over this one's, copy_share that of a copy of as many bytes.

views: device time of the package beside PyTorch and CuPy over views with gaps, backwards, broadcast and sliding of an array of
(2^N, 2^N) f32, N of --side (14). WORK is OP: VIEW of python_views.py, like 'sum axis 0: x[:, ::2]'. gb_per_s counts the view's elements.

Contestants take turns; times are medians, ratio is this one's time over ours. The exit code is 1 where a result is wrong. --device sim:
NumPy is the peer of shapes, and times say nothing. cuda.compute is in the wheel cuda-cccl, which takes cuda-core, cuda-bindings and
cuda-pathfinder beside it: pip install --no-deps cuda-cccl cuda-core cuda-pathfinder "cuda-bindings==13.*" (of PyTorch's CUDA).
"""

import argparse
import importlib.util
import os
import shlex
import subprocess
import sys
from pathlib import Path

JUDGE = Path(__file__).resolve().parents[2] / "tests" / "judge"


def note(text):
    """Tells what is left out."""
    print(f"python_bench.py: {text}", file=sys.stderr)


def fail(message):
    """Ends the program."""
    sys.exit(f"python_bench.py: {message}")


def open_judge():
    """The judge's binding of the public ABI, whose file is named as the package."""
    sys.path.append(str(JUDGE))
    found = importlib.util.spec_from_file_location("judge", JUDGE / "jitreduce.py")
    judge = importlib.util.module_from_spec(found)
    found.loader.exec_module(judge)
    return judge


def print_head(folder, device, peers):
    """Prints device, versions and command as the command in this folder does; what lies anywhere is told by its name."""
    words = [folder / "jitreduce", "bench", "--device", device, "--csv", "--quiet", "--rounds", "1", "--sizes", "1"]
    told = subprocess.run(words, check=True, stdout=subprocess.PIPE, text=True).stdout
    print(*(line for line in told.splitlines() if line.startswith(("# device", "# driver", "# nvrtc", "# jitreduce"))), sep="\n")
    print(*(f"# peer: {peer}\n" for peer in peers), sep="", end="")
    names = [Path(word).name if word.startswith("/") else word for word in sys.argv[1:]]
    print(f"# command: {shlex.join([Path(sys.argv[0]).name, *names])}")


def run_calls(options):
    """The lines of calls."""
    import python_calls  # pylint: disable=import-outside-toplevel

    unknown = [word for word in options.works if word not in python_calls.OURS]
    if unknown:
        fail(f"'{unknown[0]}' is no work: there are {', '.join(python_calls.OURS)}")
    print_head(Path(python_calls.jr.__file__).parent, options.device, python_calls.peers() if options.device == "cuda" else [])
    yield python_calls.COLUMNS.split(",")
    for power in options.counts.split(","):
        yield from python_calls.rows(options, 1 << int(power), note)


def run_shapes(options):
    """The lines of shapes."""
    import python_devices  # pylint: disable=import-outside-toplevel
    import python_shapes  # pylint: disable=import-outside-toplevel

    try:
        works = python_shapes.works_of(options.works, options.elements)
        options.tunings = [python_shapes.tuning_of(text) for text in options.tunings]
    except ValueError as error:
        fail(error)
    judge = open_judge()
    library = judge.Library(str(Path(options.library).resolve()))
    device = (python_devices.NumpyDevice if options.device == "sim" else python_devices.TorchDevice)(library)
    print_head(Path(options.library).resolve().parent, options.device, [device.peer_name])
    yield python_shapes.COLUMNS.split(",")
    for work in works:
        data = python_shapes.Data(device, work)
        for op in work.ops:
            yield from python_shapes.rows(judge, library, options, data, work, op, note)
        data.free()


def run_views(options):
    """The lines of views."""
    import python_views  # pylint: disable=import-outside-toplevel

    unknown = [word for word in options.works if word not in python_views.WORKS]
    if unknown:
        fail(f"'{unknown[0]}' is no work: there are {', '.join(python_views.WORKS)}")
    print_head(Path(python_views.jr.__file__).parent, options.device, python_views.python_calls.peers() if options.device == "cuda" else ["NumPy " + python_views.np.__version__])
    yield python_views.COLUMNS.split(",")
    yield from python_views.rows(options, note)


def read_options(words):
    """The mode and its options."""
    usage = "\n".join(line.strip() for line in __doc__.split("usage: ")[1].split("\n")[:3])
    parser = argparse.ArgumentParser(usage=usage, description=__doc__.split("\n\n", maxsplit=2)[2],
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("mode", choices=("calls", "shapes", "views"))
    mode = parser.parse_known_args(words[:1])[0].mode
    parser.add_argument("--device", default="cuda", choices=("cuda", "sim"))
    parser.add_argument("--rounds", type=int, help="samples of each contestant (21; on the simulator 1)")
    if mode == "calls":
        parser.add_argument("--calls", type=int, default=200)
        parser.add_argument("--counts", default="16")
    elif mode == "views":
        parser.add_argument("--side", type=int, help="the array has 2^N x 2^N elements (14; on the simulator 5)")
    else:
        parser.add_argument("--elements", type=int, help="at most so many elements (on the simulator 20000)")
        parser.add_argument("--tuning", dest="tunings", action="append", default=[], metavar="BxU[xG]")
        parser.add_argument("library")
    parser.add_argument("works", nargs="*", metavar="WORK")
    return parser.parse_intermixed_args(words)


def main():
    """Prints the lines of all works."""
    options = read_options(sys.argv[1:])
    os.environ["JITREDUCE_DEVICE"] = options.device
    simulated = options.device == "sim"
    options.rounds = (1 if simulated else 21) if options.rounds is None else options.rounds
    if options.rounds < 1:
        fail(f"--rounds: {options.rounds} is not 1 or more")
    if options.mode == "shapes" and simulated:
        options.elements = options.elements or 20000
    if options.mode == "views":
        options.side = options.side or (5 if simulated else 14)
    run, wrong, wrong_at = {"calls": run_calls, "shapes": run_shapes, "views": run_views}[options.mode], 0, None
    for row in run(options):
        if wrong_at is None:
            wrong_at = next((i for i, name in enumerate(row) if name.startswith("wrong")), None)
        else:
            wrong += row[wrong_at] not in ("", "0")
        print(",".join(row), flush=True)
    if wrong:
        fail(f"{wrong} contestants have wrong results: the column {'wrong' if options.mode == 'calls' else 'wrong_results'} says which")


if __name__ == "__main__":
    main()
