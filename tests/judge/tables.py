"""Random tables, read by Python's csv module and computed by NumPy, judge what the command makes of columns by name.

usage: tables.py SEED COUNT     needs jitreduce in PATH; prints what differs, and how many commands were judged
"""
import csv
import io
import math
import subprocess
import sys

import numpy as np

from score import judge_commands

# Names of one length each, so that the expressions of all tables have the same kernels.
BARE = ["price", "total", "count", "index", "A_b_1", "value"]
QUOTED = ["größe", "a b c d", "x,y;z w", 'q"u"o"t', "2024-12", "line\nbr"]
LETTERS = ["x", "y", "i", "n", "a"]
CITIES = ["Berlin", "Aachen", "Köln", 'the "big" one', "a,b", "two\nlines", "", "Ber", "Berlin2", "-", "ß"]


def cells(rng, kind, rows):
    if kind == "text":
        return [rng.choice(CITIES) for _ in range(rows)]
    if kind == "whole":
        return [str(rng.randint(-50, 50)) for _ in range(rows)]
    return [repr(rng.randint(-64, 64) / 8) for _ in range(rows)]


def write(rng, names, columns, separator, newline, mark):
    out = io.StringIO()
    quoting = rng.choice([csv.QUOTE_MINIMAL, csv.QUOTE_ALL])
    writer = csv.writer(out, delimiter=separator, lineterminator=newline, quoting=quoting)
    writer.writerow(names)
    for row in zip(*columns):
        writer.writerow(row)
    return ("\ufeff" if mark else "").encode() + out.getvalue().encode()


def read(texts, separator):
    """The columns of one or several texts by the csv module."""
    rows, names = [], None
    for text in texts:
        lines = list(csv.reader(io.StringIO(text.decode("utf-8-sig"), newline=""), delimiter=separator))
        names = lines[0]
        rows += lines[1:]
    return {name: [row[i] for row in rows] for i, name in enumerate(names)}


def quoted(name):
    return name if name in BARE else "`" + name + "`"


