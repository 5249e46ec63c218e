#!/usr/bin/env python3
"""Times of many arrays in one launch (jitreduce.many) on a GPU, beside PyTorch's, by turns in one process, as CSV.

usage: PYTHONPATH=build/current/python many_bench.py [WORD...]    those with a word in their names; default: all

Values are compared first. `least` and `median` are microseconds of a call, of rounds in which all take turns; `flushed` is
without what the L2 cache had; `host` is the time until a call returns."""

import functools
import math
import statistics
import sys
import time

import torch

import jitreduce
from jitreduce import many

CUDA = torch.device("cuda")
BLOCKS = [(block, unroll) for block in (128, 256, 512) for unroll in (2, 4, 8)]
SCALE = "x * (0.5f / (all + 1e-6f) > 1.0f ? 1.0f : 0.5f / (all + 1e-6f))"


def put(work, who, least, median=math.nan):
    print(f"{work},{who},{least:.3f},{median:.3f}", flush=True)


def gpu_us(calls, count):
    """Microseconds of each of `count` times all of these calls."""
    begin, end = torch.cuda.Event(True), torch.cuda.Event(True)
    begin.record()
    for _ in range(count):
        for call in calls:
            call()
    end.record()
    end.synchronize()
    return begin.elapsed_time(end) * 1e3 / count


def turns(work, contestants, count, rounds=7, before=()):
    """before: calls whose time is subtracted."""
    for _, call in contestants:
        call(), call()
    torch.cuda.synchronize()
    own = min(gpu_us(before, count) for _ in range(rounds)) if before else 0
    found = {who: [] for who, _ in contestants}
    for _ in range(rounds):
        for who, call in contestants:
            found[who].append(gpu_us((*before, call), count) - own)
    for who, times in found.items():
        put(work, who, min(times), statistics.median(times))


def host(work, who, call, count):
    call()
    torch.cuda.synchronize()
    begin = time.perf_counter()
    for _ in range(count):
        call()
    put(work, who, (time.perf_counter() - begin) / count * 1e6)
    torch.cuda.synchronize()


def run_of(arrays, op="norm", **options):
    return many.Plan(arrays, op, **options).run


def tuned(arrays, op):
    """Runs with each block and unroll factor."""
    made = []
    for block, unroll in BLOCKS:
        call = many._Call(arrays, None, None)  # pylint: disable=protected-access
        spec = call.spec_of({"op": op, "block": block, "unroll": unroll})
        _, room = call.room(spec)
        plan = jitreduce._jitreduce.Plan(call.context, spec, "arrays", call.table, None)  # pylint: disable=protected-access
        made.append((f"{op} {block}x{unroll}", functools.partial(plan.run_many, room, call.stream, type(arrays[0]))))
    return made


def flat_of(x, op="norm"):
    plan = jitreduce.Plan(op, x)
    return functools.partial(plan.run, x, out=torch.zeros((), device=CUDA, dtype=getattr(torch, plan.dtype)))


def norm_of(x, order):
    return torch.linalg.vector_norm(x.double(), order) if x.numel() else torch.zeros((), dtype=torch.float64, device=CUDA)


def values():
    kinds = [torch.float32, torch.bfloat16, torch.float16, torch.float64]
    counts = [0, 1, 7, 1000, 1024, 4096, 4097, 100003, 1 << 20, 9000001]
    arrays = [torch.randn(n + 3, device=CUDA).to(kinds[i % 4])[i % 3:][:n] for i, n in enumerate(counts * 4)]
    for order in (1, 2, math.inf):
        found, wanted = many.norm(arrays, order), torch.stack([norm_of(x, order) for x in arrays])
        assert torch.allclose(found.each, wanted, 1e-14, 0) and torch.allclose(found.total, norm_of(wanted, order), 1e-14, 0), order
    again = [many.norm(arrays).each.clone() for _ in range(20)]
    assert all(torch.equal(again[0], one) for one in again)
    print("# values: norms of 40 arrays of four types agree to 1e-14; the same bits in 20 runs", flush=True)


def small():
    arrays = [torch.randn(1024, device=CUDA).to(torch.bfloat16 if i % 2 else torch.float32) for i in range(10000)]
    flush, flat = torch.empty(128 << 20, dtype=torch.uint8, device=CUDA), torch.randn(7680000, device=CUDA)
    ours = [("norm", run_of(arrays)), ("sum", run_of(arrays, "sum")), ("flat norm of the bytes", flat_of(flat)), *tuned(arrays, "norm2")]
    turns("10000 x 1024 f32 and bf16", ours, 50)
    turns("10000 x 1024 f32 and bf16 flushed", ours, 20, before=(flush.zero_,))
    turns("10000 x 1024 f32 and bf16", [("torch._foreach_norm", lambda: torch._foreach_norm(arrays))], 1, 3)
    host("10000 x 1024 host", "many.Plan.run", run_of(arrays), 200)
    host("32 x 1024 host", "many.Plan.run", run_of(arrays[:32]), 1000)
    host("10000 x 1024 host", "many.norm", lambda: many.norm(arrays), 10)
    host("10000 x 1024 host", "torch._foreach_norm", lambda: torch._foreach_norm(arrays), 2)


def large():
    flat = torch.randn(1000 << 20, device=CUDA)
    for name, x in (("f32", flat), ("bf16", flat.bfloat16())):
        arrays = list(x.split(1 << 20))
        turns(f"1000 x 2^20 {name}", [*((f"flat {op}", flat_of(x, op)) for op in ("norm", "sum", "max")),
                                      *((op, run_of(arrays, op)) for op in ("norm", "sum", "max")), *tuned(arrays, "sum"), *tuned(arrays, "norm2"),
                                      ("torch._foreach_norm", functools.partial(torch._foreach_norm, arrays))], 3, 5)
    arrays = list(flat.split(1 << 20))
    turns("1000 x 2^20 f32 scaled", [("norm and scale", run_of(arrays, expression=SCALE)), ("torch mul_", lambda: flat.mul_(1.0))], 2, 3)


def clip():
    shapes = [(4096, 4096)] * 4 + [(11008, 4096), (4096, 11008)] + [(4096,)] * 12 + [(32000, 512)]
    for name, kind, sizes in (("2 layers f32", torch.float32, shapes * 2), ("2 layers bf16", torch.bfloat16, shapes * 2), ("1000 x 1024 f32", torch.float32, [1024] * 1000)):
        contestants = []
        for who, function in (("torch", torch.nn.utils.clip_grad_norm_), ("many", many.clip_grad_norm_)):
            parameters = [torch.zeros(size, device=CUDA, dtype=kind, requires_grad=True) for size in sizes]
            for one in parameters:
                one.grad = torch.randn_like(one)
            contestants.append((who, functools.partial(function, parameters, 1.0)))
        turns(f"clip_grad_norm_ {name}", contestants, 5, 5)
        for who, call in contestants:
            host(f"clip_grad_norm_ {name} host", who, call, 10)


if __name__ == "__main__":
    print(f"# device: {torch.cuda.get_device_name()}, torch {torch.__version__}\nwork,who,least_us,median_us")
    for part in (values, small, large, clip):
        if not sys.argv[1:] or any(word in part.__name__ for word in sys.argv[1:]):
            part()
            torch.cuda.empty_cache()
