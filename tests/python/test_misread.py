"""What Python takes in one way and C or a device in another: each is refused, or has one meaning."""

import unittest

import numpy as np

import jitreduce as jr
from test_newcomers import Refusals, ran

x = np.arange(6.0)
TYPED = '''extern "C" __global__ void typed(double *to, unsigned n, long long l, const short s, unsigned char c, size_t) {
    to[0] = n; to[1] = l; to[2] = s; to[3] = c;
}'''


class Arrays(Refusals):
    """Arrays in device memory, as Python's operators see them."""

    def test_arrays_in_device_memory_are_not_compared(self):
        d = jr.DeviceArray.of(x)
        for call in (lambda: d == d, lambda: d != d, lambda: d == 1):  # pylint: disable=comparison-with-itself
            self.refused(TypeError, r"compare them: x.numpy\(\) == y.numpy\(\), or `x is y`", call)
        self.assertFalse(d == None)  # pylint: disable=singleton-comparison
        self.assertEqual((len({d, d}), d in [d]), (1, True))

    def test_an_array_where_an_axis_stands_is_not_printed(self):
        self.refused(TypeError, r"^axis is an array of shape \(6,\): .*dot\(x, y\)", lambda: jr.sum(x, x))


class Kernels(Refusals):
    """Numbers that the types of a kernel's parameters do not hold, of which PTX does not know the signs."""

    def test_constants_are_the_numbers_that_were_given(self):
        source = 'extern "C" __global__ void q(double *x) { *x = COUNT; }'
        for given in (-2**63, 2**63 - 1, -0.5, True, np.float32(1.5)):
            z = jr.DeviceArray.of(np.zeros(1))
            jr.Kernel(source, "q", {"COUNT": given})(1, 1, (z,))
            self.assertEqual(z.numpy()[0], float(given))
        for given, words in (([1], "neither a number nor a text"), (float("inf"), "C has no literal"), (float("nan"), "C has no literal")):
            self.assertRaisesRegex((TypeError, ValueError), words, jr.Kernel, source, "q", {"COUNT": given})

    def test_a_number_that_the_type_in_the_source_does_not_hold_is_an_error(self):
        kernel, y = jr.Kernel(TYPED), jr.DeviceArray(4, "float64")
        fine = (y, 2**32 - 1, -2**63, -2**15, 255, 2**64 - 1)
        kernel(1, 1, fine)
        self.same(y.numpy(), np.array([2.0**32 - 1, -2.0**63, -2.0**15, 255]))
        for at, wrong, words in ((1, -1, r"^argument 2 is -1: the parameter `unsigned n` does not hold it, only 0 to 4294967295"), (2, 2**63, "`long long l`"),
                                 (3, 40000, "`const short s` does not hold it, only -32768 to 32767"), (4, -1, "`unsigned char c`"), (5, np.int64(-1), "`size_t`")):
            self.refused(jr.InvalidArgumentError, words, lambda: kernel(1, 1, (*fine[:at], wrong, *fine[at + 1:])))  # pylint: disable=cell-var-from-loop

    def test_a_launch_by_brackets_says_how_it_is_written(self):
        self.refused(TypeError, r"kernel\(1, 32, \(x, n\)\)", lambda: jr.Kernel(TYPED)[1, 32])


FAULT = """
    import jitreduce as jr
    y = jr.DeviceArray(4, "float32")
    jr.Kernel('''extern "C" __global__ void far(float *y) { y[100000] = 1; }''', name="far.cu")(1, 1, (y,))
    """


class Faults(unittest.TestCase):
    """When a kernel's fault is raised."""

    def test_synchronize_raises_it_and_the_context_can_be_printed(self):
        code, out, err = ran(FAULT + """
    try:
        jr.default_context().synchronize()
    except jr.DeviceFaultError as error:
        print(str(error).splitlines()[0])
    print(jr.default_context())
    """)
        self.assertEqual((code, err), (0, ""))
        self.assertRegex(out, "far.cu:1.*\n<jitreduce.Context on ")

    def test_one_that_no_call_raised_is_written_when_the_interpreter_ends(self):
        code, out, err = ran(FAULT)
        self.assertEqual((code, out), (0, ""))
        self.assertRegex(err, "^jitreduce: a kernel ended with an error that no call raised: .*far.cu:1")
        self.assertEqual(ran(FAULT.replace("[100000]", "[1]")), (0, "", ""))


