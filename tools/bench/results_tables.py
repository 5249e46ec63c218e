"""Which tables of figures there are: what each takes from the CSV files, and how."""

from dataclasses import dataclass, field
from typing import Callable

from results_files import conditions, markdown, number, power, ratio, read


def source(folder, names, prefix):
    """Where the figures of a table come from, in one line: card, versions, peers, files."""
    files = ", ".join(f"[{name}.csv]({prefix}{folder}/{name}.csv)" for name in names)
    groups = [group for name in names for group in read(folder, name)]
    peers = dict.fromkeys(peer_name(line["contestant"]) for group in groups for line in group.peers())
    beside = f"; peers: {', '.join(peers)}" if peers else ""
    return f"{conditions(folder, names)}{beside}. Measurements: {files}"


@dataclass
class Table:
    """A table for each folder that has its files. rows(folder) gives header and rows."""

    name: str
    title: str
    note: str
    files: list
    rows: Callable
    folders: list = field(default_factory=lambda: ["h100", "h200"])

    def texts(self, prefix=""):
        """Pairs of a line that names the card and the files, and a table; the prefix leads from the page to tools/bench."""
        return [(source(folder, self.files, prefix), markdown(*self.rows(folder))) for folder in self.folders]


@dataclass
class Joined:
    """One table whose rows name their files; rows(prefix) gives the line above it, header and rows."""

    name: str
    rows: Callable

    def texts(self, prefix=""):
        """One table and the line above it."""
        above, header, body = self.rows(prefix)
        return [(above, markdown(header, body))]


def by(groups, *columns):
    """Groups by the values of columns, in their order."""
    sorted_out = {}
    for group in groups:
        sorted_out.setdefault(tuple(group[column] for column in columns), []).append(group)
    return sorted_out


def flat(folder):
    """Sums and minima: ratios by count, a column an operator and type."""
    groups = read(folder, "sizes")
    columns = list(by(groups, "op", "type"))
    header = ["elements", *(f"{op} {dtype}" for op, dtype in columns), "ours, sum f32"]
    rows = []
    for (count,), some in by(groups, "count").items():
        found = {(group["op"], group["type"]): group for group in some}
        rows.append([power(count), *(ratio(found[column].ratio()) for column in columns), number(found["sum", "f32"].median())])
    return header, rows


def scans(name, with_copy=True):
    """Inclusive sums by count: ours, ratio, share of a copy, for each type."""

    def rows(folder):
        groups = [group for group in read(folder, name) if group["layout"] == "flat"]
        types = [key[0] for key in by(groups, "type")]
        header = ["elements"]
        for dtype in types:
            header += [f"{dtype}: ours", "CUB", *(["share of a copy"] if with_copy else [])]
        body = []
        for (count,), some in by(groups, "count").items():
            row = [power(count)]
            for group in some:
                row += [number(group.median()), ratio(group.ratio()), *([ratio(group.over("copy"))] if with_copy else [])]
            body.append(row)
        return header, body

    return rows


def scan_work(group):
    """What a line of scan_bench measured, in words."""
    runs = {"all": "one run of all"}.get(group["run"], f"runs of {group['run']}")
    layout = "" if group["layout"] == "flat" else f", by {group['layout']}, {runs}"
    types = group["type"] if group["result"] in ("", group["type"]) else f"{group['type']} in {group['result']}"
    offset = ", one element off" if group["offset"] == "1" and group["layout"] == "flat" else ""
    return f"{group['kind']} {group['op']} {types}{layout}{offset}"


def scan_works(files):
    """Works of scan_bench, a row each."""

    def rows(folder):
        body = []
        for name in files:
            for group in read(folder, name):
                body.append([scan_work(group), power(group["count"]), number(group.median()), ratio(group.ratio()),
                             ratio(group.over("copy"))])
        return ["work", "elements", "ours", "CUB", "share of a copy"], body

    return rows


def shape_of(group):
    """The shape and axis of a line of python_bench.py shapes."""
    shape = group["shape"].replace("x", " x ").replace("ragged", "segments by offsets, mean length ")
    return f"{shape}, axis {group['axis']}" if group["axis"] else shape


def shapes(files):
    """Reductions of shapes beside PyTorch: ratio for each operator, share of the flat sum."""

    def rows(folder):
        groups = [group for name in files for group in read(folder, name)]
        ops = [key[0] for key in by(groups, "op")]
        header = ["shape", *(f"{op}: PyTorch" for op in ops), "sum: ours", "share of the flat sum"]
        body = []
        for some in by(groups, "shape", "axis", "count").values():
            found = {group["op"]: group for group in some}
            total = found.get("sum", some[0])
            body.append([shape_of(total), *(ratio(found[op].ratio()) if op in found else "" for op in ops), number(total.median()),
                         ratio(total.over("jitreduce flat sum"))])
        return header, body

    return rows


