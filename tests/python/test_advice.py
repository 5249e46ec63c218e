"""Calls that Python's or NumPy's habits make: each works, or says how it is written here."""

import unittest
import warnings

import numpy as np

import jitreduce as jr
from test_newcomers import KERNEL, Refusals, ran

x = np.arange(6.0)


class Places(Refusals):
    """Arguments by their place that a function takes by name."""

    def test_a_surplus_argument_is_named_as_numpy_orders_them(self):
        for call, words in ((lambda: jr.sum(x, 0, "f4"), "^sum takes x and axis by place, and 'f4' is one too many: give it by name, dtype='f4'$"),
                            (lambda: jr.var(x, 0, None), "var .*dtype=None"), (lambda: jr.max(x, 0, np.zeros(())), "max .*out=array"), (lambda: jr.norm(x, 2, 0, True), "keepdims=True"),
                            (lambda: jr.cumulative_sum(x, 0), "^cumulative_sum takes x by place.*axis=0"), (lambda: jr.minmax(x, 0, None), "^minmax"),
                            (lambda: jr.Reduction("sum", "x*x"), r"^Reduction takes op by place.*map='x\*x'"), (lambda: jr.Stream(1), "Stream takes no argument by place"),
                            (lambda: jr.DeviceArray.of(x, 1), "context=1"), (lambda: jr.Context("sim", "a"), "Context takes device by place, and 'a'")):
            self.refused(TypeError, words, call)

    def test_arguments_of_a_kernel_are_one_tuple(self):
        kernel, y = jr.Kernel(KERNEL), jr.DeviceArray(1, "float64")
        self.refused(TypeError, r"as one tuple: \(1, 32, \(<jitreduce.DeviceArray.*>, 1000\)\)$", lambda: kernel(1, 32, y, 1000))
        kernel(1, 1, (y, 1000))
        self.assertEqual(y.item(), 1000)

    def test_a_run_needs_out(self):
        d = jr.DeviceArray.of(x)
        plan = jr.Plan("sum", d)
        self.refused(TypeError, r"run needs out.*run\(x, out=y\); value\(x\)", lambda: plan.run(d))
        self.refused(TypeError, "missing .*'dtype'", lambda: jr.DeviceArray(3))


class Types(Refusals):
    """Names of types."""

    def test_numpys_codes_are_names(self):
        for code in ("u1", "i2", "u2", "i4", "u4", "f2", "f4", "f8", "?", *"bhilqBHILQefd", "half", "single", "double", "intp", "uint8", "longlong", "<i4", "=f4", "|u1"):
            if code not in ("?", "b", "B", "|u1", "u1", "uint8"):
                self.assertEqual(jr.sum(np.ones(3), dtype=code).dtype, np.dtype(code), code)
            self.assertEqual(np.dtype(jr.DeviceArray(1, code).dtype), np.dtype(code), code)
        self.refused(TypeError, "write int8 or int64", lambda: jr.DeviceArray(1, "i8"))

    def test_results_of_types_that_numpy_lacks_name_the_package(self):
        calls = (lambda: jr.sum(x, dtype="bfloat16"), lambda: jr.cumulative_sum(x, dtype="bfloat16"), lambda: jr.sum(x.reshape(2, 3), axis=0, dtype="bfloat16"),
                 lambda: jr.Reduction("sum", result="bfloat16")(x), lambda: jr.group_by(x, x, op=jr.Reduction("sum", result="bfloat16"))[1])
        for call in calls:
            try:
                import ml_dtypes  # pylint: disable=import-outside-toplevel,unused-import
            except ImportError:
                self.refused(ImportError, "NumPy has no bfloat16 without the package ml_dtypes: pip install ml_dtypes", call)
            else:
                self.assertEqual(call().dtype.name, "bfloat16")


