"""What a reader of NumPy, CuPy or PyTorch tries first: it works, or an error says how it is written here."""

import copy
import ctypes
import inspect
import os
import pickle
import subprocess
import sys
import tempfile
import textwrap
import unittest

import numpy as np

import jitreduce as jr
from test_reductions import Judged, sample

x = np.arange(6.0)
KERNEL = 'extern "C" __global__ void set(double *to, long long n) { to[threadIdx.x] = n; }'


def ran(text, **environment):
    """(exit code, standard output, standard error) of a program of its own."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "program.py")
        with open(path, "w", encoding="utf-8") as file:
            file.write(textwrap.dedent(text))
        done = subprocess.run([sys.executable, path], capture_output=True, text=True, check=False, env={**os.environ, **environment})
        return done.returncode, done.stdout, done.stderr


class Refusals(Judged):
    """A test with `refused`."""

    def refused(self, error, words, call):
        """The call raises that error, with these words."""
        self.assertRaisesRegex(error, words, call)


class Order(Refusals):
    """Arguments by their place."""

    def test_norm_has_ord_before_axis_as_numpy(self):
        for ord in (None, 1, 2, np.inf, np.int64(1)):  # pylint: disable=redefined-builtin
            self.same(jr.norm(x, ord), np.linalg.norm(x, ord))
            self.same(jr.norm(x.reshape(2, 3), ord, 1), np.linalg.norm(x.reshape(2, 3), ord, 1))
        for wrong in (0, 3, "fro", True, -np.inf):
            self.refused(ValueError, r"ord=.*: must be 1, 2 or infinity; .*norm\(x, axis=0\)", lambda: jr.norm(x, wrong))  # pylint: disable=cell-var-from-loop

    def test_places_mean_what_they_mean_in_numpy(self):
        numpys = {"sum": np.sum, "prod": np.prod, "min": np.min, "max": np.max, "argmin": np.argmin, "argmax": np.argmax, "any": np.any, "all": np.all,
                  "count_nonzero": np.count_nonzero, "mean": np.mean, "var": np.var, "std": np.std, "norm": np.linalg.norm, "dot": np.vecdot if hasattr(np, "vecdot") else None}
        for name, theirs in numpys.items():
            ours = [p.name for p in inspect.signature(getattr(jr, name)).parameters.values() if p.kind is p.POSITIONAL_OR_KEYWORD]
            if theirs is not None and not isinstance(theirs, np.ufunc):
                self.assertEqual(ours, list(inspect.signature(theirs).parameters)[1:1 + len(ours)], name)

    def test_one_text_is_a_list_of_one(self):
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "three.h"), "w", encoding="utf-8") as file:
                file.write("#define THREE 3\n")
            for folders in (folder, [folder], (folder,)):
                y = jr.DeviceArray(1, "int32")
                jr.Kernel('#include "three.h"\nextern "C" __global__ void three(int *y) { *y = THREE; }', include_folders=folders, options="-lineinfo")(1, 1, (y,))
                self.assertEqual(y.numpy().tolist(), [3])
        self.refused(TypeError, "options=.* is neither a text nor a list of texts", lambda: jr.Kernel(KERNEL, options=3))
        self.refused(TypeError, "headers='a.h' is not a dict", lambda: jr.Kernel(KERNEL, headers="a.h"))

    def test_texts_dicts_and_arrays_are_no_lists_of_arguments(self):
        kernel = jr.Kernel(KERNEL)
        for args in ("ab", b"ab", {"a": 1}, np.zeros(2), jr.DeviceArray(2, "float64")):
            self.refused(TypeError, "args=.* is not a list or tuple", lambda: kernel(1, 1, args))  # pylint: disable=cell-var-from-loop


class Names(Refusals):
    """Arguments and operators by other names."""

    def test_constructors_suggest_the_argument_that_was_meant(self):
        d = jr.DeviceArray.of(x)
        for call, words in ((lambda: jr.Context("sim", cachedir="a"), "'cachedir': did you mean 'cache_dir'.* Known: device, driver"),
                            (lambda: jr.Kernel(KERNEL, include_dirs="a"), "did you mean 'include_folders'"), (lambda: jr.Kernel(KERNEL)(1, 1, streams=1), "'stream'"),
                            (lambda: jr.Reduction("sum", mapp="x"), "did you mean 'map'"), (lambda: jr.Stream(ctx=1), "did you mean 'context'"),
                            (lambda: jr.DeviceArray(3, dtyp="f4"), "did you mean 'dtype'"), (lambda: jr.DeviceArray.of(x, device=1), "did you mean 'context'.* Known: x, context$"),
                            (lambda: jr.Plan("sum", d).run(d, output=d), "did you mean 'out'"), (lambda: jr.Plan("sum", d).value(d, mask=1), "did you mean 'where'"),
                            (lambda: jr.ExactState().add(x, strem=1), "did you mean 'stream'"), (lambda: jr.Graph(strem=1), "did you mean 'stream'"),
                            (lambda: jr.ExactState(typ="f4"), "unknown argument 'typ'"), (lambda: jr.Plan("sum", d, foo=1), "unknown argument 'foo'")):
            self.refused(TypeError, words, call)

    def test_signatures_are_those_of_the_constructors(self):
        self.assertEqual(list(inspect.signature(jr.Stream).parameters), ["context"])
        self.assertEqual(list(inspect.signature(jr.DeviceArray.of).parameters), ["x", "context"])

    def test_operators_suggest_the_name_that_was_meant(self):
        d = jr.DeviceArray.of(x)
        for made in (lambda op: jr.reduce(x, (op,)), lambda op: jr.Reduction(op)(x), lambda op: jr.group_by([1, 1], x[:2], op=op), lambda op: jr.Plan(op, d), jr.ExactState):
            self.refused(ValueError, "unknown operator 'avg': did you mean 'mean'.* Known: sum prod", lambda: made("avg"))  # pylint: disable=cell-var-from-loop
        self.refused(ValueError, "'summ': did you mean 'sum'", lambda: jr.reduce(x, ("min", "summ")))
        self.refused(ValueError, "'nanmax': did you mean 'max', with nan='ignore'", lambda: jr.reduce(x, "nanmax"))
        self.refused(ValueError, "'qqq'. Known", lambda: jr.reduce(x, "qqq"))
        self.assertEqual(jr.reduce(x, ("norm", "norm2"))[0], np.linalg.norm(x))

    def test_arguments_that_are_offered_are_taken(self):
        given = {"axis": 0, "dtype": "float64", "correction": 1, "ord": 2, "include_initial": True, "exclusive": True, "keepdims": True, "op": "sum", "counts": True,
                 "where": "x > 0", "initial": 1.0, "nan": "ignore", "accuracy": "fast", "exact": False, "parameters": {"q": 1}, "value": True, "stream": None,
                 "context": jr.default_context(), "algorithm": None, "unroll": 1, "block": 128, "grid": 4, "out": None}
        calls = {name: (x,) for name in ("sum", "prod", "min", "max", "argmin", "argmax", "any", "all", "count_nonzero", "mean", "var", "std", "norm", "logsumexp", "minmax",
                                         "cumulative_sum", "cumulative_prod")}
        calls |= {"dot": (x, x), "reduce": (x, ("min", "max")), "group_by": (x, x), "reduce_by_key": (x, x)}
        for turn, (name, arguments) in enumerate(calls.items()):
            with self.assertRaisesRegex(TypeError, "Known: ") as caught:
                getattr(jr, name)(*arguments, no_such=1)
            for word in sample(str(caught.exception).partition("Known: ")[2].split(", "), turn, 17):
                more = {"where": "x > q"} if word == "parameters" else {}
                getattr(jr, name)(*arguments, **{word: given[word]}, **more)

    def test_expressions_of_functions_have_advice_that_works(self):
        self.refused(TypeError, r'jitreduce.scan\(x, jitreduce.Reduction\("sum", map=...\)\)', lambda: jr.cumulative_sum(x, map="x * x"))
        self.refused(TypeError, "'accumulate': did you mean 'dtype'", lambda: jr.cumulative_prod(x, accumulate="f8"))
        self.refused(TypeError, r'jitreduce.Reduction\("mean", map=...\)', lambda: jr.mean(x, map="x * x"))
        self.refused(TypeError, r'group_by\(keys, x, op=jitreduce.Reduction\("sum", map=...\)\)', lambda: jr.group_by(x, x, map="x * x"))

    def test_messages_have_pythons_names(self):
        self.refused(jr.UnsupportedTypeError, '^logsumexp of float64 has no exact form: leave accuracy "fast"$', lambda: jr.logsumexp(x, exact=True))
        self.refused(jr.NotApplicableError, "does not scan: omit algorithm$", lambda: jr.cumulative_sum(x, algorithm="atomic"))
        self.refused(jr.NotApplicableError, "algorithms of their own: omit algorithm$", lambda: jr.sum(x.reshape(2, 3), axis=0, algorithm="two_pass"))
        self.refused(ValueError, "out has elements of float32 .* float64", lambda: jr.sum(x, out=np.zeros((), "f4")))

    def test_an_expression_that_is_wrong_shows_the_place(self):
        with self.assertRaises(jr.InvalidExpressionError) as caught:
            jr.sum(x, where="x > sqroot(x)")
        self.assertRegex(str(caught.exception), r"'sqroot' in column 5[^\n]*\n  x > sqroot\(x\)\n {6}\^")


class DeviceArrays(Refusals):
    """What Python and NumPy do with every array."""

    def test_one_element_is_a_number(self):
        one = jr.sum(jr.DeviceArray.of(x))
        self.assertEqual((float(one), int(one), complex(one), one.item(), bool(one), f"{one:.2f}"), (15.0, 15, 15 + 0j, 15.0, True, "15.00"))
        for kind in ("i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f2", "f4", "f8", "?"):
            for shape in ((), (1,), (1, 1)):
                made = jr.DeviceArray.of(np.ones(shape, kind)).item()
                self.assertEqual((made, type(made)), (1, type(np.ones(1, kind)[0].item())))
        low = jr.DeviceArray(1, "bfloat16")
        jr.Kernel('extern "C" __global__ void low(unsigned short *y) { *y = 0xc040; }')(1, 1, (low,))
        self.assertEqual(low.item(), -3.0)
        self.assertIn("DeviceArray of float64", f"{one}")

    def test_several_elements_are_no_number(self):
        d = jr.DeviceArray.of(x)
        for name, call in (("float", float), ("int", int), ("complex", complex), ("item", jr.DeviceArray.item), ("format", lambda d: f"{d:.2f}")):
            self.refused(TypeError, rf"{name}\(\) needs an array of one element; .*shape \(6,\): .numpy\(\)", lambda: call(d))  # pylint: disable=cell-var-from-loop
        self.refused(ValueError, "neither true nor false: jitreduce.any", lambda: bool(d))
        self.refused(TypeError, "one element", lambda: float(jr.DeviceArray(0, "f4")))

    def test_length_is_known_and_elements_are_elsewhere(self):
        self.assertEqual(len(jr.DeviceArray((3, 2), "f4")), 3)
        d = jr.DeviceArray.of(x)
        self.refused(TypeError, r"device memory.*\.numpy\(\)", lambda: list(d))
        self.refused(TypeError, "item", lambda: len(jr.DeviceArray((), "f4")))

    def test_what_belongs_to_the_process_is_not_pickled(self):
        for thing, words in ((jr.DeviceArray.of(x), r"\.numpy\(\)"), (jr.default_context(), "make one where"), (jr.Stream(), "pickle"), (jr.Kernel(KERNEL), "pickle"),
                             (jr.Plan("sum", jr.DeviceArray.of(x)), "pickle")):
            self.refused(TypeError, words, lambda: pickle.dumps(thing))  # pylint: disable=cell-var-from-loop
        squares = jr.Reduction("sum", map="x * x")
        self.assertEqual(pickle.loads(pickle.dumps(squares))(x), copy.deepcopy(squares)(x))


class Kernels(Refusals):
    """Arguments of kernels, and what kernels do wrong."""

    def test_an_integer_is_no_pointer(self):
        kernel, d = jr.Kernel(KERNEL), jr.DeviceArray(1, "float64")
        for number in (d.address, 0, True, np.uint64(d.address), np.int32(3)):
            self.refused(TypeError, r"argument 1 is the number .* a pointer, `double \*to`: .*DeviceArray.*ctypes.c_void_p", lambda: kernel(1, 1, (number, 1)))  # pylint: disable=cell-var-from-loop
        kernel(1, 1, (ctypes.c_void_p(d.address), 7))
        self.assertEqual(d.item(), 7)
        kernel(1, 1, (d, np.int64(8)))
        self.assertEqual(d.item(), 8)

    def test_an_array_of_another_size_of_element_is_refused(self):
        d = jr.DeviceArray.of(x)
        for parameter in ("float *x", "const float *__restrict__ x", "float x[]", "float const * const x", "int *x", "unsigned int* x", "short*x"):
            kernel = jr.Kernel('extern "C" __global__ void k(' + parameter + ") {}")
            self.refused(TypeError, "argument 1 has elements of float64, 8 bytes each, but the parameter `", lambda: kernel(1, 1, (d,)))  # pylint: disable=cell-var-from-loop
            kernel(1, 1, (ctypes.c_void_p(d.address),))
        for parameter in ("double *x", "const long long *x", "void *x", "char *x", "unsigned char *x", "float4 *x", "double **x", "const T *x"):
            jr.Kernel('typedef float T;\nextern "C" __global__ void k(' + parameter + ") {}")(1, 1, (d,))
        jr.Kernel('extern "C" __global__ void k(float *x) {}')(1, 1, (jr.DeviceArray(16, "uint8"),))

    def test_constants_are_numbers_of_c(self):
        y = jr.DeviceArray(2, "int32")
        jr.Kernel('extern "C" __global__ void k(int *y) { y[0] = YES; y[1] = NO; }', constants={"YES": True, "NO": np.False_})(1, 1, (y,))
        self.assertEqual(y.numpy().tolist(), [1, 0])
        self.refused(TypeError, "constant A is None", lambda: jr.Kernel(KERNEL, constants={"A": None}))

    def test_pointers_are_found_in_the_source(self):
        def pointers(source, entry):
            return [at for at, one in enumerate(jr._kernel.parameters_of(source, entry)) if jr._kernel._is_pointer(one)]

        self.assertEqual(pointers('extern "C" __global__ void __launch_bounds__(64, 2) k(const float *__restrict__ x, /* int *q, */ long n, S<int *, 2> s, int y[4]) {}', "k"), [0, 3])
        self.assertEqual(pointers("template <class T> __global__ __launch_bounds__(64) void f(T*x, T a) {}\n__global__ void g(int n) {}", "a::f<float>"), [0])
        self.assertEqual(pointers("__global__ void k(int *x) {}\n__global__ void k(long x) {}", "k"), [])
        self.assertEqual(pointers("#define K(name) __global__ void name(int *x) {}\nK(k)", "k"), [])

    def test_a_fault_names_the_line_and_what_to_do(self):
        code, out, err = ran("""
            import jitreduce as jr, numpy as np
            jr.set_default_context(jr.Context("sim"))
            y = jr.DeviceArray(4, "float32")
            kernel = jr.Kernel('''extern "C" __global__ void far(float *y) {
                y[100000] = 1;
            }''', name="far.cu")
            kernel(1, 1, (y,))
            try:
                y.numpy()
            except jr.DeviceFaultError as error:
                print(error)
            del y, kernel
            jr.default_context().close()
            jr.set_default_context(None)
            print(jr.sum(np.ones(3)))
            """)
        self.assertEqual((code, err), (0, ""))
        self.assertRegex(out, r"far\.cu:2, PTX line")
        self.assertRegex(out, r"\nTo go on: delete what was made with this context \(alive now: 1 DeviceArray, 1 Kernel\), then close it")
        self.assertTrue(out.endswith("3.0\n"), out)


class Processes(unittest.TestCase):
    """Warnings, and the end of Python."""

    def test_the_warning_about_the_simulator_points_to_the_line_of_the_caller(self):
        for call in ("jr.sum(x)", "jr.Context()", "jr.DeviceArray.of(x)", "jr.group_by(x, x)", "jr.Stream()", "jr.default_context()"):
            code, _, err = ran(f"""
                import jitreduce as jr, numpy as np
                x = np.ones(3)
                {call}
                """, JITREDUCE_DEVICE="auto", CUDA_VISIBLE_DEVICES="-1")
            self.assertEqual(code, 0, err)
            self.assertRegex(err, rf"program\.py:4: RuntimeWarning: .*\n  {call}".replace("(", r"\(").replace(")", r"\)"), call)

    def test_python_ends_with_objects_alive(self):
        code, out, err = ran("""
            import jitreduce as jr, numpy as np, threading
            jr.set_default_context(jr.Context("sim"))
            d = jr.DeviceArray.of(np.ones(1000))
            plan, stream, state = jr.Plan("sum", d), jr.Stream(), jr.ExactState().add(np.ones(3))
            with stream.capture() as graph:
                plan.run(d, out=jr.DeviceArray((), "float64"), stream=stream)
            total = jr.sum(d)
            threads = [threading.Thread(target=lambda: [jr.sum(d, value=True) for _ in range(20)]) for _ in range(4)]
            [thread.start() for thread in threads]
            [thread.join() for thread in threads]
            print(float(total))
            """)
        self.assertEqual((code, out, err), (0, "1000.0\n", ""))


class Values(Refusals):
    """Values that are nearly right."""

    def test_a_text_is_neither_true_nor_false(self):
        for word in ("keepdims", "exact"):
            self.refused(TypeError, f"{word}='no' is a text: give True or False", lambda: jr.sum(x, **{word: "no"}))  # pylint: disable=cell-var-from-loop

    def test_values_have_advice(self):
        d = jr.DeviceArray.of(x)
        for call, error, words in ((lambda: jr.reduce(x, ()), ValueError, "0 operators: give 1 to 8 names"), (lambda: jr.reduce(x, "min, max"), ValueError, r"a tuple, \('min', 'max'\)"),
                                   (lambda: jr.reduce(x, ["min"] * 9), ValueError, "9 operators"), (lambda: jr.sum(x, context="sim"), TypeError, r"jitreduce.Context\('sim'\) opens one"),
                                   (lambda: jr.set_default_context("cuda"), TypeError, "opens one"), (lambda: jr.Context(0), TypeError, "'cuda:0' names a GPU"),
                                   (lambda: jr.cumulative_sum(np.array(3.0)), ValueError, "reshape"), (lambda: jr.Reduction("sum", map=abs), TypeError, "a function of Python: an expression is C"),
                                   (lambda: jr.group_by(["a", None], [1, 2]), TypeError, "keys of object are of several types"), (lambda: d.tolist(), AttributeError, r"\.numpy\(\)"),
                                   (lambda: d.sum(), AttributeError, r"jitreduce\.sum\(x\)"), (lambda: d.foo, AttributeError, "a DeviceArray has no 'foo'$")):
            self.refused(error, words, call)

    def test_texts_of_any_kind_are_keys_alone(self):
        kinds = ["U1", "S1", object] + ([np.dtypes.StringDType()] if hasattr(getattr(np, "dtypes", None), "StringDType") else [])
        for kind in kinds:
            keys = np.array(["b", "a", "b"], kind)
            self.refused(TypeError, "^x: elements of .* cannot be reduced", lambda: jr.sum(keys))  # pylint: disable=cell-var-from-loop
            self.assertEqual(jr.group_by(keys, np.arange(3))[1].tolist(), [1, 2])

    def test_every_layout_is_reduced(self):
        for made in (np.arange(24.0).reshape(2, 3, 4), np.asfortranarray(np.arange(6.0).reshape(2, 3)), np.arange(6.0).reshape(2, 3).T, np.array(3.0), np.float32(2), np.zeros(0),
                     np.zeros((0, 3)), np.array([True, False]), np.arange(3, dtype="f2"), np.matrix([[1.0, 2.0]]), np.frombuffer(b"abcdefgh", "i4")):
            self.assertEqual(float(jr.sum(made)), float(np.sum(made)))
        for made in (x[::2], x[::-1], np.broadcast_to(1.0, (3,)), np.arange(24.0).reshape(2, 3, 4)[:, 1:]):
            self.assertEqual(float(jr.sum(made)), float(np.sum(made)))


class Keys(Refusals):
    """Groups of which nothing is left."""

    def test_a_group_without_elements_is_named(self):
        keys, values = np.array(["b", "a", "b", "c"]), np.arange(4.0)
        self.refused(jr.EmptyInputError, "^min of no elements has no value: where or nan skips all elements of the key 'c': give initial, or counts=True",
                     lambda: jr.group_by(keys, values, op="min", where="x < 2"))
        self.refused(jr.EmptyInputError, "^argmax of no elements has no value: where or nan skips all elements of the key 'c': give counts=True",
                     lambda: jr.group_by(keys, values, op="argmax", where="x < 2"))
        self.refused(jr.EmptyInputError, r"key 'a' \(and of 1 more\)", lambda: jr.group_by(keys, values, op="argmin", where=values < 1))

    def test_initial_and_counts_give_a_group_without_elements(self):
        keys, values = np.array(["b", "a", "b", "c"]), np.arange(4.0)
        self.assertEqual(jr.group_by(keys, values, op="min", where="x < 1", initial=9)[1].tolist(), [9, 0, 9])
        self.assertEqual(jr.reduce_by_key(keys == "c", values, op="max", where="x < 1", initial=-1)[1].tolist(), [0, -1])
        _, index, counts = jr.group_by(keys, values, op="argmin", where="x < 1", counts=True)
        self.assertEqual((index.tolist(), counts.tolist()), ([-1, 0, -1], [0, 1, 0]))
