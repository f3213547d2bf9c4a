"""What Hypothesis draws the cases of false claims from.

The ranges are what the claims' fields and hypotheses allow, cut to sizes that double precision
takes: one strategy a kind of input, written before a claim was tried. Witnesses were not looked at
but for the constant of `lipschitz.self_adjusted`. A case is what `claims eval` reads.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
from hypothesis import strategies as st

Case = dict[str, Any]

LOGIT = st.floats(-10, 10)
POSITIVE = st.floats(0.01, 10)
COORDINATE = st.floats(-10, 10)
SHARE = st.floats(0, 1, exclude_min=True)
MANY = 1000  # "once L is large"


def is_long(v: list[float]) -> bool:
    """Whether the length of a vector is no rounding of 0."""
    return float(np.linalg.norm(v)) > 1e-100


def logits(least: int = 2) -> st.SearchStrategy[list[float]]:
    """A row of logits."""
    return st.lists(LOGIT, min_size=least)


def of(**fields: st.SearchStrategy[Any]) -> st.SearchStrategy[Case]:
    """A case of fields that do not depend on each other."""
    return st.fixed_dictionaries(fields)


@st.composite
def shares(draw: st.DrawFn, least: int, most: int | None = None) -> list[Fraction]:
    """Weights of sum 1, as exact quotients."""
    whole = draw(st.lists(st.integers(0, 100), min_size=least, max_size=most).filter(any))
    return [Fraction(n, sum(whole)) for n in whole]


@st.composite
def weighted(draw: st.DrawFn, least: int = 2, selected: str = "", fewest: int = 1) -> Case:
    """Weights and embeddings, with N or a set of tokens where one is named."""
    weights = draw(shares(least))
    count, width = len(weights), draw(st.integers(1, 4))
    row = st.lists(COORDINATE, min_size=width, max_size=width)
    case: Case = {
        "weights": weights,
        "embeddings": draw(st.lists(row, min_size=count, max_size=count)),
    }
    if selected == "N":
        case["N"] = draw(st.integers(fewest, count - 1))
    if selected == "set":
        case["set"] = draw(
            st.lists(st.integers(0, count - 1), min_size=1, max_size=count - 1, unique=True)
        )
    return case


@st.composite
def keyed(draw: st.DrawFn) -> Case:
    """A query and keys."""
    width = draw(st.integers(1, 4))
    row = st.lists(COORDINATE, min_size=width, max_size=width)
    keys = draw(st.lists(row, min_size=2))
    return {"query": draw(row), "keys": keys, "temperature": draw(POSITIVE)}


@st.composite
def stepped(draw: st.DrawFn, two: bool) -> Case:
    """Logits, a direction and the length of a step, or of two."""
    case = draw(of(logits=logits(), temperature=POSITIVE, epsilon=POSITIVE))
    count = len(case["logits"])
    entries = st.lists(COORDINATE, min_size=count, max_size=count)
    case["direction"] = draw(entries.filter(is_long))
    if two:
        longer = st.floats(case["epsilon"], 100, exclude_min=True)
        case["larger_epsilon"] = draw(longer)
    return case


@st.composite
def family(draw: st.DrawFn, tokens_each: int = 1) -> Case:
    """L >= 1000, N of at most L over `tokens_each`, one embedding and epsilon."""
    length = draw(st.integers(MANY, 10**6))
    row = st.lists(COORDINATE, min_size=1, max_size=4).filter(is_long)
    selected = draw(st.integers(1, min(length - 1, length // tokens_each)))
    return {"L": length, "N": selected, "embeddings": [draw(row)], "epsilon": draw(SHARE)}


@st.composite
def long_contexts(draw: st.DrawFn) -> Case:
    """The family where L >= 1000 N/epsilon."""
    case = draw(family(MANY))
    least = MANY * case["N"] / case["L"]
    return case | {"epsilon": draw(st.floats(least, 1, exclude_min=least < 1))}


@st.composite
def halves(draw: st.DrawFn) -> Case:
    """Tokens of two logits, an even number of L >= 1000."""
    case = draw(of(spread=POSITIVE, temperature=POSITIVE, epsilon=SHARE))
    return case | {"length": 2 * draw(st.integers(MANY // 2, 500_000))}


@st.composite
def colder(draw: st.DrawFn) -> Case:
    """Logits, a temperature and a lower one."""
    case = draw(of(logits=logits(), temperature=POSITIVE))
    return case | {"colder": draw(st.floats(0.001, case["temperature"], exclude_max=True))}


@st.composite
def sphere(draw: st.DrawFn, dimension: int) -> Case:
    """Weights, N and a sphere: few tokens, so that all signs can be gone over."""
    weights = draw(shares(2, 8))
    case = draw(of(M=POSITIVE, r=POSITIVE))
    selected = draw(st.integers(1, len(weights) - 1))
    return case | {"weights": weights, "N": selected, "delta": 0, "dimension": dimension}


@st.composite
def lengths(draw: st.DrawFn) -> Case:
    """L and a longer context, of which one logit is above the others."""
    short = draw(st.integers(2, 10**6 - 1))
    case = draw(of(spread=POSITIVE, temperature=POSITIVE))
    return case | {"L": short, "longer": draw(st.integers(short + 1, 10**6))}


@st.composite
def moved(draw: st.DrawFn) -> Case:
    """Logits of Self-Adjusted Softmax and a step, with the constant of the claim's witness."""
    case = draw(of(logits=logits(), temperature=POSITIVE))
    count = len(case["logits"])
    step = draw(st.lists(LOGIT, min_size=count, max_size=count).filter(any))
    return case | {"step": step, "K": 1000, "normalizer": "self_adjusted"}


@st.composite
def pooled(draw: st.DrawFn) -> Case:
    """Logits of attention pooling that are not all alike, a gain and embeddings."""
    row = draw(logits().filter(lambda z: np.std(z) > 1e-6))
    width = draw(st.integers(1, 4))
    x = st.lists(COORDINATE, min_size=width, max_size=width)
    case = {"logits": row, "embeddings": draw(st.lists(x, min_size=len(row), max_size=len(row)))}
    return case | draw(of(temperature=POSITIVE, gain=POSITIVE)) | {"normalizer": "pooling"}
