"""The line through the medians of a ladder's rungs, for many bootstrap replicates at once."""

import numpy as np

from .spans import Floats

HUBER = 1.345
"""Huber's constant: residuals beyond so many scales weigh less; 95 % efficient for normal noise."""

HUBER_ROUNDS = 4

BISQUARE = 6.0
"""Residuals beyond so many scales weigh nothing: wide, since a scale from a dozen rungs is a rough one."""

BISQUARE_ROUNDS = 3
MAD_TO_DEVIATION = 1.4826


def line(n: Floats, median_us: Floats, variance: Floats) -> tuple[Floats, Floats]:
    """Robust weighted line: intercept and slope by an M-estimate, from reweighted least squares.

    Starts at the least squares of sum((T - a - b n)^2 / variance), takes weight off rungs that lie off the line by more
    than HUBER of the residuals' own scale, and then, by Tukey's bisquare, all weight off those that are far from it: a
    rung whose median fell on the slow side of a bimodal cost must not tilt it. `median_us` has shape (..., rungs), `n`
    and `variance` (rungs,); the answers have shape (...). Source: Huber, Robust Statistics (1981), chapter 7.
    """
    deviation = np.sqrt(variance)
    weight = np.broadcast_to(1 / variance, median_us.shape)
    intercept, slope = _least_squares(n, median_us, weight)
    for turn in range(HUBER_ROUNDS + BISQUARE_ROUNDS):
        off = np.abs(median_us - intercept[..., None] - slope[..., None] * n) / deviation
        # Two residuals of a line are zero by construction in the smallest ladders; the scale must not be.
        scale = np.maximum(MAD_TO_DEVIATION * np.median(off, axis=-1, keepdims=True), 1e-6)
        if turn < HUBER_ROUNDS:
            weight = np.minimum(1.0, HUBER * scale / np.maximum(off, 1e-12)) / variance
        else:
            weight = np.square(np.maximum(1 - np.square(off / (BISQUARE * scale)), 0.0)) / variance
        intercept, slope = _least_squares(n, median_us, weight)
    return intercept, slope


def _least_squares(n: Floats, median_us: Floats, weight: Floats) -> tuple[Floats, Floats]:
    total = weight.sum(axis=-1)
    centre = (weight * n).sum(axis=-1) / total
    leverage = weight * (n - centre[..., None])
    slope = (leverage * median_us).sum(axis=-1) / (leverage * (n - centre[..., None])).sum(axis=-1)
    intercept = (weight * median_us).sum(axis=-1) / total - slope * centre
    return np.asarray(intercept), np.asarray(slope)


def hinge(n: Floats, median_us: Floats, error_us: Floats, knot: float) -> tuple[float, float, float, float]:
    """Least squares of T = a + b n + c max(0, n - knot): slope b, bend c, standard error of c, and chi squared.

    `error_us` holds the standard errors of the medians.
    """
    columns = np.stack([np.ones_like(n), n, np.maximum(0.0, n - knot)], axis=1) / error_us[:, None]
    inverse = np.linalg.pinv(columns.T @ columns)
    found = inverse @ columns.T @ (median_us / error_us)
    misfit = float((((median_us / error_us) - columns @ found) ** 2).sum())
    return float(found[1]), float(found[2]), float(np.sqrt(inverse[2, 2])), misfit


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
