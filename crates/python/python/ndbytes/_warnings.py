"""Warnings: what is said about a file that is read or written nevertheless."""

from __future__ import annotations

import sys
import warnings
from types import FrameType
from typing import Any


class FileWarning(UserWarning):
    """Something about a file that did not prevent what was asked for."""

    def __init__(self, message: str, finding: Any = None) -> None:
        super().__init__(message)
        self.finding = finding


def say(message: str, finding: Any = None) -> None:
    """Warns at the place that called the package."""
    level = 1
    frame: FrameType | None = sys._getframe()
    while frame is not None and frame.f_globals.get("__package__") == __package__:
        level, frame = level + 1, frame.f_back
    warnings.warn(FileWarning(message, finding), stacklevel=level)
