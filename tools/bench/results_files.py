"""Reads the CSV files of the benchmarks: groups of lines that were measured in turns, one line a contestant."""

import csv
import re
from pathlib import Path

BENCH = Path(__file__).resolve().parent
NOT_PEERS = ("jitreduce", "read ", "copy", "one device", "group", "one", "turns", "peers", "nccl")


class Group:
    """Contestants that were measured in turns on one work."""

    def __init__(self, head):
        self.head = head  # "device", "driver", "command" ... of the file's section
        self.lines = []

    def __getitem__(self, column):
        """What all lines share: the first line's."""
        return self.lines[0].get(column) or ""

    def named(self, contestant):
        """The line of a contestant, or None."""
        return next((line for line in self.lines if line["contestant"] == contestant), None)

    def ours(self):
        """Our line."""
        return self.named("jitreduce") or self.named("group") or self.named("peers")

    def median(self, contestant=None):
        """A median in microseconds: ours, or a contestant's; None where it is missing."""
        line = self.named(contestant) if contestant else self.ours()
        return float(line["median_us"]) if line else None

    def peers(self):
        """The lines of the peers."""
        return [line for line in self.lines if not line["contestant"].startswith(NOT_PEERS)]

    def fastest(self, has=""):
        """The line of the fastest peer whose name contains the text; None without any."""
        peers = [line for line in self.peers() if has in line["contestant"]]
        if not has:
            peers = [line for line in peers if "gpu_to_gpu" not in line["contestant"]]
        return min(peers, key=lambda line: float(line["median_us"]), default=None)

    def ratio(self, has=""):
        """The fastest peer's median over ours; None without a peer."""
        peer = self.fastest(has)
        return float(peer["median_us"]) / self.median() if peer else None

    def over(self, contestant):
        """A contestant's median over ours: our speed as a share of its speed; None without it."""
        other = self.median(contestant)
        return other / self.median() if other is not None else None


KEYS = ("work", "kind", "op", "type", "result", "layout", "run", "shape", "axis", "count", "mode", "data", "offset", "devices_asked",
        "elements", "measure")


def read(folder, name):
    """All groups of a file, in its order; lines of one work that stand apart in a section are one group."""
    groups, head, columns = [], {}, None
    found = {}
    for text in (BENCH / folder / f"{name}.csv").read_text(encoding="utf-8").splitlines():
        if text.startswith("#"):
            word, colon, rest = text[1:].strip().partition(": ")
            if columns is not None and word in ("device", "command"):
                head, columns, found = {}, None, {}
            if colon and word not in head:
                head[word] = rest
            continue
        fields = next(csv.reader([text]))
        if "contestant" in fields:
            columns = fields
            continue
        line = dict(zip(columns, fields))
        key = tuple(line.get(column) for column in KEYS)
        if key not in found:
            found[key] = Group(head)
            groups.append(found[key])
        found[key].lines.append(line)
    return groups


def conditions(folder, names):
    """Card, driver and NVRTC of files, as their comments name them: all files must agree."""
    said = set()
    for name in names:
        text = "".join(line for line in (BENCH / folder / f"{name}.csv").open(encoding="utf-8") if line.startswith("#"))
        card = re.search(r"(NVIDIA H[^,\n]*)", text)
        driver = re.search(r"driver:? ([\d.]+)", text)
        nvrtc = re.search(r"nvrtc:? ([\d.]+)", text, re.IGNORECASE)
        said.add(f"**{card[1]}**, driver {driver[1]}, NVRTC {nvrtc[1]}")
    if len(said) != 1:
        raise SystemExit(f"results.py: files of one table were measured differently: {folder}/{{{','.join(names)}}}: {sorted(said)}")
    return said.pop()


def power(count):
    """2^20 for 1048576; other counts as they are."""
    number = int(count)
    return f"2^{number.bit_length() - 1}" if number and number & (number - 1) == 0 else f"{number}"


def number(value, digits=3):
    """Some significant digits, without an exponent; empty for None."""
    if value is None:
        return ""
    return f"{value:.0f}" if value >= 10 ** (digits - 1) else f"{value:.{digits}g}" if value < 0.1 else f"{value:#.{digits}g}"


def ratio(value):
    """A ratio with two decimals, of 10 and above with none."""
    return "" if value is None else f"{value:.0f}" if value >= 10 else f"{value:.2f}"


def markdown(header, rows):
    """A table."""
    lines = [header, ["---"] * len(header), *rows]
    return "".join("| " + " | ".join(line) + " |\n" for line in lines)