class WholeNumbers(unittest.TestCase):
    """Quotients of whole numbers, which C cuts."""

    def warned(self, call):
        """The result of a call, and the warnings that it gave."""
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            return call(), caught

    def test_a_quotient_that_is_cut_is_told_once_at_the_line_of_the_caller(self):
        halves = jr.Reduction("sum", map="x/2 + 0")
        result, caught = self.warned(lambda: halves(np.arange(5), initial=0))
        self.assertEqual((result, len(caught), caught[0].category, caught[0].filename), (4, 1, RuntimeWarning, __file__))
        self.assertRegex(str(caught[0].message), r"^map='x/2 \+ 0': x / 2 divides whole numbers as in C, and cuts the quotient: write x / 2.0; map_type='int64' says that it is meant$")
        self.assertEqual(self.warned(lambda: jr.Reduction("sum", map="x/2 + 0")(np.arange(5)))[1], [])
        _, caught = self.warned(lambda: halves(np.arange(5, dtype="int32")))  # another type has a warning of its own
        self.assertEqual(len(caught), 1)
        for more in ({}, {"axis": 0}, {"initial": 1}):
            self.assertEqual(self.warned(lambda: halves(np.arange(5), **more))[1], [])  # pylint: disable=cell-var-from-loop

    def test_every_expression_is_looked_at(self):
        for made, words in ((lambda: jr.Reduction("sum", map="1/2*x")(x), "1 / 2 is a whole number in C"), (lambda: jr.Reduction("sum", finish="a/n")(np.arange(3)), "finish='a/n': a / n divides whole numbers as in C, and cuts the quotient: write a / (double)n; result='int64' says"),
                            (lambda: jr.sum(np.arange(3), where="x/3 > 0"), "where='x/3 > 0': x / 3 divides"), (lambda: jr.max(np.arange(3, dtype="u4"), where="x > -1", initial=0), "where='x > -1': x > -1: x is unsigned"),
                            (lambda: jr.Plan(jr.Reduction("sum", map="x/7"), jr.DeviceArray.of(np.arange(3))), "map='x/7'"),
                            (lambda: jr.ExactState("sum", "int32", map="x/9", result="float64"), "map='x/9'"), (lambda: jr.group_by([1, 1], [1, 2], where="x/5 < 1"), "where='x/5 < 1'")):
            _, caught = self.warned(made)
            self.assertEqual(len(caught), 1, words)
            self.assertIn(words, str(caught[0].message))

    def test_what_is_meant_gives_no_warning(self):
        for call in (lambda: jr.Reduction("sum", map="x/4")(x), lambda: jr.Reduction("sum", map="x/4.0")(np.arange(3)), lambda: jr.Reduction("sum", map="x/4", map_type="int64")(np.arange(3)),
                     lambda: jr.Reduction("sum", finish="a/n")(x), lambda: jr.mean(np.arange(3))):
            self.assertEqual(self.warned(call)[1], [])


