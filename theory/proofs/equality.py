"""Ties of attained bounds: of a case whose verdict is `equal`, the record that the theorem speaks of,
and how Coq proves that its sides are one number. A claim that is not in EQUAL, or a case that its
entry does not speak of (Untied), has no such tie yet."""

import math

import equality_norms as norms
from equality_case import (
    NORMALIZERS, Case, Tie, Untied, rational_weights, same, softmax_row, sparsemax, weights)
from terms import Q, chosen, matrix, real, vector, order

__all__ = ["EQUAL", "Case", "Untied"]


def selected(case):
    if case.has("set"):
        return sorted(int(i) for i in case.fields["set"])
    return case.ranked()[:int(case.fields["N"])]


def token_set(case, embeddings=True):
    a, are = weights(case)
    I, x = selected(case), case.rows("embeddings") if embeddings else [[Q(0)]] * case.n
    is_in = chosen([i in I for i in range(case.n)])
    record = f"(TokenSet {case.n} {len(x[0])} {a} {matrix(x)} {is_in})"
    return record, f"split; [{are}|meets]", I, x


def tokens(embeddings=True, is_top=False, extra="", any_sum=False):
    """A claim on a set of tokens, decided in the field of its numbers."""
    def tie(case):
        record, hypotheses, *_ = token_set(case, embeddings)
        if is_top:
            hypotheses = f"split; [{hypotheses}|meets]"
        if extra:
            hypotheses = f"split; [{hypotheses}|{extra}]"
        return Tie(record, same(case), "meets" if any_sum else hypotheses)
    return tie


def theorem1(claim):
    """By the theorem that says when they are equal."""
    def tie(case):
        record, hypotheses, I, x = token_set(case)
        if claim == "theorem1_fixed":
            hypotheses = f"split; [{hypotheses}|meets]"
        a = rational_weights(case)
        if a and not sum(a[i] for i in I):
            return Tie(record, same(case), hypotheses)  # A = 0
        at = next(i for i in I if not a or a[i])
        v = vector(x[at])
        if claim == "theorem1_fixed_any_set":
            return Tie(record, f"apply (theorem1_any_set_equal _ {v}); [{hypotheses}|meets|meets|meets]",
                       hypotheses)
        by = f"apply ({claim}_equal {record} ltac:({hypotheses}))"
        where = f"exists {v}; meets"
        if claim == "theorem1_fixed_any_set_repaired":
            where = f"left; split; [meets|{where}]"
        return Tie(record, f"{by}; {where}", hypotheses)
    return tie


def weighted_record(case):
    a, are = weights(case)
    x = case.rows("embeddings")
    return f"(Weighted {case.n} {len(x[0])} {a} {matrix(x)})", are


def cage(case):
    record, are = weighted_record(case)
    hypotheses = "meets" if rational_weights(case) else f"apply cage_meets; [cbn; lia|{are}]"
    return Tie(record, same(case), hypotheses)


def largest(case):
    record, are = weighted_record(case)
    return Tie(f"(Ranked {record} {case.ranked()[0]})", same(case), f"split; [{are}|meets]")


def sink(case):
    record, are = weighted_record(case)
    u, reach = case.list("direction"), case.number("constant")
    record = f"(Sink {record} {vector(u)} {real(reach)})"
    hypotheses = f"split; [{are}|exact_meets]"
    return Tie(record, f"apply (sink_no_op_equal {record} ltac:({hypotheses})); meets", hypotheses)


def coherent(case):
    record, hypotheses, *_ = token_set(case)
    u, reach = case.list("direction"), case.number("constant")
    return Tie(f"(CoherentSet {record} {vector(u)} {real(reach)})", same(case),
               f"split; [{hypotheses}|exact_meets]")


