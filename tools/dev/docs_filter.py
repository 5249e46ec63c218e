#!/usr/bin/env python3
"""Prints a public header as Doxygen reads it.

A header becomes a group, and its first comment the group's text. The items of a function's comment (arguments, Returns, Owns,
...) become Doxygen's commands. Functions that share a comment get one each, with their own arguments. jitreduce.h becomes
the front page and the list of groups in reading order.
usage: docs_filter.py HEADER
"""

import re
import sys
from pathlib import Path

ITEM = re.compile(r"([a-z_0-9]+(?:, [a-z_0-9]+)*|Returns|Owns|Threads|Errors|Since): (.*)", re.DOTALL)
DECLARED = re.compile(r"(?:JR_API|static inline) [^;{]*[;{]")
THE_OBJECT = "the object that the function works on; must not be NULL"


def text_of(comment):
    """The lines of a comment without its signs."""
    lines = comment.strip()[2:-2].split("\n")
    return [lines[0].strip()] + [re.sub(r"^ *\* ?", "", line).rstrip() for line in lines[1:]]


def escaped(line):
    """A line of text without signs that Doxygen would take for its own, which it does not within quotes."""
    line = re.sub(r'"[^"\n]*"|[\\@#<>]', lambda found: found[0] if found[0][0] == '"' else "\\" + found[0], line)
    return re.sub(r"\*([a-z]+)\*", r"<em>\1</em>", line)


def paragraphs(lines):
    """Text for Doxygen: indented lines are shown as they are."""
    out, shown = [], False
    for line in lines:
        indented = bool(re.match(r"   |  \d\. ", line)) or (shown and not line)
        if indented != shown:
            out.append("@verbatim" if indented else "@endverbatim")
        shown = indented
        if line.startswith("Manual: "):
            line = re.sub(r"([a-z_]+)\.md", r"@ref manual_\1", line.removeprefix("Manual: "))
            out += ["", "@par Manual", line, ""]
        else:
            out.append(line if shown else escaped(line))
    return out + (["@endverbatim"] if shown else [])


def block(lines):
    """A comment of Doxygen's; what is shown as it is has no stars, which Doxygen would show."""
    out, shown = ["/**"], False
    for line in lines:
        shown = shown and line != "@endverbatim"
        out.append(line if shown or line == "@endverbatim" else (" * " + line).rstrip())
        shown = shown or line == "@verbatim"
    return "\n".join([*out, " */"])


def items_of(lines):
    """(name, text) of each item, its further lines joined; name None: a line of ordinary text."""
    items = []
    for line in lines:
        found = ITEM.fullmatch(line)
        if found:
            items.append([found[1], found[2]])
        elif items and items[-1][0] and line.startswith("  "):
            items[-1][1] += " " + line.strip()
        else:
            items.append([None, line])
    return items


def arguments_of(declaration):
    """The names of a function's arguments."""
    inside = declaration[declaration.index("(") + 1:declaration.rindex(")")]
    return [] if inside.strip() == "void" else [re.search(r"(\w+)\W*$", part)[1] for part in inside.split(",")]


def function_comment(lines, declaration):
    """The comment of one function, as Doxygen's commands."""
    arguments, out, said, plain = arguments_of(declaration), [], set(), []
    for name, text in items_of(lines):
        if name is None:
            plain.append(text)
            continue
        out, plain = out + paragraphs(plain), []
        if name in ("Owns", "Threads", "Errors"):
            out += [f"@par {name}", escaped(text)]
        elif name in ("Returns", "Since"):
            out.append(f"@{ {'Returns': 'return', 'Since': 'since'}[name]} {escaped(text)}")
            said.add(name)
        else:
            own = [word for word in name.split(", ") if word in arguments]
            if own:
                out.append(f"@param {','.join(own)} {escaped(text)}")
            said.update(own)
    if arguments and arguments[0] not in said:  # before the other arguments
        first = next((i for i, line in enumerate(out) if line.startswith("@param")), len(out))
        out.insert(first, f"@param {arguments[0]} {THE_OBJECT}")
    if "JR_API jr_status " in declaration:
        out.append("@return JR_OK, or one of the errors")
    return block(out)


def members(code):
    """Code whose comments after a member, a value or a constant are theirs, and those before one, too."""
    code = re.sub(r"(?ms)^( +)/\* (.*?\*/)", lambda found: f"{found[1]}/** {escaped(found[2])}", code)
    return re.sub(r"(?ms)^(?! *(?:/|\*))([^\n]*\S) +/\* (.*?\*/)", lambda found: f"{found[1]} /**< {escaped(found[2])}", code)


def front_page(header):
    """jitreduce.h: the front page and the groups."""
    comment = header[:header.index("*/") + 2]
    parts = re.findall(r'#include "jitreduce/(\w+)\.h" +/\* (.*?) \*/', header)
    parts.append(("mpi", "groups over MPI, compiled by the caller's mpicc"))
    page = ["@mainpage", "", *paragraphs(text_of(comment)), "", "The parts in reading order:"]
    page += [f"- @ref part_{name} \"{name}.h\": {text}" for name, text in parts]
    page += ["", "The manual is among the related pages; @ref manual_reduce is a good start."]
    groups = [block([f"@defgroup part_{name} {name}.h: {text}"]) for name, text in parts]
    return "\n".join([block(["@file", "All parts of the library."]), block(page), *groups, header[len(comment):]])


def part(name, header):
    """Any other header: a group."""
    group, out, at = f"part_{name}", [], 0
    for found in re.finditer(r"(?ms)^/\* .*?\*/\n", header):
        out.append(members(header[at:found.start()]))
        at, lines = found.end(), text_of(found[0])
        follows = header[at:]
        if found.start() == 0:
            out += [block(["@file", escaped(lines[0])]), "\n", block([f"@addtogroup {group}", *paragraphs(lines), "@{"]), "\n"]
        elif DECLARED.match(follows):
            while declared := DECLARED.match(header[at:]):
                out += [function_comment(lines, declared[0]), "\n", declared[0], "\n"]
                at += declared.end() + (header[at + declared.end()] == "\n")
        elif follows.startswith("\n"):
            if not lines[0].startswith("----"):
                out += ["/** @} */\n", block([f"@addtogroup {group}", "@details", *paragraphs(lines), "@{"]), "\n"]
        else:
            out += [block(paragraphs(lines)), "\n"]
    return "".join([*out, members(header[at:]), "/** @} */\n"])


def main():
    """Prints the header of the first argument."""
    path = Path(sys.argv[1])
    header = path.read_text(encoding="utf-8")
    print(front_page(header) if path.stem == "jitreduce" else part(path.stem, header))


if __name__ == "__main__":
    main()
