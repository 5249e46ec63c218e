"""Reductions by their names are functions to all who look at them: inspect, pydoc, pickle, weakref, copy."""

import copy
import inspect
import pickle
import pydoc
import unittest
import weakref

import jitreduce as jr
from jitreduce import _functions


class Functions(unittest.TestCase):
    """What Python asks of functions, besides to call them."""

    def test_weak_references_may_be_made_of_them(self):
        for name in _functions.QUICK:
            function = getattr(jr, name)
            self.assertIs(weakref.ref(function)(), function)
            self.assertEqual(weakref.WeakKeyDictionary({function: 3})[function], 3)

    def test_a_weak_reference_tells_that_its_function_is_gone(self):
        made, told = type(jr.sum)(len, len), []
        weak = weakref.ref(made, told.append)
        del made
        self.assertIsNone(weak())
        self.assertEqual(told, [weak])

    def test_they_have_the_members_of_functions(self):
        for name in _functions.QUICK:
            function, own = getattr(jr, name), getattr(_functions, name)
            self.assertEqual((function.__name__, function.__qualname__, function.__module__, function.__doc__),
                             (name, name, "jitreduce", own.__doc__))
            self.assertEqual(inspect.signature(function), inspect.signature(own))

    def test_pickle_and_copy_give_the_same_object(self):
        for name in _functions.QUICK:
            function = getattr(jr, name)
            for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
                self.assertIs(pickle.loads(pickle.dumps(function, protocol)), function)
            self.assertIs(copy.deepcopy(function), function)

    def test_help_shows_signature_and_text(self):
        for name in _functions.QUICK:
            function = getattr(jr, name)
            self.assertTrue(inspect.isroutine(function))
            page, own = (pydoc.render_doc(one).split("\n") for one in (function, getattr(_functions, name)))
            self.assertEqual(pydoc.plain(page[0]), f"Python Library Documentation: function {name} in module jitreduce")
            self.assertEqual(page[1:], own[1:])
            self.assertTrue(inspect.isfunction(function))
            self.assertIn(f"def {name}(x, /", inspect.getsource(function))

    def test_a_member_of_a_class_is_not_bound(self):
        class Holder:
            """Has one."""
            total = jr.sum
        self.assertIs(Holder().total, jr.sum)
        self.assertIs(Holder.total, jr.sum)
