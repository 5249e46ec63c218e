"""What was judged, and how it came out."""

import random


class Score:
    """Counts, and says what failed."""

    def __init__(self):
        self.passed = self.failed = self.skipped = self.not_applicable = 0

    def note(self, name, good, detail):
        self.passed += good
        self.failed += not good
        if not good:
            print(f"failed {name}: {detail}")

    def skip(self, name, why):
        self.skipped += 1
        print(f"skipped {name}: {why}")


def judge_commands(judge, seed, count):
    """Judges so many random commands: judge(random) is None, or says how one disagrees."""
    wrong = 0
    for i in range(count):
        found = judge(random.Random(seed * 1000003 + i))
        if found is not None:
            wrong += 1
            print(f"seed {seed}, {i}:", *map(repr, found))
    print(f"{count - wrong} of {count} commands agree")
