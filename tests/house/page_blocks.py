#!/usr/bin/env python3
"""Runs every command and program that a page shows, and holds what they print against what the page says.

usage: page_blocks.py PAGE.md...        JR_TEST_BUILD: the build folder; JITREDUCE_PYTHON: a Python that has NumPy

Blocks, by the words after their opening backquotes; all of a page run in one empty folder, in order:
  console        lines "$ command", each followed by what it prints (both streams); a command may go on after a backslash
  LANGUAGE FILE  the text is also written into FILE there; a C or CUDA program of this kind is not run by itself
  c              a program: it is compiled against the public headers and run; "c part": statements, compiled alone
  c mpi          a program over MPI: compiled where there is an mpicc
  cpp            a C++17 program, likewise; "cpp 20": C++20; "cpp part": statements, compiled alone
  cuda           a kernel file: compiled
  python         lines, run in the session of the page's earlier ones, one process a page
  text           right after a c or python block: what it prints
  sh             commands that cannot run in a test (installing); first words: see SHELL_WORDS
Other blocks are an error. The last line printed is 'N passed, N failed, N skipped'.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("JR_TEST_BUILD", ROOT / "build/current")).resolve()
FENCE = re.compile(r"^```([^\n`]*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
SHELL_WORDS = {"make", "sudo", "apt-get", "pip", "python3", "cc", "c++", "mpicc", "mpirun", "cmake", "git", "export", "cuda-gdb", "ncu", "nsys",
               "compute-sanitizer", "source", "."}
# What differs from run to run and from machine to machine: times, rates, lines of PTX, the table of `compare`.
UNSTEADY = [(r"PTX line \d+( '[^']*')?", "PTX line N"), (r"[0-9.]+ ms", "N ms"), (r"\([0-9.]+ GB/s\)", "(N GB/s)"), (r"\b[0-9.]+ GB/s", "N GB/s"),
            (r"(?m)^([a-z_]+) +([^ ]+) +([0-9]+) +([0-9]+) +[0-9.]+ +[0-9.]+ +-.*", r"\1 \2 \3 \4"),
            (r"(?m)^algorithm +result.*", "algorithm .."), (r"(?m)^kernel     (compiled|disk hit)$", "kernel ..."), (r"(?m)[ \t]+$", "")]
PART = """#include <jitreduce.h>
#include <stdio.h>
#include <string.h>
extern jr_context *context; extern jr_spec spec; extern jr_value value; extern jr_plan *plan; extern jr_kernel *kernel; extern jr_group *group;
extern jr_stream *a_stream; extern void *stream, *d_in, *d_out, *workspace; extern float *data; extern uint64_t count; extern const void *arrays[];
extern jr_status status;
int part(void);
int part(void) {
%s
return 0;
}
"""
DONE, FAILED = "---- the block is done ----\n", "---- the block failed ----\n"
SESSION = f"""import json, sys, traceback
for line in sys.stdin:
    try:
        exec(compile(json.loads(line), "<string>", "exec"), globals())
        end = {DONE!r}
    except BaseException:
        traceback.print_exc()
        end = {FAILED!r}
    sys.stderr.flush()
    print("\\n" + end, end="", flush=True)
