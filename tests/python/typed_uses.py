"""Uses whose types checkers of types must find (test_types.py); nothing here runs."""

from typing import assert_type

import numpy as np
from numpy.typing import NDArray

import jitreduce as jr

floats: NDArray[np.float32] = np.ones((2, 3), np.float32)
wholes: NDArray[np.int32] = np.ones((2, 3), np.int32)
bytes_: NDArray[np.uint8] = np.ones((2, 3), np.uint8)
device = jr.DeviceArray.of(floats)

assert_type(jr.sum(floats), np.float32)
assert_type(jr.sum(wholes), np.int64)
assert_type(jr.sum(bytes_), np.uint64)
assert_type(jr.sum(floats, axis=0), NDArray[np.float32])
assert_type(jr.sum(floats, keepdims=True), NDArray[np.float32])
assert_type(jr.sum(floats, dtype=np.float64), np.float64)
assert_type(jr.sum(floats, dtype="float64"), np.generic)
assert_type(jr.sum(floats, axis=0, dtype="float64"), NDArray[np.generic])
assert_type(jr.sum(floats, keepdims=True, dtype=np.float64), NDArray[np.generic])
assert_type(jr.mean(wholes, dtype="float32"), np.generic)
assert_type(jr.var(floats, dtype=float), np.generic)
assert_type(jr.cumulative_sum(wholes, dtype="float32"), NDArray[np.generic])
assert_type(jr.sum(device), jr.DeviceArray)
assert_type(jr.sum(device, axis=1), jr.DeviceArray)
assert_type(jr.sum(device, value=True), float)
assert_type(jr.sum([1, 2, 3]), float)
assert_type(jr.nansum(floats, where="x > q", parameters={"q": 1}), np.float32)
assert_type(jr.max(wholes), np.int32)
assert_type(jr.argmax(floats), np.int64)
assert_type(jr.argmax(floats, axis=1), NDArray[np.int64])
assert_type(jr.any(floats), np.bool_)
assert_type(jr.count(floats, nan="ignore"), np.int64)
assert_type(jr.mean(wholes), np.float64)
assert_type(jr.var(floats, correction=1), np.float32)
assert_type(jr.norm(floats, 1), np.float32)
assert_type(jr.dot(device, device), jr.DeviceArray)
assert_type(jr.cumulative_sum(wholes, axis=0), NDArray[np.int64])
assert_type(jr.cumulative_max(floats, axis=0), NDArray[np.float32])
assert_type(jr.cov([1.0, 2.0], [2.0, 3.0]), NDArray[np.float64])
assert_type(jr.average(floats, weights=floats), np.float32)
assert_type(jr.softmax(floats), NDArray[np.float32])
assert_type(jr.layer_norm(floats, eps=1e-6), NDArray[np.float32])
assert_type(jr.zscore(device), jr.DeviceArray)
assert_type(device.device, str)
assert_type(jr.minmax(device), tuple[jr.DeviceArray, jr.DeviceArray])
assert_type(jr.reduce(device, ("min", "max")), tuple[jr.DeviceArray, ...])
assert_type(jr.scan(device, op="max"), jr.DeviceArray)
assert_type(device[1:, ::2].T, jr.DeviceArray)
assert_type(device.item(), float)
assert_type(jr.Plan("sum", device).shape, tuple[int, ...])
assert_type(jr.ExactState().add(floats).elements, int)
jr.sum(floats, axes=0)  # wrong: no such argument
jr.sum(floats, nan="skip")  # wrong: no such value
jr.sum({"a": 1})  # wrong: a dict is no array
device["a"]  # wrong: no such index
