"""Sends arrays to the command through a pipe and reads its output, JSON or lines: no binding, no build.

JITREDUCE names the command where PATH has none.

Prints:
min and max: [0, 11]
means of rows: [1.5, 5.5, 9.5]
"""

import io
import json
import os
import subprocess

import numpy as np


def reduce(array, *arguments):
    """The output of the command for an array."""
    text = io.BytesIO()
    np.save(text, array)
    command = [os.environ.get("JITREDUCE", "jitreduce"), "--quiet", *arguments, "-"]
    return subprocess.run(command, input=text.getvalue(), stdout=subprocess.PIPE, check=True).stdout


data = np.arange(12.0).reshape(3, 4)
results = json.loads(reduce(data, "--op", "min,max", "--json"))["results"]
print("min and max:", [results[op]["value"] for op in ("min", "max")])
print("means of rows:", [float(line) for line in reduce(data, "--op", "mean", "--axis", "1").split()])
