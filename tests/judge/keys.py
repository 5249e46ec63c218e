"""Random tables, grouped by dictionaries of Python, judge what the command makes of keys of several columns.

usage: keys.py SEED COUNT     needs jitreduce in PATH; prints what differs, and how many commands were judged
"""
import csv
import io
import json
import subprocess
import sys

from score import judge_commands

TEXTS = ["Berlin", "Köln", 'the "big" one', "a,b", "a", "b", "two\nlines", "", "Ber", "x y", "-", "a;b", "1,2", "\\"]
NAMES = ["city", "shop no", 'q"u', "a,b", "größe"]


def cell(rng, kind):
    if kind == "text":
        return rng.choice(TEXTS)
    if kind == "whole":
        return str(rng.randint(-12, 12))
    return f"{rng.randint(0, 12):03}" if kind == "padded" else repr(rng.randint(-8, 8) / 4)


def key_of(kind, text):
    """What a key's text is compared and printed as."""
    return float(text) if kind in ("whole", "half") else text


def order_of(key):
    return [part.encode() if isinstance(part, str) else part for part in key]


def quoted(name):
    return '"' + name.replace('"', '""') + '"'


def table_of(rng, names, kinds, separator):
    rows = [[cell(rng, kind) for kind in kinds] + [str(rng.randint(100, 199))] for _ in range(rng.randint(1, 60))]
    out = io.StringIO()
    writer = csv.writer(out, delimiter=separator, lineterminator="\n", quoting=rng.choice([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]))
    writer.writerow(names + ["price"])
    writer.writerows(rows)
    return rows, out.getvalue()


def groups_of(rows, kinds, missing):
    """The prices of each key, and the running sum of each line that has one."""
    groups, running = {}, []
    for row in rows:
        if any(text in missing for text in row[:-1]):
            continue
        prices = groups.setdefault(tuple(key_of(kind, text) for kind, text in zip(kinds, row)), [])
        prices.append(int(row[-1]))
        running.append([sum(prices)])
    return sorted(([*key, sum(prices), len(prices)] for key, prices in groups.items()), key=order_of), running


def read(out, form, kinds):
    """The rows that were printed, and the names of their columns."""
    count = len(kinds)
    if form == "json":
        found = json.loads(out)
        values = zip(*(found["results"][name]["values"] for name in ("sum", "count")))
        return [[*map(key_of, kinds, map(str, key)), *value] for key, value in zip(found["keys"], values)], found["key_names"]
    lines = list(csv.reader(io.StringIO(out, newline=""), delimiter={"lines": " ", "csv": ","}[form]))
    names = lines.pop(0)[:count] if form == "csv" else None
    return [[*map(key_of, kinds, line), *map(int, line[count:])] for line in lines], names


def judge(rng):
    kinds = [rng.choice(["text", "text", "whole", "padded", "half"]) for _ in range(rng.randint(2, 4))]
    names, separator = rng.sample(NAMES, len(kinds)), rng.choice([",", ";", "\t"])
    rows, text = table_of(rng, names, kinds, separator)
    missing = rng.choice([[], ["Ber", "-", "3"], [""]])
    form = rng.choice(["lines", "csv", "json", "scan"])
    expected, running = groups_of(rows, kinds, missing)
    by = ",".join(rng.choice([quoted(name), str(i + 1)]) for i, name in enumerate(names))
    heads = ["key%d" % (i + 1) if word.isdigit() else name for i, (word, name) in enumerate(zip(csv_words(by), names))]
    command = ["jitreduce", *(["scan"] if form == "scan" else ["--op", "sum,count"]), "--quiet", "--column", "price",
               "--group-by", by, "--delimiter", {"\t": "tab"}.get(separator, separator)]
    command += {"csv": ["--csv"], "json": ["--json"]}.get(form, []) + (["--na", ",".join(missing)] if missing else [])
    done = subprocess.run(command, input=text.encode(), capture_output=True)
    out = done.stdout.decode()
    if form == "scan":
        same = [[int(word)] for word in out.split()] == running
    else:
        printed, shown = read(out, form, kinds) if done.returncode == 0 else (None, None)
        same = printed == expected and shown in (None, heads)
    return None if same else (command, text, out + done.stderr.decode(), running if form == "scan" else expected)


def csv_words(by):
    """The columns of a list, each as it was typed."""
    words, inside = [""], False
    for c in by:
        inside ^= c == '"'
        words, c = (words + [""], "") if c == "," and not inside else (words, c)
        words[-1] += c
    return words


judge_commands(judge, int(sys.argv[1]), int(sys.argv[2]))
