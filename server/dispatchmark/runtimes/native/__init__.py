"""The cases of the suite on native WebGPU libraries, in a process of their own.

Kinds, rules and values are those of web/core, so that a native figure differs from a browser's by the runtime alone.
"""
