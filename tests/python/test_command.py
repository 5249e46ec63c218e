"""`python -m jitreduce` is the command."""

import subprocess
import sys
import unittest


class Command(unittest.TestCase):
    """What it prints, and its exit code."""

    def run_command(self, *words, text=""):
        """Runs the command with text on its standard input."""
        return subprocess.run([sys.executable, "-m", "jitreduce", *words], input=text, capture_output=True, text=True,
                              check=False)

    def test_it_reduces(self):
        done = self.run_command("--device", "sim", "--op", "max", text="3 1 4\n")
        self.assertEqual((done.stdout, done.returncode), ("4\n", 0), done.stderr)

    def test_its_exit_code_is_the_commands(self):
        done = self.run_command("--op", "nothing")
        self.assertEqual((done.stdout, done.returncode), ("", 2))
