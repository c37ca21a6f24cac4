# The native half, whose names `ndbytes` has: their stubs are in `__init__.pyi`.
from typing import Any

def __getattr__(name: str) -> Any: ...
