"""The workflow files of docs/ci, run as far as that goes without their servers: every command but the installation."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from xml.etree import ElementTree

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[3]
HOME = ROOT / "docs/ci"

Job = Callable[[Sequence[str]], subprocess.CompletedProcess[str]]


def github() -> list[str]:
    """Return the commands of GitHub's job, in order."""
    job = yaml.safe_load((HOME / "github-balance.yml").read_text(encoding="utf-8"))["jobs"]["balance"]
    return [step["run"] for step in job["steps"] if "run" in step]


def gitlab() -> list[str]:
    """Return the commands of GitLab's job, in order."""
    job = yaml.safe_load((HOME / "gitlab-balance.yml").read_text(encoding="utf-8"))["balance"]
    return [*job["before_script"], *job["script"]]


@pytest.fixture
def job(tmp_path: Path, measured: Path) -> Job:
    """Run commands in a repository with a baseline, with an `equipoise` that stands for the installed one."""
    (tmp_path / "configs").mkdir()
    (tmp_path / "configs/middle-ages").symlink_to(measured.parents[1])
    tool = tmp_path / "bin/equipoise"
    tool.parent.mkdir()
    tool.write_text(f'#!/bin/sh\nexec {sys.executable} -m equipoise "$@"\n', encoding="utf-8")
    tool.chmod(0o755)
    environment = os.environ | {
        "PATH": f"{tool.parent}:{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
        "GITHUB_STEP_SUMMARY": str(tmp_path / "summary.md"),
    }

    def run(commands: Sequence[str]) -> subprocess.CompletedProcess[str]:
        script = "\n".join(command for command in commands if "pip install" not in command)
        return subprocess.run(
            ["bash", "-eo", "pipefail", "-c", script],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )

    return run


def test_githubs_job_passes_and_leaves_what_it_uploads(job: Job, tmp_path: Path) -> None:
    done = job(github())
    assert done.returncode == 0, done
    assert "PASS" in (tmp_path / "summary.md").read_text(encoding="utf-8")
    assert {path.suffix for path in tmp_path.glob("balance.*")} == {".xml", ".md", ".json"}


def test_githubs_job_fails_with_annotations(job: Job, tmp_path: Path) -> None:
    """The step that writes the summary runs `always()`, after one that failed."""
    install, check, summary = github()
    done = job([install, f"{check} --set starting_coins='[0,30,0,0,0]' --games 1000"])
    assert done.returncode == 1
    assert "\n::error file=configs/middle-ages/baselines/default.toml,line=" in done.stderr
    assert job([summary]).returncode == 0
    assert "❌ fail" in (tmp_path / "summary.md").read_text(encoding="utf-8")


def test_gitlabs_job_leaves_the_reports_that_it_names(job: Job, tmp_path: Path) -> None:
    done = job(gitlab())
    assert done.returncode == 0, done
    reports = yaml.safe_load((HOME / "gitlab-balance.yml").read_text(encoding="utf-8"))["balance"]["artifacts"][
        "reports"
    ]
    assert ElementTree.parse(tmp_path / reports["junit"]).getroot().tag == "testsuites"
    (weak,) = json.loads((tmp_path / reports["codequality"]).read_text(encoding="utf-8"))
    assert weak["severity"] == "info" and "Only weak players (greedy) played" in weak["description"]