def cumulative(folder):
    """Cumulative sums along axes."""
    body = [[shape_of(group), number(group.median()), ratio(group.ratio()), ratio(group.over("copy"))]
            for group in read(folder, "cumsum")]
    return ["shape", "ours", "PyTorch", "share of a copy"], body


def exact(folder):
    """Exact sums beside plain ones, CUB's and CUB's reproducible ones."""
    groups = read(folder, "exact")
    plain = [group for group in groups if group.fastest()]
    hostile = {(group["op"], group["type"], group["count"]): group for group in groups if "hostile" in group.head["command"]}
    body = []
    for group in plain:
        sure = group.fastest("gpu_to_gpu")
        other = hostile.get((group["op"], group["type"], group["count"]))
        body.append([f"{group['type']} {power(group['count'])}", number(group.median()), number(group.median("jitreduce plain")),
                     ratio(group.ratio()), ratio(group.ratio("gpu_to_gpu")), ratio(group.over("jitreduce plain")),
                     ", ".join(line["ulps_off"] for line in (group.ours(), group.named("jitreduce plain"), group.fastest(), sure)),
                     ratio(other.over("jitreduce plain")) if other else "",
                     ", ".join(line["ulps_off"] for line in (other.ours(), other.named("jitreduce plain"))) if other else ""])
    return ["sum of", "exact", "plain", "CUB's plain", "CUB `gpu_to_gpu`", "share of plain", "ulps off: exact, plain, CUB, `gpu_to_gpu`",
            "numbers of all exponents: share of plain", "ulps off: exact, plain"], body


def exact_products(folder):
    """Exact products, share of the plain ones."""
    groups = [group for group in read(folder, "exact") if group["op"] != "sum"]
    body = [[f"{group['op']} {group['type']} {power(group['count'])}", number(group.median()), ratio(group.over("jitreduce plain"))]
            for group in groups]
    return ["work", "exact", "share of plain"], body


def reproducible(folder):
    """Reproducible results, share of the plain ones."""
    groups = read(folder, "reproducible")
    columns = list(by(groups, "op", "type"))
    found = {(group["count"], group["op"], group["type"]): group for group in groups}
    body = [[power(count), *(ratio(found[count, op, dtype].over("jitreduce plain")) if (count, op, dtype) in found else ""
                             for op, dtype in columns)] for (count,) in by(groups, "count")]
    return ["elements", *(f"{op} {dtype}" for op, dtype in columns)], body


def group_sums(folder):
    """A group's sum from the call to the value."""
    found = {(group["measure"], group["elements"]): group for group in read(folder, "group_2")}
    body = []
    for elements in dict.fromkeys(key[1] for key in found):
        row = [power(elements)]
        for measure in ("scalar", "devices"):
            group = found[measure, elements]
            row += [number(group.median()), number(group.median("one")), ratio(group.ratio())]
        body.append(row)
    return ["elements a GPU", "to a number: two GPUs", "one GPU", "CUB and NCCL", "to both GPUs: two GPUs", "one GPU", "CUB and NCCL"], body


def group_folds(folder):
    """Arrays added element by element."""
    found = {(group["measure"], group["elements"]): group for group in read(folder, "group_fold_2")}
    body = []
    for elements in dict.fromkeys(key[1] for key in found):
        row = [power(elements)]
        for measure in ("devices", "batch"):
            group = found[measure, elements]
            row += [number(group.median()), ratio(group.ratio())]
        body.append(row)
    return ["f32 elements", "one call", "`ncclAllReduce`", "each of 20 in a row", "`ncclAllReduce`"], body


def find(folder, name, **wanted):
    """The first group of a file with these columns."""
    return next(group for group in read(folder, name) if all(group[column] == value for column, value in wanted.items()))


def front(prefix):
    """README's rows: one work of each kind, on one card."""
    works = [("sum of 2^20 f32", find("h100", "sizes", op="sum", type="f32", count=str(2**20)), "", "sizes.csv"),
             ("sum of 2^28 f32", find("h100", "sizes", op="sum", type="f32", count=str(2**28)), "", "sizes.csv"),
             ("exact sum of 2^28 f32, the same bits everywhere", find("h100", "exact", op="sum", type="f32", count=str(2**28)), "gpu_to_gpu",
              "exact.csv"),
             ("running sum (scan) of 2^28 f32", find("h100", "scan", type="f32", count=str(2**28)), "", "scan.csv"),
             ("sums of the columns of 10^6 x 100 f32", find("h100", "columns", op="sum", shape="1000000x100"), "", "columns.csv"),
             ("sums of 2^22 segments of 64 f32 on average", find("h100", "ragged", op="sum", shape="ragged64"), "", "ragged.csv"),
             ("sum over two GPUs, 2^20 f32 each, call to number", find("h100", "group_2", elements=str(2**20), measure="scalar"), "",
              "group_2.csv")]
    body = []
    for what, group, has, name in works:
        peer = group.fastest(has)
        body.append([what, number(group.median()), peer_name(peer["contestant"]), number(float(peer["median_us"])), ratio(group.ratio(has)),
                     f"[{name}]({prefix}h100/{name})"])
    names = dict.fromkeys(name.removesuffix(".csv") for *_, name in works)
    return f"{conditions('h100', names)}:", ["work", "jitreduce, µs", "peer", "peer, µs", "ratio", "measurements"], body


