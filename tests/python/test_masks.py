"""A mask beside every other argument, over every reduction that takes one."""

import itertools

import numpy as np

import jitreduce as jr
from test_reductions import Judged, sample

X = np.array([[3, -1, 4], [1, -5, 9]], "f4")
MASK = np.array([[True, False, True], [False, True, False]])
WITH_INITIAL = ("sum", "prod", "min", "max")


class Masks(Judged):
    """Masks are inputs of their own, which expressions do not see."""

    def test_a_mask_and_an_initial_value_are_taken_together(self):
        for name, axis in sample([*itertools.product(WITH_INITIAL, (None, 0, 1, (0, 1)))], 0, 3):
            theirs = getattr(np, name)(X, axis=axis, where=MASK, initial=-2)
            with self.subTest(name=name, axis=axis):
                self.same(getattr(jr, name)(X, axis=axis, where=MASK, initial=-2), theirs)
                self.same(getattr(jr, name)(jr.DeviceArray.of(X), axis=axis, where=jr.DeviceArray.of(MASK), initial=-2).numpy(), np.asarray(theirs))
                out = np.zeros(np.shape(theirs), "f4")
                getattr(jr, name)(X, axis=axis, where=MASK, initial=-2, out=out)
                self.same(out, np.asarray(theirs))

    def test_an_initial_value_is_the_result_where_the_mask_has_nothing(self):
        for name in WITH_INITIAL:
            self.same(getattr(jr, name)(X, where=np.zeros_like(MASK), initial=7), np.float32(7))

    def test_keys_take_a_mask_and_an_initial_value(self):
        keys = np.array([1, 1, 1, 2, 2, 2])
        for turn, name in enumerate(WITH_INITIAL):
            theirs = getattr(np, name)(X, axis=1, where=MASK, initial=-2)
            for by in sample((jr.group_by, jr.reduce_by_key), turn, 2):
                self.same(by(keys, X.ravel(), op=name, where=MASK.ravel(), initial=-2, unroll=1)[1], theirs)

    def test_plans_take_a_mask_and_an_initial_value(self):
        x, mask = jr.DeviceArray.of(X), jr.DeviceArray.of(MASK)
        for name in WITH_INITIAL:
            self.assertEqual(jr.Plan(name, x, where=mask, initial=-2).value(x, where=mask), getattr(np, name)(X, where=MASK, initial=-2))

    def test_expressions_of_several_arrays_take_an_initial_value(self):
        y, z = X + 1, X.astype("i2")
        squares = jr.Reduction("sum", map="x * y + z")
        self.same(squares(X, y, z, initial=0.5), np.sum(X * y + z, initial=np.float32(0.5)))
        self.same(squares(X, y, z, where=MASK, initial=0.5), np.sum(X * y + z, where=MASK, initial=np.float32(0.5)))
        self.same(jr.Reduction("max", map="x * y")(X, y, axis=0, where=MASK, initial=-1), np.max(X * y, axis=0, where=MASK, initial=-1))
        farthest = jr.Reduction(combine="fabs(a) > fabs(b) ? a : b", identity="0", commutative=True)
        self.same(farthest(X, where=MASK, initial=-4.5), np.float32(-5))
        self.same(farthest(X, where=X == 3, initial=-4.5), np.float32(-4.5))

    def test_a_mask_of_another_shape_is_broadcast_or_named(self):
        for mask, axis in itertools.product((MASK[0], MASK[:, :1], MASK[:1], np.array(True), np.array([[False]])), (None, 0, 1)):
            theirs = np.max(X, axis=axis, where=mask, initial=-9)
            self.same(jr.max(X, axis=axis, where=mask, initial=-9), theirs)
            for _ in range(2):
                self.same(jr.max(jr.DeviceArray.of(X), axis=axis, where=jr.DeviceArray.of(mask), initial=-9).numpy(), np.asarray(theirs))
        for mask in (MASK[:, :2], np.ones((1, 2, 3), bool), MASK.T):
            self.assertRaisesRegex(ValueError, "where has shape .*, which cannot be broadcast to that of the array", jr.max, X, where=mask, initial=0)
