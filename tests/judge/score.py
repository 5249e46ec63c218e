"""What was judged, and how it came out."""


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