def literal(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


def numbers(table, name):
    return np.array([math.nan if cell == "" else float(cell) for cell in table[name]])


def compared(table, name, sign, text, missing):
    """As NumPy compares: a missing text is unequal to all, as NaN is."""
    def one(cell):
        if missing and cell == "":
            return sign == "!="
        a, b = cell.encode(), text.encode()
        return {"==": a == b, "!=": a != b, "<": a < b, "<=": a <= b, ">": a > b, ">=": a >= b}[sign]
    return np.array([one(cell) for cell in table[name]], dtype=bool)


def run(words, texts, pipe, options):
    files = []
    for i, text in enumerate(texts):
        files.append(f"t{i}.csv")
        with open(files[-1], "wb") as file:
            file.write(text)
    command = ["jitreduce", *words, *options] + ([] if pipe else files)
    done = subprocess.run(command, input=texts[0] if pipe else b"", capture_output=True)
    return command, done.stdout.decode(), done.stderr.decode()


def same(printed, expected):
    got = [float(word) for word in printed.split()]
    return len(got) == len(expected) and all(
        a == b or (math.isnan(a) and math.isnan(b)) or abs(a - b) <= 1e-9 * max(1, abs(b)) for a, b in zip(got, expected))


def judge_many(rng, form, table, texts, options, chosen):
    """Calls of operators, columns that are reduced each, both with groups: CSV, read by the csv module."""
    a, b, city, sign, word, missing, numeric = chosen
    t = compared(table, city, sign, word, missing == "nan")
    where = [] if form == 6 else ["--where", f"{quoted(city)} {sign} {literal(word)}"]
    keep = np.ones(len(t), bool) if form == 6 else t
    columns = numeric if form >= 7 else [a, b]
    if form >= 7:
        words = ["--column", ",".join('"' + name.replace('"', '""') + '"' for name in columns), "--op", "sum"]
    else:
        words = ["--op", f"sum({quoted(a)}), mean(2 * {quoted(b)}),count"]
    if missing == "skip":
        for name in set(columns + ([] if form == 6 else [city]) + ([city] if form in (6, 8) else [])):
            keep = keep & np.array([cell != "" for cell in table[name]])
    keyed = form in (6, 8)
    keys = sorted(set(table[city]), key=str.encode) if keyed else [None]
    if keyed:
        words += ["--group-by", '"' + city.replace('"', '""') + '"', "--key-type", "text"]
    rows = []
    for key in keys:
        here = keep & np.array([key is None or cell == key for cell in table[city]])
        if keyed and missing and key == "":
            continue
        if missing == "skip" and keyed and not any(
                cell == key and all(table[name][i] != "" for name in columns) for i, cell in enumerate(table[city])):
            continue
        if form >= 7:
            rows.append([numbers(table, name)[here].sum() for name in columns])
        else:
            x, y = numbers(table, a)[here], 2 * numbers(table, b)[here]
            rows.append([x.sum(), y.mean() if len(y) else math.nan, len(x)])
    if not keyed and form < 7 and not keep.any():
        return None  # a mean of no elements is an error
    command, out, err = run(words + where + ["--csv"], texts, len(texts) == 1 and rng.random() < 0.4, options)
    printed = list(csv.reader(io.StringIO(out, newline="")))[1:]
    if form == 7:
        printed = [[row[1] for row in printed]]
    elif keyed:
        printed = [row[1:] for row in printed]
    good = len(printed) == len(rows) and all(same(" ".join(p), r) for p, r in zip(printed, rows))
    return None if good and "error" not in err else (command, out + err, rows)


def judge(rng):
    """One table, one command: what was printed is what NumPy computes, or the command and both are returned."""
    wide = rng.random() < 0.1
    names = rng.sample(BARE, 3) + rng.sample(QUOTED, 2) + rng.sample(LETTERS, 2)
    if wide:
        names += [f"c{i}" for i in range(300 - len(names))]
    rng.shuffle(names)
    kinds = {name: rng.choice(["whole", "float"]) for name in names}
    texts_of = rng.sample([name for name in names if not wide or not name.startswith("c")], 2)
    for name in texts_of:
        kinds[name] = "text"
    numeric = [name for name in names if kinds[name] != "text" and not name.startswith("c") or name == "count"]
    numeric = [name for name in numeric if kinds[name] != "text"]
    separator, newline, mark = rng.choice([",", ";", "\t"]), rng.choice(["\n", "\r\n"]), rng.random() < 0.3
    missing = rng.choice([None, "nan", "skip"])
    a, b = rng.choice(numeric), rng.choice(numeric)
    texts = []
    for _ in range(rng.choice([1, 1, 3])):
        rows = rng.randint(1, 40)
        columns = [cells(rng, kinds[name], rows) for name in names]
        for i, name in enumerate(names):
            if missing and name in (a, b):
                columns[i] = ["" if rng.random() < 0.2 else cell for cell in columns[i]]
        texts.append(write(rng, names, columns, separator, newline, mark))
    table = read(texts, separator)
    city, sign, word = rng.choice(texts_of), rng.choice(["==", "!=", "<", "<=", ">", ">="]), rng.choice(CITIES)
    options = ["--delimiter", {"\t": "tab"}.get(separator, separator), "--quiet"]
    if missing:
        options += ["--na", "", "--missing", missing]
    x, y, t = numbers(table, a), numbers(table, b), compared(table, city, sign, word, missing == "nan")
    used = {a, b, city}
    form = rng.randint(0, 8)
    if form > 4:
        return judge_many(rng, form, table, texts, options, (a, b, city, sign, word, missing, numeric))
    if form == 0:
        words, value, keep, used = ["--map", f"{quoted(a)} * {quoted(b)}"], x * y, np.ones(len(x), bool), {a, b}
    elif form == 1:
        words = ["--map", f"{quoted(a)} * {quoted(b)}", "--where", f"{quoted(city)} {sign} {literal(word)}"]
        value, keep = x * y, t
    elif form == 2:
        words = ["--map", quoted(a), "--where", f"{literal(word)} {sign} {quoted(city)} && {quoted(b)} > 3"]
        mirrored = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}.get(sign, sign)
        value, keep = x, compared(table, city, mirrored, word, missing == "nan") & (y > 3)
    elif form == 3:
        words = ["--column", '"' + a.replace('"', '""') + '"', "--where", f"{quoted(city)} {sign} {literal(word)}"]
        value, keep, used = x, t, {a, city}
    else:
        words = ["--map", f"({quoted(city)} {sign} {literal(word)}) * {quoted(a)}"]
        value, keep, used = t * x, np.ones(len(x), bool), {a, city}
    if missing == "skip":
        for name in used:
            keep &= np.array([cell != "" for cell in table[name]])
    expected = [value[keep].sum(), keep.sum()]
    command, out, err = run(words + ["--op", "sum,count"], texts, len(texts) == 1 and rng.random() < 0.4, options)
    return None if same(out, expected) and "error" not in err else (command, out + err, expected)


judge_commands(judge, int(sys.argv[1]), int(sys.argv[2]))
