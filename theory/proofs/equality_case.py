"""A case whose verdict is `equal`, and how Coq is told of it: its numbers, its weights, its row."""

import functools
import math

from terms import Q, order, real, vector


class Untied(Exception):
    """Why there is no tie of a case."""


class Tie:
    """The record of a case; a tactic that shows its hypotheses, and one that shows lhs = rhs."""

    def __init__(self, record, equal, hypotheses="meets"):
        self.record, self.equal, self.hypotheses = record, equal, hypotheses


class Case:
    """The fields of a case as numbers, with what a case leaves out."""

    def __init__(self, fields):
        self.fields = fields
        self.T = self.number("temperature", 1)
        self.normalizer = fields.get("normalizer", "softmax")

    def number(self, name, default=None):
        value = self.fields.get(name, default)
        return None if value is None else Q(str(value))

    def list(self, name):
        return [Q(str(x)) for x in self.fields[name]]

    def rows(self, name):
        return [[Q(str(x)) for x in row] for row in self.fields[name]]

    def has(self, name):
        return name in self.fields

    @functools.cached_property
    def l(self):
        return self.list("logits")

    @functools.cached_property
    def n(self):
        return len(self.fields["weights" if self.has("weights") else "logits"])

    @functools.cached_property
    def scores(self):
        return self.list("weights") if self.has("weights") else self.l

    def ranked(self):
        """By falling weight, ties to the lower index. Taylor's weights alone do not rise with the logit."""
        return order(rational_weights(self) or self.scores)

    def unit(self, parts=1):
        """One over this divides every number that an exponential is taken of."""
        return parts * math.lcm(*((x / self.T).denominator for x in self.l)) if self.has("logits") else 1


def shares(values):
    return [x / sum(values) for x in values] if sum(values) else None


def sparsemax(z):
    for k in range(len(z), 0, -1):
        kept = sorted(z, reverse=True)[:k]
        tau = (sum(kept) - 1) / k
        if kept[-1] > tau:
            return [max(x - tau, Q(0)) for x in z]


def rational_weights(case):
    """The weights, where they are rational."""
    if case.has("weights"):
        return case.list("weights")
    z = [x / case.T for x in case.l]
    if case.normalizer == "taylor":
        return shares([1 + x + x * x / 2 for x in z])
    if case.normalizer == "sparsemax":
        return sparsemax(z)
    if case.normalizer == "relu_attention":
        return [max(x, Q(0)) / len(z) for x in z]
    return None


# F and F' of a normaliser, and what shows F > 0 and that F' is its derivative.
NORMALIZERS = {
    "softmax": ("exp", "exp", "exp_pos", "exp_derive"),
    "sigmoid": ("Normalizers.sigmoid",
                "(fun z => Normalizers.sigmoid z * (1 - Normalizers.sigmoid z))",
                "Normalizers.sigmoid_pos", "Normalizers.sigmoid_derive"),
    "softplus": ("Normalizers.softplus", "(fun z => exp z / (1 + exp z))",
                 "Normalizers.softplus_pos", "Normalizers.softplus_derive"),
    "taylor": ("Normalizers.taylor", "(fun z => 1 + z)", "Normalizers.taylor_pos",
               "Normalizers.taylor_derive"),
}


def weights(case):
    """The weights as Coq has them, and a tactic that shows that they are such."""
    rational = rational_weights(case)
    if rational:
        return vector(rational), "meets"
    if case.normalizer not in NORMALIZERS:
        raise Untied(f"weights of {case.normalizer}")
    F, _, positive, _ = NORMALIZERS[case.normalizer]
    a = f"(weights {case.n} (fun y => {F} (y / {real(case.T)})) {vector(case.l)})"
    return a, f"apply weights_are_weights; [lia|intros; apply {positive}]"


def same(case, parts=1):
    return f"same {case.unit(parts)}%positive"


def softmax_row(case):
    return f"(SoftmaxRow {case.n} {vector(case.l)} {real(case.T)})"


def normalized(case, places=False):
    if case.normalizer not in NORMALIZERS:
        raise Untied(f"the gradient of {case.normalizer}")
    F, slope, positive, derive = NORMALIZERS[case.normalizer]
    t, l = real(case.T), vector(case.l)
    functions = f"(fun y => {F} (y / {t})) (fun y => {slope} (y / {t}) / {t})"
    record = f"(NormalizedRow {case.n} {functions} {l})"
    meets = (f"(Normalizers.scaled_row {case.n} {F} {slope} {t} {l} ltac:(lia) ltac:(lra) "
             f"{positive} {derive})")
    return record, meets