class NarrowValues(unittest.TestCase):
    """Values of map whose type is that of the elements, where NumPy would take a wider one."""

    warned = WholeNumbers.warned

    def test_values_that_do_not_hold_a_parameter_or_another_array_give_a_warning(self):
        for made, words in ((lambda: jr.Reduction("max", map="x > 0 ? i : -1")(np.array([0, 1], "u1")), "values are u8, as the elements, and wrap: 65536 does not fit; map_type='int64'"),
                            (lambda: jr.Reduction("sum", map="i*x")(np.ones(3, "u1")), "65536 does not fit"),
                            (lambda: jr.Reduction("sum", map="x*300")(np.ones(3, "u1")), "wrap: 300 does not fit; map_type='int64' holds it"),
                            (lambda: jr.Reduction("sum", map="x*0x200")(np.ones(3, "u1")), "wrap: 512 does not fit"),
                            (lambda: jr.Reduction("sum", map="x - 200l")(np.ones(3, "i1")), "i8, .* -201 does not fit"),
                            (lambda: jr.Reduction("sum", map="-x")(np.ones(3, "u2")), "u16, .* -1 does not fit"),
                            (lambda: jr.Reduction("sum", map="i*100000")(np.ones(3, "i4")), "i32, .* 6553600000 does not fit"),
                            (lambda: jr.Reduction("sum", map="x + 1000")(np.ones(3, "i1")), "values are i8, .* 1001 does not fit"),
                            (lambda: jr.Reduction("sum", map="x*p", parameters={"p": 2**40})(np.ones(4, "i4")), "values are i32, as the elements, and wrap: 1099511627776 does not fit; map_type='int64'"),
                            (lambda: jr.Reduction("sum", map="p*x", parameters={"p": 300})(np.ones(3, "u1")), "u8.* 300 does not fit"),
                            (lambda: jr.Reduction("sum", map="x*p+0", parameters={"p": -1})(np.ones(3, "u1")), "-1 does not fit"),
                            (lambda: jr.Reduction("sum", map="-x")(np.ones(3, "u4")), "-x may not fit unsigned int, and wraps: write -.double.x$"),
                            (lambda: jr.Reduction("sum", map="x - 0x5ull")(np.ones(3, "u8")), "x - 0x5ull may not fit unsigned long long, and wraps"),
                            (lambda: jr.Reduction("sum", map="x > 1 ? x : -1")(np.ones(3, "u4")), "x : -1: x is unsigned"),
                            (lambda: jr.Reduction("max", map="x-y")(np.ones(1, "u8"), np.array([2], "i4")), "values are u64, as the elements of x, and wrap: y is i32; write .double.")):
            _, caught = self.warned(made)
            self.assertEqual([one.category for one in caught], [RuntimeWarning], words)
            self.assertRegex(str(caught[0].message), words)

    def test_products_of_the_index_wrap_with_a_warning_where_the_array_is_long_enough(self):
        cube = jr.Reduction("max", map="i * i * i + 0 * x")
        for count, words in ((100000, []), (2100000, ["i [*] i [*] i may not fit long long, and wraps: convert one side, as .double.i$"])):
            _, caught = self.warned(lambda size=count: cube(np.ones(size, "f8")))
            self.assertEqual(len(caught), len(words), count)
            for one, word in zip(caught, words):
                self.assertRegex(str(one.message), word)

    def test_what_holds_them_or_says_its_type_gives_none(self):
        for call, result in ((lambda: jr.Reduction("sum", map="x*p", map_type="int64", parameters={"p": 2**40})(np.ones(4, "i4")), 2**42),
                             (lambda: jr.Reduction("sum", map="x > p ? x : 0", parameters={"p": 300})(np.ones(3, "u1")), 0),
                             (lambda: jr.Reduction("sum", map="x*p", parameters={"p": 300.0})(np.ones(3, "u1")), 900),
                             (lambda: jr.Reduction("sum", map="x*p", parameters={"p": 200})(np.ones(3, "u1")), 600),
                             (lambda: jr.Reduction("max", map="(double)x-y")(np.ones(1, "u8"), np.array([2], "i4")), -1),
                             (lambda: jr.Reduction("max", map="x*x")(np.array([20, 10], "u1")), 144)):  # as (x * x).max() of NumPy
            found, caught = self.warned(call)
            self.assertEqual((found, caught), (result, []))


