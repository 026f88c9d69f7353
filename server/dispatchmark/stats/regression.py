"""The line through the medians of a ladder's rungs, for many bootstrap replicates at once."""

import numpy as np

from .spans import Floats


def line(n: Floats, median_us: Floats, variance: Floats) -> tuple[Floats, Floats]:
    """Weighted least squares: intercept and slope minimising sum((T - a - b n)^2 / variance).

    `median_us` has shape (..., rungs), `n` and `variance` (rungs,); the answers have shape (...).
    """
    weight = 1 / variance
    total = weight.sum()
    centre = (weight * n).sum() / total
    leverage = weight * (n - centre)
    slope = (leverage * median_us).sum(axis=-1) / (leverage * (n - centre)).sum()
    intercept = (weight * median_us).sum(axis=-1) / total - slope * centre
    return intercept, slope


def slope_error(n: Floats, variance: Floats, error_us: Floats) -> float:
    """Standard error of the weighted slope when each rung's median is off by an independent `error_us`."""
    weight = 1 / variance
    centre = (weight * n).sum() / weight.sum()
    leverage = weight * (n - centre)
    return float(np.sqrt(((leverage * error_us) ** 2).sum()) / (leverage * (n - centre)).sum())


def intercept_error(n: Floats, variance: Floats, error_us: Floats) -> float:
    """Standard error of the weighted intercept under the same errors."""
    weight = 1 / variance
    total = weight.sum()
    centre = (weight * n).sum() / total
    leverage = weight * (n - centre)
    share = weight / total - centre * leverage / (leverage * (n - centre)).sum()
    return float(np.sqrt(((share * error_us) ** 2).sum()))
