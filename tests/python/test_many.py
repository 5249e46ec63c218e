"""Many arrays in one launch: against NumPy in float64, in host and in device memory."""

import math
import types
import unittest

import jitreduce
import numpy

from producers import ALL, made

many = jitreduce.many
LENGTHS = (0, 1, 7, 100, 1024, 4097, 20000)


class Many(unittest.TestCase):
    def setUp(self):
        self.random = numpy.random.default_rng(44)

    def arrays(self, kinds, lengths=LENGTHS):
        return [self.random.standard_normal(length).astype(kinds[i % len(kinds)]) for i, length in enumerate(lengths)]

    def test_norms_of_each_and_of_all_are_numpys(self):
        for kinds, dtype in ((("f4",), "f4"), (("f4", "f2"), "f4"), (("f2",), "f4"), (("f8", "f2", "f4"), "f8")):
            arrays = self.arrays(kinds)
            for ord in (1, 2, math.inf):
                with self.subTest(kinds=kinds, ord=ord):
                    found = many.norm(arrays, ord)
                    wanted = [numpy.linalg.norm(x.astype("f8"), ord) if x.size else 0 for x in arrays]
                    self.assertEqual((found.each.dtype, found.total.dtype, found.total.shape), (numpy.dtype(dtype), numpy.dtype(dtype), ()))
                    numpy.testing.assert_allclose(found.each, wanted, rtol=2e-6)
                    numpy.testing.assert_allclose(found.total, numpy.linalg.norm(wanted, ord), rtol=2e-6)

    def test_arrays_of_a_device_give_arrays_of_their_class(self):
        hosts = self.arrays(("f4",), (0, 5, 5000))
        wanted = [numpy.linalg.norm(x.astype("f8")) for x in hosts]
        for kind in ALL:
            with self.subTest(kind=kind.__name__):
                arrays = [made(kind, x) for x in hosts]
                found = many.norm(arrays)
                if hasattr(found.each, "numpy"):
                    numpy.testing.assert_allclose(found.each.numpy(), wanted, rtol=2e-6)
                    numpy.testing.assert_allclose(found.total.numpy(), numpy.linalg.norm(wanted), rtol=2e-6)
                self.assertEqual((found.each.shape, found.total.shape), ((3,), ()))
                self.assertEqual(type(found.each), type(jitreduce.sum(arrays[2].reshape(50, 100) if kind is jitreduce.DeviceArray else arrays[2])))

    def test_the_same_addresses_with_other_elements_have_other_results(self):
        x, y = (jitreduce.DeviceArray.of(numpy.full(10, 2, "f4")) for _ in range(2))
        self.assertEqual(many.reduce([x, y]).total.item(), 40)
        x.write(numpy.full(10, 3, "f4"))
        self.assertEqual(many.reduce([x, y]).total.item(), 50)

    def test_a_plan_runs_again_on_what_the_arrays_have_then(self):
        x, y = jitreduce.DeviceArray.of(numpy.ones(5000, "f4")), jitreduce.DeviceArray.of(numpy.ones(3, "f2"))
        plan = many.Plan([x, y], ("sum", "max"), expression="x + all1 * k", parameters={"k": 2}, counts=False)
        for times in (1, 3, 9):
            found = plan.run()
            self.assertIs(found, plan.results)
            self.assertEqual([float(total.item()) for total in found.total], [5003 * times, times])
        self.assertEqual((x.numpy().tolist(), y.numpy().tolist()), ([27] * 5000, [27] * 3))
        with self.assertRaisesRegex(ValueError, "a plan needs arrays in device memory"):
            many.Plan([numpy.ones(3)])

    def test_several_operators_and_counts_stand_side_by_side(self):
        arrays = [numpy.array([1, numpy.nan, 3], "f4"), numpy.array([numpy.inf, 7], "f2")]
        for there in (arrays, [jitreduce.DeviceArray.of(x) for x in arrays]):
            found = many.reduce(there, ("min", "sum"), where="isfinite(x)", counts=True)
            each = [x.numpy() if hasattr(x, "numpy") else x for x in found.each]
            self.assertEqual([x.tolist() for x in each], [[1, 7], [4, 7], [2, 1]])
            self.assertEqual([float(x) for x in found.total], [1, 11, 3])

    def test_integers_have_one_type_and_an_index(self):
        found = many.reduce([numpy.arange(5), numpy.arange(3)], jitreduce.Reduction("sum", map="x * i"))
        self.assertEqual((found.each.tolist(), int(found.total)), ([30, 5], 35))
        with self.assertRaisesRegex(TypeError, "arrays of float32, int64: floats of 16 to 64 bits may be mixed"):
            many.reduce([numpy.arange(3), numpy.ones(3, "f4")])

    def test_no_arrays_have_the_result_of_no_elements(self):
        found = many.reduce([])
        self.assertEqual((list(found.each), found.total), ([], 0))

    def test_elements_are_replaced_by_an_expression_of_the_results(self):
        x, y = numpy.array([[1, 2], [3, 4]], "f4"), numpy.asfortranarray(numpy.array([[5, 6]], "f8"))
        found = many.apply_([x, y], "(x - all0) / (all1 - all0) + k * (r1 - r1)", ("min", "max"), parameters={"k": 2})
        self.assertEqual([list(map(float, each)) for each in found.each], [[1, 5], [4, 6]])
        numpy.testing.assert_allclose(x, [[0, 0.2], [0.4, 0.6]], rtol=1e-6)
        numpy.testing.assert_allclose(y, [[0.8, 1]], rtol=1e-15)

    def test_what_cannot_be_taken_is_named(self):
        x = numpy.ones((4, 4), "f4")
        with self.assertRaisesRegex(ValueError, r"arrays\[1\] has gaps"):
            many.norm([x, x[:, ::2]])
        with self.assertRaisesRegex(ValueError, r"arrays\[1\] is on another device"):
            many.norm([x, jitreduce.DeviceArray.of(x)])
        with self.assertRaisesRegex(TypeError, r"arrays\[0\], of str"):
            many.norm(["x"])
        with self.assertRaisesRegex(ValueError, "ord=3: must be 1, 2 or infinity"):
            many.norm([x], 3)
        with self.assertRaisesRegex(ValueError, "stream: only for arrays in device memory"):
            many.norm([x], stream=1)
        frozen = x.copy()
        frozen.flags.writeable = False
        with self.assertRaisesRegex(ValueError, r"arrays\[1\] is read-only"):
            many.apply_([x, frozen], "2 * x")
        self.assertEqual(many.norm([frozen]).total, 4)


