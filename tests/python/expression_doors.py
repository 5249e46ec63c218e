"""Random expressions through the command and the Python package: test_expression_types prints the cases, with what C
makes of them, a JSON object a line.

usage: JR_PRINT=1 test_expression_types | expression_doors.py COMMAND COUNT    COUNT: cases for each of the two doors
"""

import json
import math
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

try:
    import jitreduce
except ImportError:
    jitreduce = None

# NumPy has none of the last three, of so many bits of fraction.
DTYPES = {"i8": "i1", "u8": "u1", "i16": "i2", "u16": "u2", "i32": "i4", "u32": "u4", "i64": "i8", "u64": "u8",
          "f16": "f2", "f32": "f4", "f64": "f8", "bool": "?"}
FOREIGN = {"bf16": 7, "e4m3": 3, "e5m2": 2}
LETTERS = "xyzw"
SCANS = ("scan", "scan_rows")


def expected(of):
    """The results of an operator, as numbers of Python."""
    return [float(word) if of["type"][0] in "fbe" and of["type"] != "bool" else int(word) for word in of["values"]]


def same(ours, theirs, kind):
    """Are both numbers alike? NaNs are; zeros only of one sign; and decimal digits that mean the same narrow float."""
    if not isinstance(theirs, float):
        return int(ours) == theirs
    if math.isnan(theirs) or math.isnan(ours):
        return math.isnan(theirs) and math.isnan(ours)
    if math.copysign(1, ours) != math.copysign(1, theirs):
        return False
    return ours == theirs or (kind in FOREIGN and abs(ours - theirs) < abs(theirs) * 2.0**-(FOREIGN[kind] + 2))


def parsed(word, kind):
    """What the command printed, as a number of a type."""
    if word in ("true", "false"):
        return word == "true"
    if kind in FOREIGN:
        return float(word)
    return float(np.dtype(DTYPES[kind]).type(word)) if kind[0] == "f" else int(word)


# ---- the command ----

def layout_words(case, folder):
    """The options that say how elements lie."""
    layout, words = case["layout"], []
    if layout in ("rows", "scan_rows"):
        words = ["--segments", str(case["length"])]
    if layout == "axis":
        words = ["--axis", "0", "--shape", f"{case['length']},{case['inner']}"]
    for name, option, kind in (("offsets", "--segments", np.uint64), ("keys", "--keys", np.int32)):
        if layout == name:
            np.save(folder / (name + ".npy"), np.array(case[name], kind))
            words = [option, str(folder / (name + ".npy"))]
    return words + ["--exclusive"] * (layout in SCANS and case["exclusive"])


def is_named(case, word):
    """Whether an expression of the case uses a name."""
    texts = (case.get(name, "") for name in ("map", "where", "finish", "combine", "identity"))
    return any(re.search(rf"\b{word}\b", text) for text in texts)


def has_unused_input(case):
    """Whether the last input is one that nothing uses; the command refuses it."""
    used = 2 if any(result["op"] == "dot" for result in case["results"]) else 1
    last = len(case["inputs"])
    return last > used and not is_named(case, LETTERS[last - 1])


def option_words(case):
    """The options that say what is reduced."""
    words = []
    for name, option in (("map", "map"), ("where", "where"), ("finish", "finish"), ("combine", "combine"),
                         ("identity", "identity"), ("map_type", "map-type"), ("result", "result")):
        if name in case:
            words.append(f"--{option}={case[name]}")
    if "combine" not in case:
        words.append("--op=" + ",".join(result["op"] for result in case["results"]))
    for parameter in case["parameters"]:
        if not is_named(case, parameter["name"]):
            continue  # the command refuses what no expression uses
        words.append(f"--param={parameter['name']}={parameter['value']}:{parameter['type']}")
    return (words + ["--commutative"] * case["commutative"] + ["--nan=ignore"] * case["nan"] +
            ["--accuracy=reproducible"] * (case["accuracy"] == 2))


def with_all_named(case):
    """The case, with inputs and parameters that no expression names named in `where`: the command refuses them."""
    names = list(LETTERS[1:len(case["inputs"])]) + [parameter["name"] for parameter in case["parameters"]]
    texts = " ".join(case.get(option, "") for option in ("map", "where", "combine", "identity", "finish"))
    unused = [name for name in names if not re.search(rf"\b{name}\b", texts)]
    if unused == [] or [result["op"] for result in case["results"]] == ["dot"]:
        return case
    here = [f"(({case['where']}) ? true : false)"] if "where" in case else []
    return case | {"where": " && ".join(here + [f"sizeof({name}) > 0" for name in unused])}


