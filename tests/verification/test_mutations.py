"""How many small faults in statistics, ratings, verdicts, rules and the judging of baselines do the tests notice?

Run by name: `pytest tests/verification/test_mutations.py -s` prints the score, the faults that no test noticed, and the
branches that no test takes.  `python -m tests.verification.mutating` has another number of faults tried.
"""

from __future__ import annotations

import json
import subprocess
import sys

from tests.toy import ROOT, environment

TRIED, LEAST = 60, 0.7
"""Number of faults, and the part of them that has to be noticed: two standard errors below the four in five that larger
samples found, as any change of the code draws other faults."""


def test_most_small_faults_are_noticed() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.verification.mutating", str(TRIED)],
        cwd=ROOT,
        env=environment(),
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    found = json.loads(done.stdout)
    noticed = 1 - len(found["survived"]) / found["tried"]
    print(f"{noticed:.1%} of {found['tried']} faults noticed, drawn from {found['mutants']:,}; not noticed:")
    print("\n".join(found["survived"]))
    print("branches that no test takes:")
    print("\n".join(found["never_ran"]))
    assert found["tried"] == TRIED
    assert noticed >= LEAST