class ClipGradNorm(unittest.TestCase):
    def test_gradients_are_scaled_as_torch_says(self):
        random = numpy.random.default_rng(1)
        for norm_type in (1, 2.0, math.inf):
            gradients = [random.standard_normal(n).astype("f4") for n in (3, 1000, 5000)]
            before = [g.copy() for g in gradients]
            total = many.clip_grad_norm_(gradients, 0.5, norm_type)
            numpy.testing.assert_allclose(total, numpy.linalg.norm(numpy.concatenate(before).astype("f8"), norm_type), rtol=2e-6)
            by = min(numpy.float32(0.5) / (numpy.float32(total) + numpy.float32(1e-6)), numpy.float32(1))
            for g, b in zip(gradients, before):
                numpy.testing.assert_array_equal(g, b * by)

    def test_small_gradients_stay(self):
        g = numpy.array([3, 4], "f4")
        self.assertEqual(many.clip_grad_norm_([g], 5.1), 5)
        self.assertEqual(g.tolist(), [3, 4])

    def test_parameters_without_gradient_are_passed_over(self):
        g = numpy.array([3.0, 4.0])
        one, none = types.SimpleNamespace(grad=g), types.SimpleNamespace(grad=None)
        self.assertEqual(many.clip_grad_norm_([none, one], 1), 5)
        self.assertEqual(many.clip_grad_norm_(one, 100.0), numpy.linalg.norm(g))
        self.assertEqual(float(many.clip_grad_norm_([none], 1)), 0)

    def test_a_norm_that_is_not_finite_scales_unless_it_is_an_error(self):
        for value in (math.nan, math.inf):
            g, other = numpy.array([value, 1]), numpy.array([2.0])
            with self.assertRaisesRegex(RuntimeError, "is not finite, so they are not scaled"):
                many.clip_grad_norm_([g, other], 1, error_if_nonfinite=True)
            self.assertEqual(other[0], 2)
            self.assertFalse(math.isfinite(many.clip_grad_norm_([g, other], 1)))
            numpy.testing.assert_array_equal(other, numpy.nan if math.isnan(value) else 0.0)
        g = numpy.array([3.0, 4.0])
        self.assertEqual(many.clip_grad_norm_([g], 1, error_if_nonfinite=True), 5)
        numpy.testing.assert_allclose(g, [0.6, 0.8], rtol=1e-6)

    def test_wrong_norms_are_named(self):
        for wrong in ("1", None, True, [1]):
            with self.assertRaisesRegex(TypeError, "max_norm="):
                many.clip_grad_norm_([numpy.ones(2)], wrong)


if __name__ == "__main__":
    unittest.main()