def by_command(command, case):
    """Runs the command; returns what differs, or None."""
    if has_unused_input(case):
        return None
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        words = [command] + ["scan"] * (case["layout"] in SCANS)
        words += ["--format", "raw", "--type", ",".join(of["type"] for of in case["inputs"])]
        words += option_words(with_all_named(case)) + layout_words(case, folder)
        for letter, of in zip(LETTERS, case["inputs"]):
            (folder / letter).write_bytes(bytes.fromhex(of["bytes"]))
            words += [str(folder / letter)] if letter == "x" else ["-" + letter, str(folder / letter)]
        done = subprocess.run(words, capture_output=True, text=True, check=False)
    if case["empty"]:  # one of several results shows nan, or an integer file's would have none
        shown = done.returncode == 0 and "nan" in done.stdout.split()
        return None if shown or done.returncode == 1 and "has no value" in done.stderr else f"{done}: not refused"
    if done.returncode != 0:
        return str(done)
    found = done.stdout.split()
    if case["layout"] == "keys":  # a key and its values in each line
        found = [word for line in done.stdout.splitlines() for word in line.split()[1:]]
    return differs([[parsed(word, of["type"]) for word in found[k::len(case["results"])]]
                    for k, of in enumerate(case["results"])], case)


def differs(found, case):
    """The first result that is another one than C's, or None."""
    for ours, of in zip(found, case["results"]):
        theirs = expected(of)
        if len(ours) != len(theirs):
            return f"{len(ours)} results of {of['op']}, not {len(theirs)}"
        for index, (one, other) in enumerate(zip(ours, theirs)):
            if not same(one, other, of["type"]):
                return f"result {index} of {of['op']} is {one}, not {other} ({of['type']})"
    return None


# ---- the package ----

def takes(case):
    """Has the package, and has NumPy, what the case needs?"""
    kinds = [of["type"] for of in case["inputs"] + case["results"]] + [case.get("map_type"), case.get("result")]
    return (case["layout"] in ("flat", "rows", "axis") and not set(kinds) & set(FOREIGN) and
            all(parameter["type"] in ("i64", "f64") for parameter in case["parameters"]))


def by_package(case):
    """Calls the package; returns what differs, or None."""
    used = 2 if any(result["op"] == "dot" for result in case["results"]) else 1
    if not all(is_named(case, letter) for letter in LETTERS[used:len(case["inputs"])]):
        return None  # the package refuses an array that no expression uses
    shape = {"flat": (-1,), "rows": (-1, case["length"]), "axis": (case["length"], case["inner"])}[case["layout"]]
    arrays = [np.frombuffer(bytes.fromhex(of["bytes"]), DTYPES[of["type"]]).reshape(shape) for of in case["inputs"]]
    ops = [of["op"] for of in case["results"]]
    members = {name: case[name] for name in ("map", "where", "finish", "combine", "identity") if name in case}
    members |= {name: np.dtype(DTYPES[case[name]]).name for name in ("map_type", "result") if name in case}
    parameters = {of["name"]: int(of["value"]) if of["type"] == "i64" else float(of["value"])
                  for of in case["parameters"]}
    if "combine" in case:
        members["commutative"] = bool(case["commutative"])
    else:
        members["op"] = ops if len(ops) > 1 else ops[0]
    call = jitreduce.Reduction(**members)
    try:
        found = call(*arrays, axis=1 if case["layout"] == "rows" else 0 if case["layout"] == "axis" else None,
                     parameters=parameters, nan="ignore" if case["nan"] else "propagate",
                     accuracy="reproducible" if case["accuracy"] == 2 else "fast")
    except jitreduce.EmptyInputError as error:
        return None if case["empty"] else str(error)
    except (jitreduce.Error, TypeError, ValueError) as error:
        return str(error)
    if case["empty"]:
        return "of no elements there is a value"
    found = found if len(ops) > 1 else (found,)
    for ours, of in zip(found, case["results"]):
        if np.asarray(ours).dtype != np.dtype(DTYPES[of["type"]]):
            return f"a result of type {np.asarray(ours).dtype}, not {of['type']}"
    return differs([np.atleast_1d(ours) for ours in found], case)


def main():
    """Runs the first COUNT cases that a door takes through it; the last line is what the test runner reads."""
    command, count = sys.argv[1], int(sys.argv[2])
    passed, failed, left = 0, 0, {"the command": count, "the package": count if jitreduce else 0}
    for line in sys.stdin:
        case = json.loads(line)
        if case["inexact"]:
            continue
        for door, run in (("the command", lambda: by_command(command, case)), ("the package", lambda: by_package(case))):
            if left[door] == 0 or (door == "the package" and not takes(case)):
                continue
            left[door] -= 1
            wrong = run()
            passed, failed = passed + (wrong is None), failed + (wrong is not None)
            if wrong is not None:
                print(f"{door}: {wrong}\n    {line}")
    if not jitreduce:
        print("skipped the Python package: it was not built")
    print(f"{passed} passed, {failed} failed, {int(not jitreduce)} skipped")
    sys.exit(failed > 0 or passed == 0)


if __name__ == "__main__":
    main()
