"""Exact sums of generated data, as bits: the table that tests/device/test_exact_bits.c holds every run against, by Python's
fractions (and math.fsum where no sum on the way leaves its range), from nothing of ours.

usage: exact_bits.py > tests/support/oracle/exact_bits.inc
The data are made by integers alone, from splitmix64, as in tests/support/oracle/exact_bits.c: the same bits on any machine.
"""

import math
import struct
from fractions import Fraction

COUNT, SETS = 30011, ("near", "wide", "subnormal", "greatest", "cancelling", "overflowing", "tie", "above", "below", "sorted",
                      "infinite", "minus_zero")
TYPES = {"f16": (10, 30), "bf16": (7, 254), "f32": (23, 254), "f64": (52, 2046)}  # bits of a fraction, greatest exponent field
STRIDE = 7919  # a prime: steps through half of the elements in another order


def stream(seed):
    """splitmix64."""
    mask = 2 ** 64 - 1
    while True:
        seed = seed + 0x9e3779b97f4a7c15 & mask
        z = (seed ^ seed >> 30) * 0xbf58476d1ce4e5b9 & mask
        z = (z ^ z >> 27) * 0x94d049bb133111eb & mask
        yield z ^ z >> 31


def elements(kind, name):
    """The bits of all elements."""
    fraction, most = TYPES[kind]
    sign = (most + 2) << fraction
    one, half_unit, least = most // 2 << fraction, most // 2 - fraction - 1 << fraction, 1
    random = stream(fraction << 8 | SETS.index(name))
    fields = {"near": lambda r: most // 2 - (r >> 52 & 3), "subnormal": lambda r: 0,
              "greatest": lambda r: most - (r >> 52 & 1), "overflowing": lambda r: most - (r >> 52 & 1),
              "minus_zero": lambda r: 0}
    made = []
    for r in (next(random) for _ in range(COUNT)):
        field = fields.get(name, lambda r: (r >> 52 & 0x7ff) % (most - 15))(r)
        made.append((sign if r >> 63 and name != "overflowing" else 0) | field << fraction | r & (1 << fraction) - 1)
    behind = {"cancelling": [one], "overflowing": [one], "tie": [one, half_unit], "above": [one, half_unit, least],
              "below": [one, half_unit, sign | least]}.get(name)
    if behind:
        half = (COUNT - len(behind)) // 2
        made = made[:half] + [made[i * STRIDE % half] ^ sign for i in range(half)] + behind
        made += [0] * (COUNT - len(made))
    if name == "sorted":
        made.sort(key=lambda bits: bits & (sign - 1))
    if name == "infinite":
        made[COUNT // 3] = (most + 1) << fraction
    return [sign] * COUNT if name == "minus_zero" else made


def numbers(kind, data):
    """Finite numbers as sizes with a sign, and the powers of two that they are multiples by."""
    fraction, most = TYPES[kind]
    unit, hidden = -(most // 2) - fraction + 1, 1 << fraction
    for bits in data:
        field, size = bits >> fraction & (most + 1), bits & hidden - 1
        size |= hidden if field else 0
        yield (-size if bits >> fraction & (most + 2) else size), unit + max(field, 1) - 1


def exact_sum(pairs):
    """The sum of sizes times powers of two, as a fraction."""
    sums = {}
    for size, power in pairs:
        sums[power] = sums.get(power, 0) + size
    return Fraction(sum(size << power + 1074 for power, size in sums.items()), 2 ** 1074)


def rounded(exact, kind):
    """The bits of the nearest number to a fraction, of two of the even one."""
    fraction, most = TYPES[kind]
    size, sign = abs(exact), ((most + 2) << fraction if exact < 0 else 0)
    if size == 0:
        return 0
    exponent = size.numerator.bit_length() - size.denominator.bit_length()
    exponent -= Fraction(2) ** exponent > size
    step = Fraction(2) ** (max(exponent, 1 - most // 2) - fraction)
    units = round(size / step)  # Python's round of a half is even
    field = max(exponent + most // 2, 1)
    bits = units + (field - 1 << fraction)
    return sign | min(bits, most + 1 << fraction)


def totals(kind, name):
    """The bits of the exact sum, rounded once to the type, and to f64."""
    results = [TYPES[result] for result in (kind, "f64")]
    if name == "infinite":
        return [most + 1 << fraction for fraction, most in results]
    if name == "minus_zero":
        return [(most + 2) << fraction for fraction, most in results]
    pairs = list(numbers(kind, elements(kind, name)))
    exact = exact_sum(pairs)
    wanted = [rounded(exact, result) for result in (kind, "f64")]
    try:
        other = math.fsum(math.ldexp(size, power) for size, power in pairs)
    except OverflowError:
        return wanted
    assert struct.pack("<d", other) == struct.pack("<Q", wanted[1]), (kind, name)
    return wanted


def table():
    """The lines of the table."""
    return [f"EXACT_BITS({kind}, {name}, {own:#x}, {wide:#x})"
            for kind in TYPES for name in SETS for own, wide in [totals(kind, name)]]


if __name__ == "__main__":
    print("/* Made by tests/judge/exact_bits.py: type, data, and the bits of their sum in the type and in f64. */")
    print("\n".join(table()))
