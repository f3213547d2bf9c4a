"""The false claims of `claims list` in numpy: the statements of `claims show`, in double."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from drawn import (
    MANY,
    POSITIVE,
    Case,
    colder,
    family,
    halves,
    keyed,
    lengths,
    logits,
    long_contexts,
    moved,
    of,
    pooled,
    sphere,
    stepped,
    weighted,
)

Array = NDArray[np.float64]


class FalseClaim(NamedTuple):
    """How to draw a case of a false claim, and its sides: it is violated where lhs > rhs."""

    cases: st.SearchStrategy[Case]
    sides: Callable[[Case], tuple[float, float]]


def softmax(z: Array) -> Array:
    """The weights of logits over T."""
    powers = np.exp(z - z.max())
    return powers / powers.sum()


def weights_of(case: Case) -> Array:
    """The softmax of a case."""
    return softmax(np.array(case["logits"]) / case["temperature"])


def jacobian_norm(a: Array) -> float:
    """||diag(a) - a a^T||."""
    return float(np.linalg.norm(np.diag(a) - np.outer(a, a), 2))


def uniform(case: Case) -> tuple[float, float]:
    """TV(a, uniform) <= epsilon."""
    return math.tanh(case["spread"] / (2 * case["temperature"])) / 2, case["epsilon"]


def own_key(case: Case, is_lower: bool) -> tuple[float, float]:
    """exp(-2 Delta/T)/L <= a_i <= exp(2 Delta/T)/L, as the largest quotient."""
    q, keys, t = np.array(case["query"]), np.array(case["keys"]), case["temperature"]
    z = keys @ q / t
    log_a = z - z.max() - np.log(np.exp(z - z.max()).sum())
    reach = 2 * np.linalg.norm(q) * np.linalg.norm(keys, axis=1) / t
    worst = (-reach - log_a if is_lower else log_a - reach).max()
    return float(worst + (-1 if is_lower else 1) * math.log(len(keys))), 0.0


def parts(case: Case) -> tuple[Array, Array, Array]:
    """a, x, and whether a token is selected."""
    a, x = np.array([float(w) for w in case["weights"]]), np.array(case["embeddings"])
    chosen = np.zeros(len(a), dtype=bool)
    largest = sorted(range(len(a)), key=lambda i: -case["weights"][i])
    chosen[case["set"] if "set" in case else largest[: case.get("N", 0)]] = True
    return a, x, chosen


def any_set(case: Case) -> tuple[float, float]:
    """D <= (1-A) d1 + X (A (L-N) - (1-A))."""
    a, x, chosen = parts(case)
    y, s = a[:, None] * x, (a[:, None] * x)[chosen].sum(0)
    mass, lost = a[chosen].sum(), a[~chosen].sum()
    apart = np.linalg.norm(x[~chosen][:, None] - x[chosen][None], axis=-1).max()
    longest = np.linalg.norm(x[chosen], axis=1).max()
    distance = np.linalg.norm(y[~chosen] - s, axis=1).sum()
    return distance, lost * apart + longest * (mass * (~chosen).sum() - lost)


def linear(case: Case) -> tuple[float, float]:
    """epsilon L <= E, over ||x||, of one token that has all the weight."""
    n, length = case["N"], case["L"]
    return case["epsilon"] * length, (n + 1) * (length - n) / length


def gap(case: Case) -> tuple[float, float]:
    """E - M <= epsilon, over ||x||, of equal weights and signs half and half; of an odd L none."""
    n, length = case["N"], case["L"]
    if length % 2 or n > 2000:
        return 0.0, 0.0
    # Of the N others k have the token's own sign: ||y_i - s|| = |1 - (2k - N)|/L.
    same, other = length // 2 - 1, length // 2
    logs = [
        math.lgamma(same + 1)
        - math.lgamma(k + 1)
        - math.lgamma(same - k + 1)
        + math.lgamma(other + 1)
        - math.lgamma(n - k + 1)
        - math.lgamma(other - n + k + 1)
        for k in range(max(0, n - other), min(n, same) + 1)
    ]
    chances = softmax(np.array(logs))
    k = np.arange(max(0, n - other), min(n, same) + 1)
    p = (length - n) / length
    expected = p * float((chances * np.abs(1 - (2 * k - n))).sum())
    return expected - p * (1 + n / (length - 1)), case["epsilon"]


def long_context(case: Case) -> tuple[float, float]:
    """|E - 1| <= epsilon, over ||x||, of one token that has all the weight."""
    n, length = case["N"], case["L"]
    return abs((n + 1) * (length - n) / length - 1), case["epsilon"]


def proportional(case: Case) -> tuple[float, float]:
    """D <= epsilon, over ||x||, of equal weights."""
    rho = case["N"] / case["L"]
    return (1 - rho) * (case["N"] - 1), case["epsilon"]


def sign_shares(case: Case) -> tuple[float, float]:
    """E[N_s]/N and E[N_x]/N where every x_i is R or -R."""
    a = sorted((float(w) for w in case["weights"]), reverse=True)
    n, radius, r = case["N"], case["M"], case["r"]
    shares_in, exclusive = [], []
    for signs in itertools.product((1, -1), repeat=len(a)):
        y = radius * np.array(signs) * a
        offsets = np.abs(y - y[:n].sum())
        share = (offsets[:n] <= r).mean()
        shares_in.append(share)
        exclusive.append(share if (offsets[n:] > r).all() else 0.0)
    return float(np.mean(shares_in)), float(np.mean(exclusive))


def reaches(case: Case) -> Array:
    """xi_i of the selected tokens."""
    a = np.array(sorted((float(w) for w in case["weights"]), reverse=True)[: case["N"]])
    return case["M"] * (a.sum() - a)


def exclusive(case: Case) -> tuple[float, float]:
    """1 - (1/(r N)) sum_{i in I} xi_i <= E[N_x]/N."""
    return 1 - reaches(case).mean() / case["r"], sign_shares(case)[1]


def sphere_upper(case: Case) -> tuple[float, float]:
    """E[N_s]/N <= (1/N) sum_{i in I} exp(-(xi_i - r)^2/(2 R^2))."""
    rhs = np.exp(-((reaches(case) - case["r"]) ** 2) / (2 * case["M"] ** 2)).mean()
    return sign_shares(case)[0], float(rhs)


def near_share(case: Case) -> float:
    """N_s/N."""
    a, x, chosen = parts(case)
    y = a[:, None] * x
    offsets = np.linalg.norm(y - y[chosen].sum(0), axis=1)
    return float((offsets[chosen] <= offsets[~chosen].min()).mean())


def cold(case: Case) -> tuple[float, float]:
    """||J(T)|| <= ||J(T')||."""
    z, t, low = np.array(case["logits"]), case["temperature"], case["colder"]
    return jacobian_norm(softmax(z / t)) / t, jacobian_norm(softmax(z / low)) / low


def vanishing(case: Case) -> tuple[float, float]:
    """1/4 <= T ||J||, of logits 7 T apart."""
    if np.ptp(case["logits"]) / case["temperature"] < 7:
        return 0.0, 0.0
    return 0.25, jacobian_norm(weights_of(case))


def printed(case: Case) -> tuple[float, float]:
    """||J|| <= min{1/(4T), sqrt 2}."""
    t = case["temperature"]
    return jacobian_norm(weights_of(case)) / t, min(1 / (4 * t), math.sqrt(2))


def quotient(case: Case, epsilon: float) -> float:
    """g(T, epsilon)."""
    v = np.array(case["direction"])
    z = np.array(case["logits"]) + epsilon * v / np.linalg.norm(v)
    b = softmax(z / case["temperature"])
    return float(np.linalg.norm(b - weights_of(case)) / epsilon)


def step_printed(case: Case) -> tuple[float, float]:
    """g(T, epsilon) <= min{1/(4T), sqrt 2}."""
    return quotient(case, case["epsilon"]), min(1 / (4 * case["temperature"]), math.sqrt(2))


def step_order(case: Case) -> tuple[float, float]:
    """g(T, epsilon') <= g(T, epsilon)."""
    return quotient(case, case["larger_epsilon"]), quotient(case, case["epsilon"])


def dilution(case: Case) -> tuple[float, float]:
    """max_i a'_i <= max_i a_i."""
    longer = {**case, "logits": case["logits"] + case["appended"]}
    return float(weights_of(longer).max()), float(weights_of(case).max())


def scalable(case: Case) -> tuple[float, float]:
    """P(L) <= 2 P(longer)."""
    power = case["spread"] / case["temperature"]
    peak = [1 / (1 + (n - 1) * n**-power) for n in (case["L"], case["longer"])]
    return peak[0], 2 * peak[1]


def entmax(case: Case) -> tuple[float, float]:
    """||J|| <= 2^(-1/2)/T."""
    z = np.array(case["logits"]) / case["temperature"] / 2
    low, high = z.max() - 1, z.max()
    for _ in range(100):
        tau = (low + high) / 2
        above = (np.maximum(z - tau, 0) ** 2).sum() > 1
        low, high = (tau, high) if above else (low, tau)
    u = np.maximum(z - tau, 0)
    j = np.diag(u) - np.outer(u, u) / u.sum()
    return float(np.linalg.norm(j, 2)), math.sqrt(0.5)


def adjusted(z: Array) -> Array:
    """Self-Adjusted Softmax."""
    low = min(0.0, z.min())
    return softmax(z) * (z - low) / (max(0.0, z.max()) - low)


def self_adjusted(case: Case) -> tuple[float, float]:
    """||f(l+h) - f(l)|| <= K ||h||/T."""
    z, h = (np.array(case[name]) / case["temperature"] for name in ("logits", "step"))
    if not z.any() or not (z + h).any():
        return 0.0, 0.0
    return float(np.linalg.norm(adjusted(z + h) - adjusted(z))), case["K"] * float(
        np.linalg.norm(h)
    )


def pooling(case: Case) -> tuple[float, float]:
    """||sum_i a_i x_i|| <= max_i ||x_i||."""
    z, x = np.array(case["logits"]), np.array(case["embeddings"])
    a = case["gain"] * (z - z.mean()) / z.std()
    return float(np.linalg.norm(a @ x)), float(np.linalg.norm(x, axis=1).max())


def norm_based(case: Case) -> tuple[float, float]:
    """max_i a_i ||x_i|| <= a_(1) ||x_(1)||."""
    a, x, _ = parts(case)
    contributions = a * np.linalg.norm(x, axis=1)
    return float(contributions.max()), float(contributions[a.argmax()])


def error(case: Case, chosen: Array, divided: bool = True) -> float:
    """||o - s/A||, or ||o - s||."""
    a, x, _ = parts(case)
    s = a[chosen] @ x[chosen] / (a[chosen].sum() if divided else 1)
    return float(np.linalg.norm(a @ x - s))


def better(case: Case) -> tuple[float, float]:
    """||o - s/A|| <= ||o - s||."""
    a, _, chosen = parts(case)
    if not a[chosen].any():
        return 0.0, 0.0
    return error(case, chosen), error(case, chosen, divided=False)


def monotone(case: Case) -> tuple[float, float]:
    """The error of N + 1 tokens is at most that of N."""
    return error(case, parts({**case, "N": case["N"] + 1})[2]), error(case, parts(case)[2])


def by_weight(case: Case) -> tuple[float, float]:
    """The error of the N largest weights is at most that of a set of N."""
    a, _, chosen = parts(case)
    if not a[chosen].any():
        return 0.0, 0.0
    top = parts({"weights": case["weights"], "embeddings": case["embeddings"], "N": chosen.sum()})[
        2
    ]
    return error(case, top), error(case, chosen)


ROW = of(logits=logits(), temperature=POSITIVE)
APPENDED = of(logits=logits(), temperature=POSITIVE, appended=logits(1))
FALSE_CLAIMS: dict[str, FalseClaim] = {
    "lemma1.uniform": FalseClaim(halves(), uniform),
    "corollary1.own_key.lower": FalseClaim(keyed(), lambda case: own_key(case, True)),
    "corollary1.own_key.upper": FalseClaim(keyed(), lambda case: own_key(case, False)),
    "theorem1.fixed.any_set": FalseClaim(weighted(selected="set"), any_set),
    "theorem1.random.linear": FalseClaim(family(MANY), linear),
    "theorem1.random.gap": FalseClaim(family(), gap),
    "corollary2.long_context": FalseClaim(long_contexts(), long_context),
    "collapse.proportional": FalseClaim(family(), proportional),
    "theorem2.lower.exclusive": FalseClaim(sphere(1), exclusive),
    "theorem2.upper": FalseClaim(sphere(1), sphere_upper),
    "separability.share.upper": FalseClaim(
        weighted(18, "N", 17), lambda case: (near_share(case), 0.85)
    ),
    "separability.share.lower": FalseClaim(
        weighted(18, "N", 17), lambda case: (0.7, near_share(case))
    ),
    "lemma2.vanishing": FalseClaim(ROW, vanishing),
    "corollary3": FalseClaim(ROW, printed),
    "corollary3.step.printed": FalseClaim(stepped(False), step_printed),
    "corollary3.step.order": FalseClaim(stepped(True), step_order),
    "corollary3.cold": FalseClaim(colder(), cold),
    "dilution.peak": FalseClaim(APPENDED, dilution),
    "scalable_softmax.peak": FalseClaim(lengths(), scalable),
    "lipschitz.entmax.any_length": FalseClaim(
        of(logits=logits(), temperature=POSITIVE, normalizer=st.just("entmax")), entmax
    ),
    "lipschitz.self_adjusted": FalseClaim(moved(), self_adjusted),
    "cage.pooling": FalseClaim(pooled(), pooling),
    "norm_based.largest": FalseClaim(weighted(), norm_based),
    "retrieval.renormalised.better": FalseClaim(weighted(selected="set"), better),
    "retrieval.monotone": FalseClaim(weighted(2, "N"), monotone),
    "retrieval.by_weight": FalseClaim(weighted(selected="set"), by_weight),
}
