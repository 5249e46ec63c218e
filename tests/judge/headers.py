"""The public headers, read as ctypes: enumerations, structs and constants as they stand in include/jitreduce."""

import ctypes
import re
from pathlib import Path

NUMBERS = {"int": ctypes.c_int, "double": ctypes.c_double, "float": ctypes.c_float, "char": ctypes.c_char,
           "unsigned": ctypes.c_uint, "unsigned char": ctypes.c_uint8, "size_t": ctypes.c_size_t}
NUMBERS.update({f"{sign}int{bits}_t": getattr(ctypes, f"c_{sign}int{bits}")
                for sign in ("", "u") for bits in (8, 16, 32, 64)})


class Sized(ctypes.Structure):
    """A struct that begins with its size, which it knows by itself."""

    def __init__(self, *values, **named):
        super().__init__(ctypes.sizeof(self), *values, **named)


class Headers:
    """names: {"JR_TYPES": {"i32": 1, ...}}; constants: {"JR_INPUTS_MAX": 4}; structs: {"jr_spec": class}."""

    def __init__(self, folder):
        self.names, self.constants, self.structs = {}, {}, {}
        self.types = dict(NUMBERS)
        texts = {path.name: re.sub(r"/\*.*?\*/", "", path.read_text(), flags=re.S) for path in Path(folder).glob("*.h")}
        for text in texts.values():
            self._read_lists(text)
            self._read_enumerations(text)
        pending = [found for text in texts.values()
                   for found in re.finditer(r"typedef struct (\w+) \{(.*?)\n\} \1;", text, flags=re.S)]
        while pending:  # in the order in which they hold each other
            left = [found for found in pending if not self._read_struct(found[1], found[2])]
            if len(left) == len(pending):
                raise ValueError("structs of an unknown type: " + ", ".join(found[1] for found in left))
            pending = left

    def _read_lists(self, text):
        for found in re.finditer(r"#define (JR_\w+)\(XX\)((?:[^\n]*\\\n)+[^\n]*)", text):
            rows = re.findall(r'XX\((\w+), (-?\d+), "([^"]*)"\)', found[2])
            named = found[1] != "JR_STATUSES"
            self.names[found[1]] = {row[2] if named else row[0]: int(row[1]) for row in rows}

    def _read_enumerations(self, text):
        for found in re.finditer(r"enum (\w* ?)\{([^}]*)\}\s*(\w*);", text):
            for name, value in re.findall(r"(\w+) = (-?\d+)", found[2]):
                self.constants[name] = int(value)
            if found[3]:
                self.types[found[3]] = ctypes.c_int
        for found in re.finditer(r"typedef [^;{]*\*(\w+)(?:;|\)\()", text):  # to data, and to functions
            self.types[found[1]] = ctypes.c_void_p

    def _read_struct(self, name, body):
        fields = []
        for member in re.sub(r"union \{.*?\} as;", "jr_value_union as;", body, flags=re.S).split(";"):
            if member.strip():
                parsed = self._read_member(" ".join(member.split()))
                if parsed is None:
                    return False
                fields += parsed
        kind = type(name, (Sized if fields[0][0] == "size" else ctypes.Structure,), {"_fields_": fields})
        self.structs[name] = self.types[name] = kind
        return True

    def _read_member(self, text):
        """Returns [(name, type), ...] of one declaration, None when its type is not known yet."""
        if "(*" in text:
            return [(re.search(r"\(\*(\w+)\)", text)[1], ctypes.c_void_p)]
        found = re.match(r"(?:const )?(?:struct )?((?:unsigned char)|\w+) ?(.*)", text)
        base, fields = found[1], []
        for declarator in found[2].split(","):
            pointer, name, length = re.match(r" ?((?:\*(?:const)? ?)*)(\w+)(?:\[(.*)\])?$", declarator).groups()
            kind = self.types.get(base) if base != "jr_value_union" else self._value_union()
            if pointer:
                kind = ctypes.c_char_p if base == "char" and pointer.count("*") == 1 else ctypes.c_void_p
            if kind is None:
                return None
            if length:
                kind = kind * eval(length, {}, self.constants)  # "JR_INPUTS_MAX - 1"
            fields.append((name, kind))
        return fields

    def _value_union(self):
        members = [("bytes", ctypes.c_uint8 * self.constants["JR_STRUCT_BYTES_MAX"]), ("i64", ctypes.c_int64),
                   ("f64", ctypes.c_double)]
        return type("jr_value_union", (ctypes.Union,), {"_fields_": members})