class Operators(Refusals):
    """Operators by another kind of name, or in another place."""

    def test_functions_are_no_names_of_operators(self):
        d = jr.DeviceArray.of(x)
        for made in (jr.Reduction, lambda op: jr.group_by(x, x, op=op), lambda op: jr.reduce_by_key(x, x, op=op), lambda op: jr.reduce(x, op), lambda op: jr.reduce(x, ("min", op)),
                     lambda op: jr.Plan(op, d), jr.ExactState):
            for op, name in ((sum, "sum"), (max, "max"), (np.add, "sum"), (np.maximum, "max"), (np.mean, "mean"), (jr.min, "min")):
                self.refused(TypeError, f"op=.* is a function: write '{name}'$", lambda: made(op))  # pylint: disable=cell-var-from-loop
            self.refused(TypeError, r"Reduction\(combine=", lambda: made(lambda a, b: a + b))  # pylint: disable=cell-var-from-loop

    def test_a_reduction_with_an_unknown_operator_is_not_made(self):
        for op in ("average", ("min", "average")):
            self.refused(ValueError, "unknown operator 'average': did you mean 'mean'", lambda: jr.Reduction(op))  # pylint: disable=cell-var-from-loop
        self.assertEqual([jr.Reduction(op)(np.arange(1, 4)) for op in ("xor", "and", "norm")], [0, 0, np.sqrt(14)])

    def test_operators_that_are_none_here_have_advice(self):
        for word in ("count", "size"):
            self.refused(ValueError, rf"operator '{word}': counts=True of group_by.*jitreduce.count\(x\)", lambda: jr.reduce(x, word))  # pylint: disable=cell-var-from-loop
        self.refused(ValueError, r"jitreduce.Reduction\(combine=", lambda: jr.reduce(x, "custom"))
        self.refused(ValueError, r"jitreduce.dot\(x, y\)", lambda: jr.reduce(x, ("sum", "dot")))
        with self.assertRaises(ValueError) as caught:
            jr.reduce(x, "qqq")
        self.assertNotIn("custom", str(caught.exception))

    def test_operators_where_arrays_stand_have_advice(self):
        for by in (jr.group_by, jr.reduce_by_key):
            self.refused(TypeError, "give an operator by name, op='mean'", lambda: by(x, x, "mean"))  # pylint: disable=cell-var-from-loop
            self.refused(TypeError, r"op=\('min', 'max'\)", lambda: by(x, x, ("min", "max")))  # pylint: disable=cell-var-from-loop
        self.refused(TypeError, r"a tuple: reduce\(x, \('min', 'max', 'sum'\)\)", lambda: jr.reduce(x, "min", "max", "sum"))

    def test_a_reduction_has_a_correction(self):
        self.assertEqual(jr.Reduction("var", map="x * x", correction=1)(x), np.var(x * x, ddof=1))
        self.assertEqual(jr.Reduction(("std", "mean"), correction=1)(x), (np.std(x, ddof=1), np.mean(x)))
        self.assertEqual(jr.group_by(x > 2, x, op=jr.Reduction("var", correction=1))[1].tolist(), [1, 1])
        for made in (lambda: jr.Reduction("sum", correction=1)(x), lambda: jr.Plan("sum", jr.DeviceArray.of(x), correction=1), lambda: jr.ExactState("mean", correction=1)):
            self.refused(ValueError, "correction: only var and std", made)

    def test_functions_of_any_operator_leave_what_some_have_to_a_reduction(self):
        for by in (jr.group_by, jr.reduce_by_key):
            for name, member in (("dtype", '"sum", result'), ("correction", '"var", correction'), ("ddof", '"var", correction')):
                self.refused(TypeError, rf"{name}': a Reduction has it, {by.__name__}\(keys, x, op=jitreduce.Reduction\({member}=...\)\)",
                             lambda: by(x, x, **{name: 1}))  # pylint: disable=cell-var-from-loop
            for op, words in ((("min", "max"), "skips all elements of .*: give counts=True"), ("min", "give initial, or counts=True"), ("argmin", ": give counts=True")):
                self.refused(jr.EmptyInputError, words, lambda: by([1, 2], x[:2], op=op, where="x > 0", unroll=1) if by is jr.group_by else  # pylint: disable=cell-var-from-loop
                             by(np.array([1, 2]), x[:2], op=op, where="x > 0", unroll=1))  # pylint: disable=cell-var-from-loop

    def test_an_operator_of_ones_own_says_what_is_missing(self):
        for given, words in (({"combine": "a + b"}, "identity is missing"), ({"identity": "0"}, "combine is missing"), ({}, "either an operator")):
            self.refused(TypeError, words, lambda: jr.Reduction(**given))  # pylint: disable=cell-var-from-loop
        self.refused(TypeError, "combine is missing", lambda: jr.Reduction("custom", identity="0"))
        self.assertEqual(jr.Reduction("custom", combine="a + b", identity="0")(x), 15)
        self.refused(ValueError, r"neither map nor where names y: .*Reduction\(combine=..., identity=..., map=\"x \* y\"\)", lambda: jr.Reduction(combine="a + b", identity="0")(x, x))

    def test_the_array_comes_before_the_operators(self):
        for ops in (("min", "max"), "min"):
            self.refused(TypeError, r"^the array comes before the operators: reduce\(x, \(?'min'", lambda: jr.reduce(ops, x))  # pylint: disable=cell-var-from-loop

    def test_an_array_without_dimensions_has_no_axis(self):
        for call in (lambda: jr.sum(np.array(3), axis=1), lambda: jr.reduce(np.array(3), "min", axis=0), lambda: jr.cumulative_sum(np.array(3), axis=0)):
            self.refused(ValueError, "an array of 0 dimensions holds one number and has no axis: omit axis", call)

    def test_other_norms_have_advice(self):
        for ord, words in (("fro", r"norm\(x\) is Frobenius'"), ("inf", r'float\("inf"\)'), (0, "count_nonzero"), (-np.inf, "Reduction.*min"), (3, r'parameters={"p": 3.0}')):  # pylint: disable=redefined-builtin
            self.refused(ValueError, f"must be 1, 2 or infinity; .*{words}", lambda: jr.norm(x, ord))  # pylint: disable=cell-var-from-loop
        three = jr.Reduction("sum", map="pow(fabs(x), p)", finish="pow(a, 1 / p)", parameters={"p": 3.0})
        self.assertAlmostEqual(three(x), np.linalg.norm(x, 3))
        self.assertEqual(jr.Reduction("min", map="fabs(x)")(x - 7), np.linalg.norm(x - 7, -np.inf))