def bounded(claim):
    """Lemma 1: F is least and largest over [-a, a] at the ends, but the Taylor polynomial."""
    def tie(case):
        if case.normalizer not in NORMALIZERS:
            raise Untied(f"Lemma 1 of {case.normalizer}")
        name, n, bound = case.normalizer, case.n, case.number("a", max(map(abs, case.l)))
        F, _, positive, derive = NORMALIZERS[name]
        least = -case.T if name == "taylor" and case.T <= bound else -bound
        t, a, at, l = real(case.T), real(bound), real(least), vector(case.l)
        f = f"(fun y => {F} (y / {t}))"
        continuous = f"apply (scaled_continuous _ _ {t} {derive})"
        if not bound:
            record = f"(BoundedRow {n} {f} {l} 0 ({f} (- 0)) ({f} 0))"
            hypotheses = f"apply (still_row {n} {f} {l}); [lia|intros; apply {positive}|{continuous}|meets]"
        elif name == "taylor":
            record = f"(BoundedRow {n} {f} {l} {a} ({F} ({at} / {t})) ({F} ({a} / {t})))"
            hypotheses = f"apply (taylor_row {n} {t} {l} {a} {at}); [lia|lra|lra|lra|lra|meets]"
        else:
            record = f"(BoundedRow {n} {f} {l} {a} ({f} (- {a})) ({f} {a}))"
            hypotheses = (f"apply (growing_row {n} {f} {l} {a}); [lia|lra|intros; apply {positive}|"
                          f"{continuous}|intros; apply {name}_grows; lra|meets]")
        equal = f"same {math.lcm(case.unit(), (bound / case.T).denominator)}%positive"
        if claim:
            equal = f"apply ({claim}_equal {record} ltac:({hypotheses})); cbn; now rewrite Ropp_0"
        return Tie(record, equal, hypotheses)
    return tie


def query_keys(case):
    q, k = case.list("query"), case.rows("keys")
    record = f"(QueryKeys {len(k)} {len(q)} {vector(q)} {matrix(k)} {real(case.T)})"
    return Tie(record, f"same {case.T.numerator}%positive")


def log_sum(case):
    q, k = case.list("query"), case.rows("keys")[0]
    record = f"(QueryKey {len(q)} {vector(q)} {vector(k)})"
    return Tie(record, f"apply (lse_attained _ {real(q[0] + k[0])}); meets")


def random_set(case):
    a, _ = weights(case)
    x = case.rows("embeddings")
    record = f"(RandomSet {case.n} {len(x[0])} {int(case.fields['N'])} {a} {matrix(x)})"
    return Tie(record, same(case))


def sphere(claim):
    def tie(case):
        if int(case.fields["dimension"]) != 1 or case.number("delta"):
            raise Untied("Theorem 2 in more than one dimension, or with delta > 0")
        a, I = case.list("weights"), case.ranked()[:int(case.fields["N"])]
        law = "signs_on_sphere" if claim == "lower" else "Signs.signs_are_independent"
        hypotheses = f"apply {law}; meets"
        if claim == "exclusive":
            hypotheses = f"split; [{hypotheses}|reflexivity]"
        is_in = chosen([i in I for i in range(len(a))])
        R, r = real(case.number("M")), real(case.number("r"))
        return Tie(f"(on_line {len(a)} {vector(a)} {is_in} {R} {r})", "same 1%positive", hypotheses)
    return tie


def rank_collapse(case):
    x = case.rows("embeddings")
    n, first = len(x), x[0]
    record = f"(Attending {n} {len(first)} {matrix(x)} {real(case.T)})"
    other = next((v for v in x if v != first), first)
    at_first = chosen([v == first for v in x])
    if other == first:
        return Tie(record, f"apply (one_place_attained _ {vector(first)}); meets")
    return Tie(record, f"apply (two_places_attained _ {vector(first)} {vector(other)} {at_first}); meets")


def stepped(claim):
    def tie(case):
        step = case.list("step")
        record = f"(SteppedRow {softmax_row(case)} {vector(step)})"
        if claim != "sparsemax":
            unit = math.lcm(case.unit(), *((x / case.T).denominator for x in step))
            return Tie(record, f"same {unit}%positive")
        z = [x / case.T for x in case.l]
        moved = [(x + y) / case.T for x, y in zip(case.l, step)]
        a, b = sparsemax(z), sparsemax(moved)
        nearest = []
        for to, at in ((z, a), (moved, b)):
            tau = next(x - y for x, y in zip(to, at) if y)
            nearest.append(f"apply (nearest _ _ _ _ {real(tau)}); meets")
        return Tie(f"(SparseStep {record} {vector(a)} {vector(b)})", "same 1%positive",
                   f"split; [meets|split; [{'|'.join(nearest)}]]")
    return tie


def fano(case):
    record, hypotheses, I, _ = token_set(case, embeddings=False)
    hypotheses = f"split; [{hypotheses}|positive_weights]"
    outside = next(i for i in range(case.n) if i not in I)
    return Tie(record, f"apply (fano_attained {record} {I[0]} {outside} ltac:({hypotheses})); meets", hypotheses)


