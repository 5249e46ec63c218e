"""Messages and help have Python's words: its names of types, functions and arguments, and NumPy's words where NumPy has some."""

import pydoc
import re
import subprocess
import sys
import tempfile
import unittest

import numpy as np

import jitreduce as jr
from test_newcomers import Refusals

x = np.arange(6.0)
OF_C = re.compile(r"\b([iu](8|16|32|64)|b?f(16|32|64))\b|\bjr_|\bJR_|\bNULL\b|spec\.|program\.|\[0\]|parameter 0|array 0")


def device(a):
    """A copy in device memory."""
    return jr.DeviceArray.of(np.asarray(a))


class Words(Refusals):
    """What the library says of members of C."""

    def test_messages_name_types_and_arguments_as_python_does(self):
        plan, scale = jr.Plan("max", device(x)), jr.Kernel('extern "C" __global__ void scale(double *to, double by) { to[0] *= by; }')
        for words, call in (
                (r"^parameters: none can have the name 'x'", lambda: jr.sum(x, where="x > x", parameters={"x": 1})),
                (r"^parameters: none can have the name '1a'", lambda: jr.sum(x, where="x > 1", parameters={"p": 1, "1a": 1})),
                (r"^accumulate=int8 is not one of int32 uint32 int64 uint64 float32 float64", lambda: jr.Reduction("sum", accumulate="int8")(x)),
                (r"^initial='a' is not a number that can become float64", lambda: jr.sum(x, initial="a")),
                (r"^initial=1.5 is not an integer, which int64 requires", lambda: jr.sum(np.arange(3), initial=1.5)),
                (r"^mean has no result of int32: dtype must be a float", lambda: jr.mean(x, dtype="int32")),
                (r"^prod of float32 has no exact form", lambda: jr.prod(x.astype("f4"), exact=True)),
                (r"^a Reduction with combine has no exact form", lambda: jr.Reduction(combine="a + b", identity="0")(x, exact=True)),
                (r"^results along an axis and by key have algorithms of their own: omit algorithm$", lambda: jr.sum(x.reshape(2, 3), axis=1, algorithm="rows")),
                (r"^the state is of sum of float32, not of sum of float64", lambda: jr.ExactState().merge(jr.ExactState("sum", "float32"))),
                (r"^an exact sum is rounded to a type of floats, not to int8", lambda: jr.ExactState(result="int8")),
                (r"^x is in host memory, and a plan works in device memory: jitreduce.DeviceArray.of\(x\)", lambda: plan.value(x)),
                (r"^out is in host memory, and a plan works in device memory: jitreduce.DeviceArray\(plan.shape, plan.dtype\)",
                 lambda: plan.run(device(x), out=np.zeros(()))),
                (r"^argument 1 is the number 1.0, but the parameter is a pointer, `double \*to`", lambda: scale(1, 1, (1.0, 2.0))),
                (r"^argument 2 of scale is an array: the parameter is float64", lambda: scale(1, 1, (device(x), device(x)))),
                (r"^headers: a name is empty", lambda: jr.Kernel("", headers={"": "int a;"})),
                (r"the architecture is the device's$", lambda: jr.Kernel('__global__ void f() {}', options="-arch=sm_90"))):
            with self.assertRaisesRegex((ValueError, TypeError, jr.Error), words) as caught:
                call()
            self.assertNotRegex(str(caught.exception), OF_C)

    def test_what_lies_as_nothing_can_be_read_has_a_way_out(self):
        self.refused(ValueError, "^10 axes after merging neighbours; at most 8 are possible: reduce some of them first", lambda: jr.sum(np.ones((2,) * 10), axis=(0, 2, 4, 6, 8)))

    def test_what_stands_in_quotes_stays(self):
        self.refused(jr.CompileError, r"has no kernel nope; the kernels of its source: f32$", lambda: jr.Kernel('extern "C" __global__ void f32(float) {}', "nope"))
        kernel = jr.Kernel('extern "C" __global__ void f32(float) {}')
        self.refused(jr.UnsupportedTypeError, "^argument 1 of f32 is an array: the parameter is float32", lambda: kernel(1, 1, (device(x),)))
        self.refused(jr.InvalidExpressionError, r"^the where expression has 'f32' in column 5", lambda: jr.sum(x, where="x > f32"))
        self.refused(jr.FileError, "/f32/u8 of program", lambda: jr.Kernel('__global__ void f() {}', include_folders="/f32/u8"))

    def test_a_compile_has_the_difference_from_the_nearest_one_as_its_reason(self):
        with tempfile.TemporaryDirectory() as folder, jr.Context("sim", cache_dir=folder) as context:
            f4, given = x.astype("f4"), {"context": context, "algorithm": "single_pass"}
            jr.Reduction("max", map="x * 2")(np.arange(6), block=64, **given)
            jr.mean(f4, **given)
            jr.max(f4, **given)
            self.assertEqual(context.stats()["compiled_because"], "operator changed from mean to max since its last compile")


