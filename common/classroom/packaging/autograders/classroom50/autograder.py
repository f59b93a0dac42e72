"""Grades the checkout that it is started in, as Classroom 50 does. The status is 0 also when tests fail; another one: the grader failed."""

import os
import pathlib
import subprocess
import sys
import tarfile

here = pathlib.Path(__file__).resolve().parent
with tarfile.open(here / "grader.tar.xz") as grader:
    grader.extractall(here)
seconds = os.environ.get("LAB_SECONDS", "1200")
sys.exit(subprocess.run(["bash", here / "grader/autograde", "classroom50", ".", "result.json", seconds], check=False).returncode)