def by_library(name, first, column):
    """Lines of works of Python: our times and the library's, over PyTorch's arrays and CuPy's."""

    def rows(folder):
        whose = ["jitreduce(torch)", "torch", "jitreduce(cupy)", "cupy"]
        header = [first, "jitreduce, PyTorch's array", "PyTorch", "jitreduce, CuPy's array", "CuPy"]
        body = []
        for group in read(folder, name):
            lines = [group.named(contestant) for contestant in whose]
            body.append([group["work"].replace(";", ","), *(number(float(line[column])) if line else "" for line in lines)])
        return header, body

    return rows


def peer_name(text):
    """CUB 3.6.0 for CUB 300600; the rest as it is."""
    words = text.split()
    if words[0] == "CUB" and words[1].isdigit():
        version = int(words[1])
        words[1] = f"{version // 100000}.{version // 100 % 1000}.{version % 100}"
    return " ".join(words).split("+")[0]


ALONG = "Beside PyTorch. The last column is the speed relative to our flat sum of as many elements."
TABLES = [
    Table("flat", "Sums and minima", "Beside CUB.", ["sizes"], flat, ["h100"]),
    Table("exact", "Exact sums", "The exact sum is the number nearest to the true sum, with the same bits on every device. An ulp is the distance to the "
          "next number of the type.", ["exact"], exact),
    Table("exact_products", "Exact products", "Relative to the plain operator.", ["exact"], exact_products),
    Table("reproducible", "Reproducible results", "`--accuracy reproducible`: speed relative to the plain operator.", ["reproducible"],
          reproducible, ["h200"]),
    Table("scan", "Running sums (scans)", "Inclusive sums, beside CUB and a copy of as many bytes.", ["scan"], scans("scan")),
    Table("scan_graph", "Running sums in a CUDA graph", "A launch takes part of the time of small scans; in a graph it does not.", ["graph"],
          scans("graph", False)),
    Table("scan_works", "Scans and reductions by key, by offsets, of other operators and types", "`by keys`: equal neighbouring keys form a run; `by offsets`: "
          "segments of this mean length.", ["segments", "reduce", "operators", "types", "offset"],
          scan_works(["segments", "reduce", "operators", "types", "offset"])),
    Table("axes", "Reductions along an axis and of segments", ALONG, ["columns", "rows", "ragged"], shapes(["columns", "rows", "ragged"])),
    Table("cumulative", "Cumulative sums along an axis", "Beside PyTorch and a copy of as many bytes.", ["cumsum"], cumulative),
    Table("calls", "Calls from Python", "Microseconds of the host for a call, calls back to back, on an array of (64, 1024) f32.", ["python"],
          by_library("python", "call", "host_us"), ["h100"]),
    Table("views", "Views from Python", "Views with gaps, backwards, broadcast and sliding over an array of 2^14 x 2^14 f32 (`image`: the same memory as pixels), where they lie.",
          ["views"], by_library("views", "work", "median_us"), ["h100"]),
    Table("group", "Two GPUs: sums", "Two GPUs of one host, joined by NVLink, sum of f32, from the call to the number on the host or to the result on both GPUs; beside "
          "CUB on each GPU, NCCL's all-reduce and a copy.", ["group_2"], group_sums, ["h100"]),
    Table("group_fold", "Two GPUs: arrays added element by element", "Beside NCCL's all-reduce of the same arrays.", ["group_fold_2"], group_folds, ["h100"]),
]
CHOSEN = [Joined("front", front)]
# Single figures for sentences, all of an H100.
FIGURES = {
    "sum_2^20_over_CUB": lambda: ratio(find("h100", "sizes", op="sum", type="f32", count=str(2**20)).ratio()),
    "sum_2^20_us": lambda: number(find("h100", "sizes", op="sum", type="f32", count=str(2**20)).median()),
    "exact_2^28_share": lambda: ratio(find("h100", "exact", op="sum", type="f32", count=str(2**28)).over("jitreduce plain")),
    "scan_2^28_share": lambda: ratio(find("h100", "scan", type="f32", count=str(2**28)).over("copy")),
    "columns_over_PyTorch": lambda: ratio(find("h100", "columns", op="sum", shape="1000000x100").ratio()),
    "ragged_over_PyTorch": lambda: ratio(find("h100", "ragged", op="sum", shape="ragged64").ratio()),
    "group_2^20_over_NCCL": lambda: ratio(find("h100", "group_2", elements=str(2**20), measure="scalar").ratio()),
    "reproducible_2^28_share": lambda: ratio(find("h200", "reproducible", op="sum", type="f32", count=str(2**28)).over("jitreduce plain")),
}