class Expressions(Refusals):
    """Expressions, masks and parameters."""

    def test_an_array_that_a_function_does_not_take_needs_a_reduction(self):
        for more in ({}, {"initial": 0}):
            self.refused(jr.InvalidExpressionError, r"sum takes one array: jitreduce.Reduction\('sum', where='x > y'\)\(x, y\)\n  x > y", lambda: jr.sum(x, where="x > y", **more))  # pylint: disable=cell-var-from-loop
        self.refused(jr.InvalidExpressionError, r"jitreduce.Reduction\(\('min', 'max'\), where='y'\)", lambda: jr.minmax(x, where="y"))
        self.assertEqual(jr.Reduction("sum", where="x > y")(x, x - 1), 15)
        self.refused(jr.InvalidExpressionError, "pass one more array", lambda: jr.Reduction("sum", map="x * y")(x))

    def test_an_array_that_nothing_reads_is_refused(self):
        d = jr.DeviceArray.of(x)
        for call in (lambda: jr.Reduction("sum", map="x * x")(x, x), lambda: jr.group_by(x, x, x), lambda: jr.reduce_by_key(x, x, x, op="max"), lambda: jr.Plan("sum", d, d),
                     lambda: jr.Reduction("sum")(x, x, where=x > 2), lambda: jr.ExactState("sum", ("f4", "f4"))):
            self.refused(ValueError, "arrays, and neither map nor where names y", call)
        self.assertEqual(jr.Reduction("sum", where="y > 2")(x, x), 12)
        self.assertEqual(jr.Reduction("dot")(x, x, where=x > 2), 50)

    def test_what_is_no_text_of_c_has_advice(self):
        for made, words in ((lambda: jr.Reduction(combine="a + b", identity=0), 'identity="0"'), (lambda: jr.Reduction(combine=min, identity="0"), r'as text, "a \+ b"'),
                            (lambda: jr.Reduction("sum", where=x > 2), r"pass a mask to the call, Reduction\(...\)\(x, where=mask\)"), (lambda: jr.sum(x, where=lambda x: x > 2), 'as text, "x > 2"')):
            self.refused(TypeError, words, made)

    def test_a_parameter_is_one_number(self):
        self.refused(TypeError, "parameters: limit=array.* is an array, and a parameter one number", lambda: jr.sum(x, where="x > limit", parameters={"limit": np.ones(3)}))
        self.refused(TypeError, r"parameters: limit=\[1\] is not a number", lambda: jr.sum(x, where="x > limit", parameters={"limit": [1]}))
        self.assertEqual(jr.sum(x, where="x > limit", parameters={"limit": np.array(3)}), 9)


