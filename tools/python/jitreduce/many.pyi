"""Types of jitreduce.many."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from . import Context, Reduction, _Array, _Number

class Results(NamedTuple):
    each: Any
    total: Any

NORMS: dict[float, str]

class Plan:
    results: Results
    def __init__(self, arrays: Sequence[_Array], op: str | Sequence[str] | Reduction = "sum", *, expression: str | None = None, where: str | None = None, parameters: Mapping[str, _Number] | None = None, counts: bool = False, stream: object = None, context: Context | None = None) -> None: ...
    def run(self) -> Results: ...

def reduce(arrays: Sequence[_Array], op: str | Sequence[str] | Reduction = "sum", *, where: str | None = None, parameters: Mapping[str, _Number] | None = None, counts: bool = False, stream: object = None, context: Context | None = None) -> Results: ...
def norm(arrays: Sequence[_Array], ord: float = 2, *, stream: object = None, context: Context | None = None) -> Results: ...
def apply_(arrays: Sequence[_Array], expression: str, op: str | Sequence[str] | Reduction = "sum", *, where: str | None = None, parameters: Mapping[str, _Number] | None = None, stream: object = None, context: Context | None = None) -> Results: ...
def clip_grad_norm_(parameters: Any | Iterable[Any], max_norm: float, norm_type: float = 2.0, error_if_nonfinite: bool = False) -> Any: ...
