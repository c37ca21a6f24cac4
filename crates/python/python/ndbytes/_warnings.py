"""Warnings about files that are read or written anyway."""

from __future__ import annotations

import sys
import warnings
from types import FrameType
from typing import Any


class FileWarning(UserWarning):
    """A problem with a file that did not prevent reading it."""

    def __init__(self, message: str, finding: Any = None) -> None:
        super().__init__(message)
        self.finding = finding


def say(message: str, finding: Any = None) -> None:
    """Issues a warning at the line that called the package."""
    level = 1
    frame: FrameType | None = sys._getframe()
    while frame is not None and frame.f_globals.get("__package__") == __package__:
        level, frame = level + 1, frame.f_back
    warnings.warn(FileWarning(message, finding), stacklevel=level)
