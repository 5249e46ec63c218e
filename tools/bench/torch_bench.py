#!/usr/bin/env python3
"""Reductions along axes and of ragged segments, and cumulative sums, beside PyTorch in one process, as CSV.

usage: torch_bench.py [--device cuda|sim] [--rounds N] [--elements N] [--tuning BxU[xG]]... LIBJITREDUCE.so [WORK...]

WORK is OP[,OP...]:SHAPE:AXIS, like sum,argmax:16384x16384:0 or cumsum:1048576x32:0; or OP[,OP...]:raggedMEAN:COUNT, so
many elements in segments of 1 to 2 MEAN - 1; or a list of them by its name: columns, rows, ragged, cumsum. Where none
is named all lists are measured. --elements halves the longest sides until there are so few. --tuning measures ours by
blocks of B threads with an unroll factor of U, and G blocks, as well; it may be given again.

Contestants take turns. A sample is a batch of runs between two events of PyTorch's current stream, put there while the
device is still kept busy, so that what Python takes for a call does not count; each run takes the next of several
arrays. Elements are whole numbers as large as sums stay exact with, so that every result must be PyTorch's; the exit
code is 1 where one is not. flat_share is the time of our sum of as many elements over this one's, copy_share that of a
copy of as many bytes, ratio this one's time over ours; all by medians. --device sim: NumPy is the peer, the library
runs on the simulator with 20000 elements, and times say nothing.
"""

import argparse
import math
import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests" / "judge"))
import numpy as np  # noqa: E402
import jitreduce as jr  # noqa: E402  (the judge's binding of the public ABI)
import csv_head  # noqa: E402
import torch_works  # noqa: E402

COLUMNS = ("work,op,type,shape,axis,count,results,bytes,contestant,median_us,lower_quartile_us,upper_quartile_us,"
           "gb_per_s,flat_share,copy_share,ratio,rounds,tuning,wrong_results").split(",")
SAMPLE_US, BATCH_MAX = 4000, 64  # as jr_measure
SPAN_BYTES = 1 << 30  # of the arrays that runs take in turn: far more than a cache holds


def fail(message):
    sys.exit(f"torch_bench.py: {message}")


class Times:
    """What the samples of one contestant say."""

    def __init__(self, samples):
        self.lower, self.median, self.upper = np.percentile(samples, (25, 50, 75))


def measure(device, contestants, rounds):
    """Times of each contestant: a run to warm up, one to find the batch, then all take turns."""
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
    return [Times(taken) for taken in samples]


def data_of(device, work):
    """Arrays of the work's elements, with the offsets of its segments."""
    slots = 2 if device.simulated else max(2, math.ceil(SPAN_BYTES / (4 * work.count)))
    return torch_works.Data([device.integers(work.count, work.most, seed) for seed in range(slots)],
                            None if work.offsets is None else device.upload(work.offsets))


def contestants_of(library, tunings, device, work, op, data):
    """Ours first, and as it is asked for; the peer where it can do the work; what all are held against."""
    made = [torch_works.Ours(library, device, work, op, data, tuning) for tuning in [None] + tunings]
    try:
        peer = torch_works.Peer(device, work, op, data)
        peer.run(0)
        device.wait()
        made.append(peer)
    except Exception as error:  # whatever another library raises
        print(f"torch_bench.py: {op}:{work.name}: {device.peer_name} is left out: {error!r}", file=sys.stderr)
    reference = torch_works.Copy if op in torch_works.SCANS else torch_works.Flat
    return made + [reference(library, device, work, data)]


def wrong_results(contestants):
    """For each contestant how many of its results are not what they must be; "" where nobody says what that is."""
    judge = next((other for other in contestants if isinstance(other, torch_works.Peer)), None)
    right = judge.results() if judge else None
    return [other.wrong(right) for other in contestants]


def rows(library, options, device, work, op, data):
    """Measures one operator of a work; a line of fields for each contestant."""
    contestants = contestants_of(library, options.tunings, device, work, op, data)
    times = measure(device, contestants, options.rounds)
    wrong = wrong_results(contestants)
    moved = work.bytes_of(op)
    shares = ["flat" if isinstance(contestants[-1], torch_works.Flat) else "copy", times[-1].median]
    for contestant, time, count in zip(contestants, times, wrong):
        share = f"{shares[1] / time.median:.4f}"
        yield [f"{op}:{work.name}", op, "f32", work.shape_text, str(work.axis_text), str(work.count),
               str(work.results_of(op)), str(moved), contestant.name, f"{time.median:.3f}", f"{time.lower:.3f}", f"{time.upper:.3f}",
               f"{moved / time.median / 1e3:.1f}", share if shares[0] == "flat" else "",
               share if shares[0] == "copy" else "", f"{time.median / times[0].median:.4f}", str(options.rounds),
               contestant.tuning, str(count)]
    for contestant in contestants:
        contestant.free()


def run_works(library, options, device, works):
    """Prints the lines of all works; returns how many contestants have wrong results."""
    wrong = 0
    for work in works:
        data = data_of(device, work)
        for op in work.ops:
            for row in rows(library, options, device, work, op, data):
                wrong += row[-1] not in ("", "0")
                print(",".join(row), flush=True)
        for array in data.arrays + ([] if data.offsets is None else [data.offsets]):
            device.free(array)
    return wrong


def open_device(name, library):
    """The peer's arrays, stream and clock."""
    if name == "sim":
        import numpy_device

        return numpy_device.Device(library)
    import torch_device

    return torch_device.Device(library)


def main():
    """Reads the command line, and prints the head and the lines of all works."""
    parser = argparse.ArgumentParser(usage=__doc__.split("usage: ")[1].split("\n", maxsplit=1)[0],
                                     description=__doc__.split("\n\n", maxsplit=2)[2],
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--device", default="cuda", choices=("cuda", "sim"))
    parser.add_argument("--rounds", type=int, help="samples of each contestant (21; on the simulator 1)")
    parser.add_argument("--elements", type=int, help="at most so many elements (on the simulator 20000)")
    parser.add_argument("--tuning", dest="tunings", action="append", default=[], metavar="BxU[xG]",
                        help="ours tuned so as well: threads of a block, unroll factor, blocks")
    parser.add_argument("library")
    parser.add_argument("works", nargs="*", metavar="WORK")
    options = parser.parse_intermixed_args()
    simulated = options.device == "sim"
    options.rounds = options.rounds or (1 if simulated else 21)
    options.elements = options.elements or (20000 if simulated else None)
    if options.rounds < 1:
        fail(f"--rounds: {options.rounds} is not 1 or more")
    try:
        works = torch_works.works_of(options.works, options.elements)
        options.tunings = [torch_works.Tuning(text) for text in options.tunings]
    except ValueError as error:
        fail(error)
    os.environ["JITREDUCE_DEVICE"] = options.device
    library = jr.Library(str(Path(options.library).resolve()))
    device = open_device(options.device, library)
    csv_head.write(library, [device.peer_name], sys.argv)
    print(",".join(COLUMNS))
    wrong = run_works(library, options, device, works)
    if wrong:
        fail(f"{wrong} contestants have wrong results: the last column says which")


if __name__ == "__main__":
    main()
