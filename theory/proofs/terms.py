"""How numbers, vectors, matrices and sets are written in Coq."""

from fractions import Fraction as Q


def real(x):
    x = Q(x)
    return f"({x.numerator})" if x.denominator == 1 else f"({x.numerator}/{x.denominator})"


def listed(items):
    return "[" + "; ".join(items) + "]"


def vector(v):
    return f"(entries {listed(map(real, v))})"


def matrix(m):
    return f"(table {listed(listed(map(real, row)) for row in m)})"


def chosen(bits):
    return f"(fun i => nth i {listed('true' if b else 'false' for b in bits)} false)"


def places(p):
    return f"(fun i => nth i {listed(f'{k}%nat' for k in p)} 0%nat)"


def order(v):
    """Indices by falling number, ties to the lower index."""
    return sorted(range(len(v)), key=lambda i: (-v[i], i))