class Parameters(Refusals):
    """Numbers that nothing names, or that are none."""

    def test_parameters_without_an_expression_are_an_error(self):
        mask = x > 2
        for call in (lambda: jr.sum(x, parameters={"q": 1}), lambda: jr.sum(x, where=mask, parameters={"q": 1}), lambda: jr.Reduction("sum", parameters={"q": 1})(x),
                     lambda: jr.group_by(x, x, parameters={"q": 1}), lambda: jr.Plan("sum", jr.DeviceArray.of(x), parameters={"q": 1})):
            self.refused(ValueError, r"^parameters={'q': 1}: no expression is given", call)
        self.refused(TypeError, "unknown argument 'parameters'", lambda: jr.cumulative_sum(x, parameters={"q": 1}))
        self.assertEqual(jr.sum(x, where="x > q", parameters={"q": 1}), 14)

    def test_a_number_that_is_none_has_its_arguments_name(self):
        self.refused(TypeError, r"^parameters\['q'\]='3' is not a number", lambda: jr.sum(x, where="x > q", parameters={"q": "3"}))
        self.refused(TypeError, "^initial='3' is not a number", lambda: jr.sum(x, initial="3"))
        self.refused(OverflowError, "^initial=300 does not fit into uint8", lambda: jr.max(np.ones(2, "u1"), initial=300))


class Advice(Refusals):
    """What to write instead."""

    def test_arguments_that_a_scan_lacks_have_another_way(self):
        for name in ("keys", "offsets", "where", "initial", "parameters"):
            self.refused(TypeError, rf"'{name}': jitreduce.scan\(x, 'sum', {name}=...\) takes it", lambda: jr.cumulative_sum(x, **{name: 1}))  # pylint: disable=cell-var-from-loop
        self.refused(TypeError, r"jitreduce.scan\(x, 'prod', where=...\)", lambda: jr.cumulative_prod(x, where="x > 1"))

    def test_names_that_are_not_here_are_not_taken_for_others(self):
        for name, words in (("median", "numpy.median"), ("percentile", "numpy.percentile"), ("nan", r"float\('nan'\)"), ("inf", r"float\('inf'\)"), ("array", r"DeviceArray.of\(x\)")):
            self.refused(AttributeError, f"no attribute '{name}': .*{words}", lambda: getattr(jr, name))  # pylint: disable=cell-var-from-loop
        d = jr.DeviceArray.of(x)
        for made in (lambda: jr.Plan("sum", d, dtype="f4"), lambda: jr.Reduction("sum", dtype="f4")):
            self.refused(TypeError, "'dtype': did you mean 'result'", made)
        self.refused(TypeError, r"'correction': a Reduction has it, jitreduce.Reduction\(\"var\", correction=...\)", lambda: jr.reduce(x, ("var",), correction=1))

    def test_a_mask_of_another_shape_is_broadcast_only_where_it_can_be(self):
        self.assertEqual((jr.sum(x, where=np.array([True])), jr.sum(x, where=[False])), (np.sum(x), 0))
        for mask in (np.ones(4, bool), np.ones((1, len(x)), bool)):
            self.refused(ValueError, r"where has shape \(.*\), which cannot be broadcast to that of the array, \(6,\)", lambda: jr.sum(x, where=mask))  # pylint: disable=cell-var-from-loop

    def test_several_operators_of_no_elements_name_a_way_out(self):
        self.refused(jr.EmptyInputError, r"^zero-size array to reduction operation min which has no identity: x has shape \(0,\); .*jitreduce.min\(x, initial=...\)", lambda: jr.reduce(x[:0], ("sum", "min")))
        self.refused(jr.EmptyInputError, r"^attempt to get argmax of an empty sequence: x has shape \(0,\); omit argmax", lambda: jr.reduce(x[:0], ("sum", "argmax")))

    def test_bytes_that_are_no_state_are_named(self):
        self.refused(jr.StateError, "^data: the first bytes", lambda: jr.ExactState.from_bytes(b"a" * 300))