class Things(Refusals):
    """Arrays, files and devices."""

    def test_out_is_an_array_that_exists(self):
        for out in ([0], (np.zeros(()),)):
            self.refused(TypeError, "^out, of .*an array that exists, as numpy.empty", lambda: jr.sum(x, out=out))  # pylint: disable=cell-var-from-loop
        self.refused(ValueError, "out has strides .* without gaps.*and copy, or omit out", lambda: jr.sum(x.reshape(2, 3), axis=0, out=np.zeros(6)[::2]))

    def test_words_of_python_about_memory_do_not_show(self):
        for wrong in (object(), {1: 2}):
            with self.assertRaises(TypeError) as caught:
                jr.sum(wrong)
            self.assertNotIn("bytes-like", str(caught.exception))

    def test_a_kernel_is_a_text_and_its_options_have_pythons_names(self):
        self.refused(ValueError, r"name of a file, and source is the text: open\('scale.cu'\).read\(\)", lambda: jr.Kernel("scale.cu"))
        with self.assertRaisesRegex(jr.CompileError, r"Kernel\(include_folders=...\) names.*Kernel\(toolkit_headers=True\)") as caught:
            jr.Kernel('#include "a.h"\nextern "C" __global__ void k() {}')
        self.assertNotIn("program.", str(caught.exception))

    def test_exact_states_have_pythons_names(self):
        self.assertEqual(jr.ExactState(dtype=int).add(np.arange(4)).value(), 6)
        self.assertEqual(jr.ExactState(dtype=int, result="float64").add(np.arange(4)).value(), 6.0)
        self.refused(TypeError, r"open\('day1.bin', 'rb'\).read\(\)", lambda: jr.ExactState.from_bytes("day1.bin"))

    def test_a_default_context_that_is_closed_says_how_to_open_another(self):
        code, out, err = ran("""
            import jitreduce as jr, numpy as np
            jr.set_default_context(jr.Context("sim"))
            jr.default_context().close()
            try:
                jr.sum(np.ones(3))
            except ValueError as error:
                print(error)
            jr.set_default_context(None)
            print(jr.sum(np.ones(3)))
            """)
        self.assertEqual((code, err), (0, ""))
        self.assertRegex(out, r"closed; it is the default one: jitreduce.set_default_context\(None\).*\n3.0\n$")

    def test_a_context_shows_its_device(self):
        self.assertEqual(repr(jr.Context("sim")), "<jitreduce.Context on jitreduce PTX simulator, sim#0>")

    def test_a_device_of_the_environment_is_named_with_its_variable(self):
        _, _, err = ran("import jitreduce as jr; jr.default_context()", JITREDUCE_DEVICE="sim:4")
        self.assertRegex(err, "InvalidArgumentError: 'sim:4'.*JITREDUCE_DEVICE.* is a group of devices.*python -m jitreduce --device")
        self.refused(jr.InvalidArgumentError, "^'sim:4' is a group", lambda: jr.Context("sim:4"))
