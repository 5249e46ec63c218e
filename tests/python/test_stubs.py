"""The type stubs name what the package has: functions with their parameters, classes with their bases and methods."""

import ast
import inspect
import pydoc
import re
import unittest
from pathlib import Path

import jitreduce as jr
from jitreduce import _types

CALLS = {}  # a name of the stub -> the forms in which it is called
TREE = ast.parse(Path(jr.__file__).with_suffix(".pyi").read_text())


for node in TREE.body:
    if isinstance(node, ast.FunctionDef):
        CALLS.setdefault(node.name, []).append(node)
    elif isinstance(node, ast.AnnAssign) and isinstance(node.annotation, ast.Name) and node.annotation.id.startswith("_"):
        CALLS[node.target.id] = [form for one in TREE.body if getattr(one, "name", "") == node.annotation.id for form in one.body]
FORMS = [form for forms in CALLS.values() for form in forms]


def parameters(function):
    """(name, kind) of a function's parameters in a stub; `value` is one of the options."""
    args = function.args
    args.posonlyargs = [arg for arg in args.posonlyargs if function.name != "__call__" or arg.arg != "self" or function not in FORMS]
    args.kwonlyargs = [arg for arg in args.kwonlyargs if arg.arg != "value"]
    return ([(arg.arg, "positional-only") for arg in args.posonlyargs]
            + [(arg.arg, "positional or keyword") for arg in args.args]
            + ([(args.vararg.arg, "variadic positional")] if args.vararg else [])
            + [(arg.arg, "keyword-only") for arg in args.kwonlyargs]
            + ([(args.kwarg.arg, "variadic keyword")] if args.kwarg else []))


def real_parameters(function):
    """The same of a function that runs."""
    return [(name, "positional-only" if p.kind is p.POSITIONAL_ONLY else p.kind.description.replace(" only", "-only"))
            for name, p in inspect.signature(function).parameters.items()]


class Types(unittest.TestCase):
    """The package's table of types has those of the library."""

    def test_every_type_of_the_library_has_a_name_and_its_class(self):
        header = (Path(__file__).parents[2] / "include" / "jitreduce" / "types.h").read_text()
        kinds = re.findall(r'"(\w+)"', re.search(r"#define JR_TYPES\(XX\)(.*?)\n\n", header, re.S)[1])
        self.assertEqual(set(kinds), set(_types.ITEM_BYTES))
        self.assertEqual({kind for kind in kinds if kind[0] not in "iu" and kind != "bool"}, {kind for kind in kinds if _types.is_float(kind)})


class Stubs(unittest.TestCase):
    """What the stub says is there, and nothing else."""

    def test_all_public_names_are_in_the_stub(self):
        named = {node.name for node in TREE.body if isinstance(node, ast.ClassDef)} | CALLS.keys()
        self.assertEqual({name for name in named if not name.startswith("_")}, set(jr.__all__))

    def test_functions_have_the_parameters_of_the_stub(self):
        for name, forms in CALLS.items():
            for form in forms:
                self.assertEqual(parameters(form), real_parameters(getattr(jr, name)), name)

    def test_classes_have_the_methods_and_bases_of_the_stub(self):
        for node in TREE.body:
            if not isinstance(node, ast.ClassDef) or node.name.startswith("_"):
                continue
            for method in node.body:
                if isinstance(method, ast.FunctionDef):
                    real = inspect.getattr_static(getattr(jr, node.name), method.name)
                    real = getattr(real, "__func__", None) or getattr(real, "fget", None) or real
                    self.assertEqual(parameters(method), real_parameters(real), f"{node.name}.{method.name}")
            bases = [base.id for base in node.bases]
            self.assertEqual(bases or ["object"], [base.__name__ for base in getattr(jr, node.name).__bases__])

    def test_docstrings_name_every_argument(self):
        options = {node.target.id for name in ("_Options", "_Tuning") for node in ast.walk(next(node for node in TREE.body if getattr(node, "name", "") == name))
                   if isinstance(node, ast.AnnAssign)} | {"value"}
        self.assertEqual(options, set(jr._documented.OPTIONS))
        for name, (form, *_) in CALLS.items():
            function = getattr(jr, name)
            if name == "set_default_context":
                continue  # of one argument, which the sentence names
            names = {*[name for name, _ in parameters(form)], *(options if form.args.kwarg else ())} - {"options", "x", "y"}
            for word in names - set(jr._documented._REFUSED.get(inspect.unwrap(function).__code__, ()) if form.args.kwarg else ()):
                self.assertRegex(function.__doc__, rf"\b{word}\b", f"{name} does not describe {word}")
        for node in TREE.body:
            if isinstance(node, ast.ClassDef) and node.name in jr.__all__ and not node.name.endswith("Error") and node.name != "Graph":
                for name in {name for method in node.body if getattr(method, "name", "") == "__init__" for name, _ in parameters(method)} - {"self", "members", "x", "y"}:
                    self.assertRegex(getattr(jr, node.name).__doc__, rf"\b{name}\b", f"{node.name} does not describe {name}")

    def test_help_begins_with_name_and_signature(self):
        for name in ("sum", "argmax", "dot", "group_by"):
            text = pydoc.plain(pydoc.render_doc(getattr(jr, name)))
            self.assertRegex(text, rf"\n\n{name}\(\w+, .*\*\*options\)")

    def test_every_public_thing_has_a_docstring(self):
        for name in jr.__all__:
            self.assertTrue(getattr(jr, name).__doc__, name)
