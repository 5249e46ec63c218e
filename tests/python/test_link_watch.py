"""Kernels of several parts, and kernels whose text is a file that changes."""

import pathlib
import tempfile
import time
import unittest

import numpy as np

import jitreduce as jr

CALLER = "extern __device__ int twice(int x);\nextern \"C\" __global__ void set(int *y, int v) { *y = twice(v); }"
CALLEE = "__device__ int twice(int x) { return 2 * x; }"
PTX = b""".version 7.8\n.target sm_75\n.address_size 64
.visible .func (.param .b32 result) _Z5twicei(.param .b32 x)
{ .reg .b32 %v; ld.param.b32 %v, [x]; add.u32 %v, %v, 100; st.param.b32 [result], %v; ret; }
"""


def answer(kernel, *arguments):
    y = jr.DeviceArray.of(np.zeros(1, "i4"))
    kernel(1, 1, (y, *arguments))
    return int(y.item())


class Links(unittest.TestCase):
    """Kernel.link"""

    def test_texts_and_ptx_are_linked(self):
        self.assertEqual(answer(jr.Kernel.link([CALLER, CALLEE]), 4), 8)
        self.assertEqual(answer(jr.Kernel.link([CALLER, bytearray(PTX)], "set"), 4), 104)

    def test_parts_have_names_in_messages(self):
        self.assertRaisesRegex(jr.CompileError, "main.cu.*twice|twice.*main.cu", lambda: jr.Kernel.link({"main.cu": CALLER}))
        self.assertRaisesRegex(jr.CompileError, "two.cu.*twice|twice.*two.cu", lambda: jr.Kernel.link({"one.cu": CALLEE, "main.cu": CALLER, "two.cu": CALLEE + "// again"}))
        self.assertRaisesRegex(jr.Error, "odd.bin is no PTX", lambda: jr.Kernel.link({"main.cu": CALLER, "odd.bin": b"odd"}))

    def test_the_entry_is_one_kernel(self):
        several = [CALLER + "\nextern \"C\" __global__ void other() {}", CALLEE]
        self.assertRaisesRegex(jr.Error, "several kernels, .*: name one as entry", lambda: jr.Kernel.link(several))
        self.assertEqual(answer(jr.Kernel.link(several, "set"), 3), 6)
        self.assertRaisesRegex(jr.Error, "no input has the kernel sat", lambda: jr.Kernel.link(several, "sat"))

    def test_parts_that_are_none_are_refused(self):
        for parts, words in (([], "no inputs"), ("text", "is not a list"), ([3], "part 1 is 3"), ([CALLER, None], "part 2 is None"), ({3: CALLER}, "a name=3"), (["\0"], "character 0")):
            self.assertRaisesRegex((jr.Error, TypeError, ValueError), words, lambda parts=parts: jr.Kernel.link(parts))


class Watches(unittest.TestCase):
    """Kernel.watch"""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name) / "set.cu"

    def write(self, value):
        self.path.write_text(f'#include "value.h"\nextern "C" __global__ void set(int *y) {{ *y = VALUE + {value}; }}')

    def becomes(self, kernel, value):
        end = time.monotonic() + 60
        while answer(kernel) != value and time.monotonic() < end:
            time.sleep(0.05)
        self.assertEqual(answer(kernel), value)

    def test_a_file_that_changes_is_compiled_again(self):
        header = self.path.with_name("value.h")
        header.write_text("#define VALUE 10\n")
        self.write(1)
        kernel = jr.Kernel.watch(self.path, "set")
        self.assertEqual(answer(kernel), 11)
        self.write(2)
        self.becomes(kernel, 12)
        header.write_text("#define VALUE 20\n")
        self.becomes(kernel, 22)

    def test_a_file_that_does_not_compile_leaves_the_kernel(self):
        self.path.with_name("value.h").write_text("#define VALUE 10\n")
        self.write(1)
        kernel = jr.Kernel.watch(str(self.path))
        self.path.write_text("wrong")
        time.sleep(1)
        self.assertEqual(answer(kernel), 11)
        self.path.unlink()
        time.sleep(0.5)
        self.assertEqual(answer(kernel), 11)
        self.write(5)
        self.becomes(kernel, 15)

    def test_a_watch_ends_with_its_kernel_and_outlives_its_context(self):
        self.path.write_text('extern "C" __global__ void set(int *y) { *y = 3; }')
        with jr.Context("sim") as mine:
            kernel = jr.Kernel.watch(self.path, context=mine)
            y = jr.DeviceArray.of(np.zeros(1, "i4"), context=mine)
        kernel(1, 1, (y,))
        self.assertEqual(jr.sum(y, value=True), 3)
        del kernel

    def test_what_cannot_be_watched_is_refused(self):
        self.assertRaisesRegex(jr.Error, "cannot open .*gone.cu", lambda: jr.Kernel.watch(self.path.with_name("gone.cu")))
        self.assertRaisesRegex(TypeError, "path=None", lambda: jr.Kernel.watch(None))
        self.path.write_text('extern "C" __global__ void set(int *y) { wrong; }')
        self.assertRaisesRegex(jr.CompileError, "set.cu.*does not compile", lambda: jr.Kernel.watch(self.path, "set"))


if __name__ == "__main__":
    unittest.main()
