"""Two certified arithmetics of Python: balls of python-flint's arb, intervals of mpmath's iv."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import reduce
from typing import Any, Protocol

import flint
import mpmath

Number = Any  # of the arithmetic
Exact = float | int | Fraction


class Arithmetic(Protocol):
    """What a decision needs of an arithmetic. Numbers have +, -, * and / themselves."""

    name: str

    def set_bits(self, bits: int) -> None:
        """Sets the precision."""

    def number(self, exact: Exact) -> Number:
        """An enclosure of an exact number."""

    def exp(self, x: Number) -> Number:
        """An enclosure of e^x."""

    def sqrt(self, x: Number) -> Number:
        """An enclosure of the root, of 0 where rounding may have put x below 0."""

    def less(self, x: Number, y: Number) -> bool:
        """Whether x is certainly below y."""

    def largest(self, numbers: Iterable[Number]) -> Number:
        """An enclosure of the largest number."""


class Balls:
    """Balls of arb."""

    name = "arb"

    def set_bits(self, bits: int) -> None:
        """Sets the precision."""
        flint.ctx.prec = bits

    def number(self, exact: Exact) -> Number:
        """Encloses a number; doubles are exact."""
        if isinstance(exact, Fraction):
            return flint.arb(flint.fmpq(exact.numerator, exact.denominator))
        return flint.arb(exact)

    def exp(self, x: Number) -> Number:
        """Encloses e^x."""
        return x.exp()

    def sqrt(self, x: Number) -> Number:
        """Encloses the root."""
        return x.nonnegative_part().sqrt()

    def less(self, x: Number, y: Number) -> bool:
        """Compares whole balls."""
        return bool(x < y)

    def largest(self, numbers: Iterable[Number]) -> Number:
        """Encloses the largest."""
        return reduce(lambda x, y: x.max(y), numbers)


class Intervals:
    """Intervals of mpmath."""

    name = "iv"

    def set_bits(self, bits: int) -> None:
        """Sets the precision."""
        mpmath.iv.prec = bits

    def number(self, exact: Exact) -> Number:
        """Encloses a number; doubles are exact."""
        if isinstance(exact, Fraction):
            return mpmath.iv.mpf(exact.numerator) / exact.denominator
        return mpmath.iv.mpf(exact)

    def exp(self, x: Number) -> Number:
        """Encloses e^x."""
        return mpmath.iv.exp(x)

    def sqrt(self, x: Number) -> Number:
        """Encloses the root."""
        return mpmath.iv.sqrt(mpmath.iv.mpf([max(x.a, 0), max(x.b, 0)]))

    def less(self, x: Number, y: Number) -> bool:
        """Compares whole intervals."""
        return (x < y) is True

    def largest(self, numbers: Iterable[Number]) -> Number:
        """Encloses the largest."""
        return reduce(lambda x, y: mpmath.iv.mpf([max(x.a, y.a), max(x.b, y.b)]), numbers)