def gap(case):
    if not rational_weights(case):
        raise Untied("the least and the largest of weights that are not rational")
    return tokens(embeddings=False, extra="meets")(case)


def equal_logits(lemma, record=softmax_row):
    def tie(case):
        if len(set(case.l)) > 1:
            raise Untied("logits that differ")
        return Tie(record(case), f"apply ({lemma} _ {real(case.l[0])}); meets")
    return tie


def colder_row(case):
    return f"(ColderRow {softmax_row(case)} {real(case.number('colder'))})"


def moved_row(case):
    x, h = case.rows("embeddings"), case.list("step")
    unit = 4 * math.lcm(case.unit(), *((y / case.T).denominator for y in h))
    record = (f"(MovedRow {case.n} {len(x[0])} {vector(case.l)} {vector(h)} {real(case.T)} "
              f"{matrix(x)})")
    return Tie(record, f"same {unit}%positive")


def longer_row(case):
    more = case.list("appended")
    mean = sum(more) / len(more)
    unit = math.lcm(case.unit(), *((x / case.T).denominator for x in [*more, mean]))
    return Tie(f"(LongerRow {softmax_row(case)} {len(more)} {vector(more)})", f"same {unit}%positive")


def recovery(case):
    useful, kept = sorted(map(int, case.fields["set"])), order(case.l)[:int(case.fields["N"])]
    sets = " ".join(chosen([i in I for i in range(case.n)]) for I in (useful, kept))
    return Tie(f"(Recovery {case.n} {vector(case.l)} {sets})", "same 1%positive")


def recall(case):
    record, hypotheses, I, x = token_set(case)
    a = rational_weights(case)
    if not a:
        raise Untied("which token is nearest, of weights that are not rational")
    s = [sum(a[i] * x[i][k] for i in I) for k in range(len(x[0]))]
    far = [sum((p * y - z) ** 2 for y, z in zip(row, s)) for p, row in zip(a, x)]
    nearest = min((i for i in range(case.n) if i not in I), key=lambda i: far[i])
    return Tie(f"(BallSet {record} (distance_ {record} {nearest}))", "same 1%positive")


