"""Runs the tests of this folder and says how many were good, bad and left out: run.py SUMMARY [NAME...]."""

import sys
import unittest
from pathlib import Path

from catalog import OPERATIONS


class Tally(unittest.TextTestResult):
    """Counts the good ones too: a failure outside of a test is no test."""

    good = 0

    def addSuccess(self, test):
        super().addSuccess(test)
        self.good += 1


def main(summary, *names):
    loader = unittest.TestLoader()
    suite = loader.loadTestsFromNames(names) if names else loader.discover(str(Path(__file__).parent))
    result = unittest.TextTestRunner(stream=sys.stdout, verbosity=2, resultclass=Tally).run(suite)
    bad = len(result.failures) + len(result.errors) + len(result.unexpectedSuccesses)
    still_open = sum(not operation.served for operation in OPERATIONS.values())
    for test, reason in result.skipped:
        print(f"LEFT OUT: {test.id()}: {reason}")
    print(f"{len(result.skipped)} tests LEFT OUT; the server leaves {still_open} of {len(OPERATIONS)} operations open")
    Path(summary).write_text(f"# pass {result.good}\n# fail {bad}\n# skip {len(result.skipped)}\n")
    return 0 if result.wasSuccessful() and result.good else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