"""
CPP_PART = """#include <jitreduce.hpp>
#include <iostream>
#include <vector>
extern jitreduce::context context; extern const std::vector<float> x, y; extern std::vector<float> out; extern jitreduce::buffer<float> d_x, d_out;
void part();
void part() {
%s
}
"""


class Page:
    """One page's blocks, run in a folder of their own."""

    def __init__(self, path, folder):
        self.path, self.folder = path, folder
        self.passed = self.failed = self.skipped = 0
        self.session = None
        self.number = 0

    def check(self, is_right, what, detail=""):
        """Counts a check, and prints a failed one."""
        if is_right:
            self.passed += 1
        else:
            self.failed += 1
            print(f"failed {self.path.name}: {what}\n{detail}")
        return is_right

    def same(self, what, expected, actual):
        """Two texts are the same but for what differs from run to run."""
        self.check(steady(expected) == steady(actual), what, f"--- the page says\n{expected}\n--- it is\n{actual}")

    def command(self, words, text=None, seconds=1200):
        """What a command prints, both streams; its exit code."""
        done = subprocess.run(words, cwd=self.folder, env=environment(), input=text, text=True, timeout=seconds, check=False,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        return done.stdout, done.returncode

    def run(self):
        """All blocks, in order."""
        blocks = [(match[1].split(), match[2]) for match in FENCE.finditer(self.path.read_text(encoding="utf-8"))]
        for index, (words, text) in enumerate(blocks):
            expected = blocks[index + 1][1] if index + 1 < len(blocks) and blocks[index + 1][0] == ["text"] else None
            kind, rest = (words or [""])[0], words[1:]
            if rest and "." in rest[-1]:
                (self.folder / rest[-1]).write_text(text, encoding="utf-8")
                self.check(True, f"writes {rest[-1]}")
            elif hasattr(self, f"run_{kind}"):
                getattr(self, f"run_{kind}")(text, rest, expected)
            elif kind != "text":
                self.check(False, f"a block of {' '.join(words) or 'no language'}: page_blocks.py lists the languages", text)

    def run_console(self, text, _, __):
        """A session."""
        for shown in re.split(r"(?m)^\$ ", text)[1:]:
            lines = shown.split("\n")
            last = next(i for i, line in enumerate(lines) if not line.endswith("\\"))
            command = "\n".join(lines[:last + 1])
            output, _ = self.command(["bash", "-c", command])
            self.same(f"$ {command}", "\n".join(lines[last + 1:]).rstrip("\n"), output.rstrip("\n"))

    def run_sh(self, text, _, __):
        """Commands that are only shown: known first words, and targets of make that there are."""
        for line in re.sub(r"\\\n", " ", text).splitlines():
            word = line.split("#")[0].split()
            if word:
                self.check(word[0] in SHELL_WORDS, f"'{line}': its first word is none of SHELL_WORDS")

    def run_c(self, text, rest, expected):
        """A program, or a part of one."""
        self.number += 1
        source = self.folder / f"block{self.number}.c"
        source.write_text(PART % text if rest == ["part"] else text, encoding="utf-8")
        words = ["gcc", "-std=c11", "-Wall", "-Wextra", "-Werror", f"-I{ROOT}/include", *sanitizers()]
        if rest:
            if rest == ["mpi"] and shutil.which("mpicc") is None:
                self.skipped += 1
                print(f"skipped {self.path.name}: there is no mpicc (make deps installs one)")
                return
            words[0] = "mpicc" if rest == ["mpi"] else "gcc"
            output, code = self.command([*words, "-Wno-unused", "-fsyntax-only", str(source)])
            self.check(code == 0, f"a block of c {rest[0]} compiles", output)
            return
        self.run_program(words, source, expected)

    def run_cpp(self, text, rest, expected):
        """A C++ program, or a part of one."""
        self.number += 1
        source = self.folder / f"block{self.number}.cpp"
        is_part = rest == ["part"]
        source.write_text(CPP_PART % text if is_part else text, encoding="utf-8")
        words = ["g++", f"-std=c++{20 if '20' in rest else 17}", "-Wall", "-Wextra", "-Wpedantic", "-Werror", f"-I{ROOT}/include", *sanitizers()]
        if is_part:
            output, code = self.command([*words, "-Wno-unused", "-fsyntax-only", str(source)])
            self.check(code == 0, "a part of C++ compiles", output)
        else:
            self.run_program(words, source, expected)

    def run_program(self, words, source, expected):
        """Compiles a program with words, runs it, and compares what it prints."""
        program = self.folder / f"block{self.number}"
        output, code = self.command([*words, str(source), "-o", str(program), f"-L{BUILD}", f"-Wl,-rpath,{BUILD}", "-ljitreduce", "-lm", "-lpthread"])
        if not self.check(code == 0, f"program {self.number} compiles", output):
            return
        output, code = self.command([str(program)])
        self.check(code == 0, f"program {self.number} ends with {code}", output)
        if self.check(expected is not None, f"program {self.number} has a block of text after it, with what it prints", output):
            self.same(f"program {self.number}", expected.rstrip("\n"), output.rstrip("\n"))

    def run_cuda(self, text, _, __):
        """A kernel file."""
        self.number += 1
        source = self.folder / f"block{self.number}.cu"
        source.write_text(text, encoding="utf-8")
        entry = re.search(r"__global__\s+void\s+(?:__launch_bounds__\([^)]*\)\s*)?(\w+)", text)
        output, code = self.command([f"{BUILD}/jitreduce", "run", str(source), "--entry", entry[1] if entry else "", "--show", "ptx"])
        self.check(code == 0 and ".entry" in output, "a kernel compiles", output)

    def run_python(self, text, _, expected):
        """Lines, after all earlier ones of the page; only their own output counts."""
        python = os.environ.get("JITREDUCE_PYTHON")
        if not python:
            self.skipped += 1
            print(f"skipped {self.path.name}: no Python here has NumPy (make deps installs python3-numpy)")
            return
        if self.session is None:
            self.session = subprocess.Popen([python, "-W", "ignore", "-c", SESSION], cwd=self.folder, env=environment(), text=True, stdin=subprocess.PIPE,
                                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.session.stdin.write(json.dumps(text) + "\n")
        self.session.stdin.flush()
        output, last = "", ""
        for last in iter(self.session.stdout.readline, ""):
            if last in (DONE, FAILED):
                break
            output += last
        if self.check(last == DONE, "lines of python run", output) and expected is not None:
            self.same("lines of python", expected.rstrip("\n"), output.strip("\n"))

    def end(self):
        """Ends the session, which must end well."""
        if self.session is not None:
            output, _ = self.session.communicate()
            self.check(self.session.returncode == 0, "the session of python ends", output)


def steady(text):
    """A text without what differs from run to run."""
    for pattern, replacement in UNSTEADY:
        text = re.sub(pattern, replacement, text)
    return text


def sanitizers():
    """The flags that the library was built with, if any."""
    needed = subprocess.run(["readelf", "-d", f"{BUILD}/libjitreduce.so"], capture_output=True, text=True, check=False).stdout
    return [f"-fsanitize={kind}" for kind in ("address", "undefined", "thread") if re.search(rf"lib{kind[0]}[a-z]*san\.so", needed)]


def environment():
    """What commands see: this build, the simulator, nothing of the user's."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("JITREDUCE_") or name in ("JITREDUCE_CACHE_DIR", "JITREDUCE_CACHE_BYTES", "JITREDUCE_NVRTC")}
    return kept | {"PATH": f"{BUILD}:{os.environ['PATH']}", "JITREDUCE_DEVICE": os.environ.get("JITREDUCE_DEVICE", "sim"),
                   "JITREDUCE_SIM": f"{BUILD}/libjrsim.so", "JITREDUCE_WISDOM": "", "PYTHONPATH": f"{BUILD}/python", "LC_ALL": "C.UTF-8",
                   "PYTHONDONTWRITEBYTECODE": "1", "COLUMNS": "100", "JR_ROOT": str(ROOT)}


def demo_data(folder):
    """The file that `make demo` makes, in a folder."""
    program, data = folder / "demo_data", folder / "temperature.npy"
    subprocess.run(["gcc", "-std=c11", "-D_GNU_SOURCE", "-O1", f"{ROOT}/tools/dev/demo_data.c", "-o", program, "-lm"], check=True)
    with open(data, "wb") as file:
        subprocess.run([program], stdout=file, check=True)
    return data


def prepare(folder, data):
    """What `make demo` leaves, as seen from the checkout."""
    (folder / "build/demo").mkdir(parents=True)
    (folder / "build/jitreduce").symlink_to(BUILD / "jitreduce")
    for name in ("tests", "tools", "kernels_src"):
        (folder / name).symlink_to(ROOT / name)
    (folder / "build/demo/temperature.npy").symlink_to(data)


def main(paths):
    """Runs the pages."""
    totals = [0, 0, 0]
    made = Path(tempfile.mkdtemp())
    data = demo_data(made)
    for path in paths:
        folder = Path(tempfile.mkdtemp())
        try:
            prepare(folder, data)
            page = Page(Path(path).resolve(), folder)
            page.run()
            page.end()
        finally:
            shutil.rmtree(folder)
        totals = [a + b for a, b in zip(totals, (page.passed, page.failed, page.skipped))]
    shutil.rmtree(made)
    print("{} passed, {} failed, {} skipped".format(*totals))
    return 1 if totals[1] else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