EQUAL = {
    "lemma1.lower": ("Lemma1 Lemma1Equal", bounded("lemma1_lower")),
    "lemma1.upper": ("Lemma1 Lemma1Equal", bounded("lemma1_upper")),
    "lemma1.lower.sharp": ("Lemma1", bounded("")),
    "lemma1.upper.sharp": ("Lemma1", bounded("")),
    "corollary1.lower": ("Corollary1", query_keys),
    "corollary1.upper": ("Corollary1", query_keys),
    "corollary1.lower.sharp": ("Corollary1", query_keys),
    "corollary1.upper.sharp": ("Corollary1", query_keys),
    "corollary1.own_key.lower": ("Corollary1", query_keys),
    "corollary1.own_key.upper": ("Corollary1", query_keys),
    "theorem1.fixed": ("Theorem1 Theorem1Equal", theorem1("theorem1_fixed")),
    "theorem1.fixed.any_set": ("Theorem1 Theorem1Equal", theorem1("theorem1_fixed_any_set")),
    "theorem1.fixed.any_set.repaired": (
        "Theorem1 Theorem1Equal", theorem1("theorem1_fixed_any_set_repaired")),
    "theorem1.fixed.sharp.upper": ("Theorem1", tokens(is_top=True)),
    "theorem1.fixed.sharp.lower": ("Theorem1", tokens(is_top=True)),
    "theorem1.fixed.any_set.sharp": ("Theorem1", tokens(extra="meets")),
    "distance.linear": ("Theorem1", tokens(any_sum=True)),
    "distance.net": ("Theorem1", tokens(any_sum=True)),
    "theorem1.random.lower": ("Theorem1Random", random_set),
    "theorem1.random.upper": ("Theorem1Random", random_set),
    "theorem1.random.sharp": ("Theorem1Random", random_set),
    "corollary2.full_set": ("Theorem1Random Corollary2", random_set),
    "corollary2.full_set.sharp": ("Theorem1Random Corollary2", random_set),
    "corollary2.long_context.repaired": ("Theorem1Random Corollary2", random_set),
    "theorem2.lower": ("Theorem2 Signs", sphere("lower")),
    "theorem2.lower.exclusive": ("Theorem2 Signs", sphere("exclusive")),
    "theorem2.upper": ("Theorem2 Signs", sphere("")),
    "theorem2.lower.sharp": ("Theorem2 Signs", sphere("")),
    "theorem2.upper.repaired": ("Theorem2 Signs", sphere("")),
    "lemma2.sharp": ("Lemma2 Lemma2Equal", norms.lemma2_sharp),
    "lipschitz.taylor": ("Row Normalizers Lemma2Equal", norms.taylor),
    "rank_collapse.diameter": ("Beyond", rank_collapse),
    "cage.norm": ("Beyond", cage),
    "norm_based.largest": ("Beyond", largest),
    "sink.no_op": ("Beyond BeyondEqual", sink),
    "lse.upper": ("Beyond", log_sum),
    "retrieval.deletion": ("Theorem1 Retrieval", tokens(any_sum=True)),
    "retrieval.deletion.mass": ("Theorem1 Retrieval", tokens()),
    "retrieval.renormalised": ("Theorem1 Retrieval", tokens(extra="meets")),
    "retrieval.renormalised.better": ("Theorem1 Retrieval", tokens(extra="meets")),
    "retrieval.renormalised.variance": ("Theorem1 Retrieval Cache", tokens(extra="meets")),
    "retrieval.coherent": ("Theorem1 Retrieval", coherent),
    "distance.radius": ("Theorem1 Retrieval", tokens(any_sum=True)),
    "distance.spread": ("Theorem1 Retrieval", tokens(any_sum=True)),
    "mass.participation": ("Theorem1 Retrieval", tokens(embeddings=False, any_sum=True)),
    "mass.gap": ("Theorem1 Retrieval Cache", gap),
    "dilution.peak.repaired": ("Row Dilution", longer_row),
    "lemma1.entropy": ("Row Entropy", equal_logits("entropy_attained")),
    "lemma1.uniform.repaired": ("Lemma1 Row", equal_logits("uniform_attained")),
    "softmax.entropy": ("Row Entropy", equal_logits("colder_attained", colder_row)),
    "lemma2.local": ("Lemma2", norms.normalized_bound("lemma2_local", ranked=True)),
    "lemma2.oblique": ("Lemma2", norms.normalized_bound("lemma2_oblique")),
    "corollary3": ("Row Corollary3", norms.softmax_norm()),
    "corollary3.sharp": ("Row Corollary3", norms.softmax_norm()),
    "corollary3.local.upper": ("Row Corollary3", norms.softmax_norm(norms.ranked_row)),
    "corollary3.local.lower": ("Row Corollary3", norms.softmax_norm(norms.ranked_row, turned="symmetry; ")),
    "corollary3.cold.sharp": ("Row Corollary3", norms.softmax_norm(norms.ranked_row, parts=2)),
    "corollary3.entrywise": ("Row Corollary3", norms.entries("softmax_largest_entry")),
    "corollary3.frobenius": ("Row Corollary3", norms.entries("Corollary3.frobenius_J")),
    "softmax.row_sums": ("Row Corollary3", norms.entries("softmax_largest_row")),
    "softmax.cocoercive": ("Row Step", stepped("softmax_cocoercive")),
    "lipschitz.scalable_softmax": ("Row Normalizers", norms.scalable),
    "lipschitz.polynomial": ("Row Normalizers", norms.polynomial),
    "lipschitz.pooling": ("Row Pooling", norms.pooling),
    "lipschitz.entmax.any_length": ("Row Entmax", norms.entmax),
    "lipschitz.sinkhorn.sharp": ("Sinkhorn", norms.sinkhorn("lipschitz_sinkhorn_sharp", False)),
    "lipschitz.sinkhorn.local": ("Sinkhorn", norms.sinkhorn("lipschitz_sinkhorn_local", True)),
    "lipschitz.relu_attention": ("Row Normalizers", stepped("relu_attention")),
    "lipschitz.sparsemax": ("Row Normalizers", stepped("sparsemax")),
    "retrieval.precision": ("Theorem1 Retrieval", tokens(any_sum=True)),
    "retrieval.recall": ("Theorem1 Separability Retrieval", recall),
    "retrieval.recovery": ("Retrieval", recovery),
    "mass.fano": ("Theorem1 Retrieval", fano),
    "output.step": ("Retrieval", moved_row),
}
