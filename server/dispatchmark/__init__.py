"""Dispatchmark measures what one WebGPU dispatch costs, in every browser and natively."""

__version__ = "0.1.0"