class Empty(Refusals):
    """No elements."""

    def test_no_elements_have_numpys_message_in_host_and_in_device_memory(self):
        for make in (np.asarray, device):
            none, rows = make(np.zeros(0)), make(np.zeros((0, 3)))
            for call, words in ((lambda: jr.max(none), r"shape \(0,\); initial="), (lambda: jr.min(rows, axis=0), r"shape \(0, 3\) and axis=0; initial="),
                                (lambda: jr.reduce(none, ("max", "sum")), r"shape \(0,\); omit max for an empty input, or jitreduce.max\(x, initial=...\)"),
                                (lambda: jr.minmax(none), r"shape \(0,\)$"), (lambda: jr.max(none, value=True), r"shape \(0,\); initial")):
                self.refused(jr.EmptyInputError, rf"^zero-size array to reduction operation m(in|ax) which has no identity: x has {words}", call)
            for call in (lambda: jr.argmax(none), lambda: jr.argmax(rows, axis=0), lambda: jr.argmax(none, value=True)):
                self.refused(ValueError, r"^attempt to get argmax of an empty sequence: x has shape", call)
            self.assertEqual((float(jr.max(none, initial=3)), jr.max(rows, axis=1).shape), (3, (0,)))

    def test_where_that_leaves_none_names_the_result(self):
        y = np.asfortranarray(np.array([[1.0, 5, 1], [1, 1, 1], [7, 7, 7], [5, 5, 5]]))
        self.refused(jr.EmptyInputError, r"^max of no elements has no value: where or nan leaves none; initial", lambda: jr.max(x, where="x > 9"))
        self.refused(jr.EmptyInputError, r"leaves none for the result at \(1,\); initial", lambda: jr.max(y, axis=1, where="x > 1"))
        z = np.ones((2, 3, 4))
        z[1, :, 2] = 0
        for a in (z, np.asfortranarray(z)):
            self.refused(jr.EmptyInputError, r"leaves none for the result at \(1, 2\); initial", lambda: jr.max(a, axis=1, where="x > 0"))  # pylint: disable=cell-var-from-loop
        self.refused(jr.EmptyInputError, r"skips all elements of run 1 \(the first is 0\): give initial, or counts=True",
                     lambda: jr.reduce_by_key(np.array([1, 2, 2]), np.array([5.0, 1, 1]), op="max", where="x > 1"))


class Help(unittest.TestCase):
    """help()."""

    def test_help_names_what_is_public(self):
        for name in jr.__all__:
            self.assertRegex(pydoc.plain(pydoc.render_doc(getattr(jr, name))).partition("\n")[0], rf": (class|function) {name} in module jitreduce$")

    def test_every_argument_has_a_line_of_its_own(self):
        for thing, names in ((jr.sum, ("x", *jr._documented.names_offered(jr._functions.sum))), (jr.dot, ("x", "y", "axis")), (jr.group_by, ("keys", "op", "where")),
                             (jr.Plan, ("op", "like", *jr._documented.MEMBERS)), (jr.ExactState, ("op", "dtype", "map", "where", "correction", "unroll"))):
            for name in set(names) - {"ddof"}:
                self.assertRegex(thing.__doc__, rf"(?m)^ +{name} +\S")

    def test_it_works_without_docstrings(self):
        done = subprocess.run([sys.executable, "-OO", "-c", "import jitreduce, array; print(jitreduce.sum(array.array('d', [1, 2])))"],
                              capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stdout), (0, "3.0\n"), done.stderr)
