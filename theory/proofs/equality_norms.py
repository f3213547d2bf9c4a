"""Ties of attained bounds on gradients: the theorem has the upper end, and a vector reaches it."""

from equality_case import Tie, Untied, normalized, same, softmax_row
from terms import Q, listed, matrix, order, real, vector


def ranked_row(case):
    first, second = order(case.l)[:2]
    return f"(RankedRow {softmax_row(case)} {first} {second})"


def softmax_norm(record=softmax_row, parts=1, turned=""):
    """The norm lies between two bounds that meet where the largest weights tie, or all others."""
    def tie(case):
        between = f"{turned}between_bounds {ranked_row(case)} {case.unit(parts)}%positive"
        return Tie(record(case), between)
    return tie


def entries(lemma):
    def tie(case):
        record = softmax_row(case)
        return Tie(record, f"refine (eq_trans ({lemma} {record} ltac:(meets)) _); {same(case)}")
    return tie


def reaching_vector(l):
    """What the gradient stretches most, where the two largest weights tie, or all but the largest."""
    first, second = order(l)[:2]
    if len(l) == 2 or l[first] == l[second]:
        return [Q((i == first) - (i == second)) for i in range(len(l))]
    return [Q(len(l) - 1) if i == first else Q(-1) for i in range(len(l))]


def by_vector(proved, norm, v, case):
    return f"reached ({proved}) ({norm}) {vector(v)} {case.unit()}%positive"


def normalized_bound(claim, ranked=False):
    def tie(case):
        record, meets = normalized(case)
        norm, hypotheses = f"Lemma2.norm_J {record} {meets}", f"exact {meets}"
        if ranked:
            first, second = order(case.l)[:2]
            record = f"(RankedNormalizedRow {record} {first} {second})"
            hypotheses = f"split; [exact {meets}|meets]"
        proved = f"{claim}_proved {record} ltac:({hypotheses})"
        return Tie(record, by_vector(proved, norm, reaching_vector(case.l), case), hypotheses)
    return tie


def scalable(case):
    record, base = softmax_row(case), f"(INR {case.n})"
    norm = (f"normalized_norm (power {base}) (fun z => power {base} z * log {base}) {record} "
            f"ltac:(meets) (power_pos {base}) (power_derive {base})")
    proved = f"lipschitz_scalable_softmax_proved {record} ltac:(meets)"
    return Tie(record, by_vector(proved, norm, reaching_vector(case.l), case))


def polynomial(case):
    degree, bound = int(case.fields["p"]), case.number("a", max(map(abs, case.l)))
    record = f"(PolynomialRow {softmax_row(case)} {degree} {real(bound)})"
    largest = max(range(case.n), key=lambda i: abs(case.l[i]))
    norm = f"polynomial_norm {record} {degree - 1} ltac:(meets) eq_refl"
    v = [Q(i == largest) for i in range(case.n)]
    return Tie(record, by_vector(f"lipschitz_polynomial_proved {record} ltac:(meets)", norm, v, case))


def pooling(case):
    if case.n < 3:
        raise Untied("pooling of two tokens")
    record = f"(PoolingRow {softmax_row(case)} {real(case.number('gain', 1))})"
    x, y, z = case.l[:3]
    across = [z - y, x - z, y - x] if len({x, y, z}) > 1 else [Q(1), Q(-1), Q(0)]
    proved = f"lipschitz_pooling_proved {record} ltac:(meets)"
    norm = f"pooling_norm {record} ltac:(meets)"
    return Tie(record, by_vector(proved, norm, across + [Q(0)] * (case.n - 3), case))


def entmax(case):
    z = [x / case.T / 2 for x in case.l]
    places = order(z)
    for k in range(case.n, 0, -1):
        mean = sum(z[i] for i in places[:k]) / k
        left = (1 - sum((z[i] - mean) ** 2 for i in places[:k])) / k
        if left >= 0 and (z[places[k - 1]] > mean or (z[places[k - 1]] - mean) ** 2 < left):
            break
    record = f"(EntmaxRow {softmax_row(case)} ({real(mean)} - sqrt {real(left)}))"
    first, second = places[:2]
    v = [Q((i == first) - (i == second)) for i in range(case.n)]
    return Tie(record, f"within_frobenius {vector(v)}", "split; [cbn; lia|split; [cbn; lra|same 1%positive]]")


def kernel(rows):
    """A basis of the vectors that all rows are orthogonal to."""
    rows, width, pivots = [list(r) for r in rows], len(rows[0]), []
    for column in range(width):
        at = next((i for i in range(len(pivots), len(rows)) if rows[i][column]), None)
        if at is None:
            continue
        k = len(pivots)
        rows[k], rows[at] = rows[at], rows[k]
        rows[k] = [x / rows[k][column] for x in rows[k]]
        for i, row in enumerate(rows):
            if i != k and row[column]:
                rows[i] = [x - row[column] * y for x, y in zip(row, rows[k])]
        pivots.append(column)
    basis = []
    for free in (c for c in range(width) if c not in pivots):
        v = [Q(0)] * width
        v[free] = Q(1)
        for row, pivot in zip(rows, pivots):
            v[pivot] = -row[free]
        basis.append(v)
    return basis


def sinkhorn(claim, local):
    """A change of the scores that the gradient makes as much longer as the bound says."""
    def tie(case):
        P = case.rows("plan")
        n = len(P)
        columns = [list(c) for c in zip(*P)]

        def bound(p):
            first, second = sorted(p, reverse=True)[:2]
            return first * (1 - first + second)
        m = min(max(map(bound, P)), max(map(bound, columns)))
        # Unknown: w_ij, and u_i and v_j with (m/P_ij - 1) w_ij = u_i + v_j.
        width, rows = n * n + 2 * n, []
        for i in range(n):
            for j in range(n):
                row = [Q(0)] * width
                row[i * n + j] = m / P[i][j] - 1
                row[n * n + i] = row[n * n + n + j] = Q(-1)
                rows.append(row)
        for i in range(n):
            rows.append([Q(k < n * n and k // n == i) for k in range(width)])
            rows.append([Q(k < n * n and k % n == i) for k in range(width)])
        w = next(v for v in kernel(rows) if any(v[:n * n]))
        change = matrix([w[i * n:(i + 1) * n] for i in range(n)])
        u, v = ([x / case.T for x in w[n * n + k * n:n * n + (k + 1) * n]] for k in (0, 1))
        plan = f"(TransportPlan {n} {matrix(P)} {real(case.T)})"
        places = " ".join(f"(fun i => nth i {listed(f'{order(r)[k]}%nat' for r in part)} 0%nat)"
                          for part in (P, columns) for k in (0, 1))
        record = f"(RankedPlan {plan} {places})" if local else plan
        proof = (f"apply Rle_antisym; [apply {claim}_proved; meets|"
                 f"apply (Rle_trans _ {real(m / case.T)}); [right; same 1%positive|"
                 f"apply (change_attained {plan} {change} {real(m / case.T)}); [meets|lra|numbers; lra|"
                 f"exists {vector(u)}, {vector(v)}; meets]]]")
        return Tie(record, proof)
    return tie


def taylor(case):
    record = softmax_row(case)
    return Tie(record, f"apply (lipschitz_taylor_equal {record} ltac:(meets)); meets")


def lemma2_sharp(case):
    record, meets = normalized(case)
    return Tie(record, f"apply (lemma2_sharp_equal {record} {meets}); same_slopes",
               f"exact {meets}")
