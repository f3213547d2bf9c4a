#include "theory/claims/gradient.hpp"

#include "theory/claims/families.hpp"
#include "theory/norm/spectral_norm.hpp"

namespace attn {
namespace {

/// J = (diag a - a a^T) diag(F'/F), entry by entry from J_ij = delta_ij F'_i/S - F_i F'_j/S^2.
template <class S>
Matrix<S> jacobian(const Normalized<S>& f) {
  const auto n = static_cast<Eigen::Index>(f.value.size());
  const S sum = std::accumulate(f.value.begin(), f.value.end(), S(0.0));
  Matrix<S> j(n, n);
  for (Eigen::Index col = 0; col < n; ++col) {
    const S slope = f.derivative[static_cast<std::size_t>(col)] / sum;
    S others(0.0);
    for (Eigen::Index row = 0; row < n; ++row) {
      if (row == col) continue;
      const S weight = f.value[static_cast<std::size_t>(row)] / sum;
      j(row, col) = -(weight * slope);
      others += weight;
    }
    j(col, col) = slope * others;  // 1 - a_col, without cancellation
  }
  return j;
}

/// ||J|| for the case's normaliser: by the secular equation for softmax, by Cholesky for the
/// others.
template <class S>
S jacobian_norm(const Problem& problem, const Normalized<S>& f) {
  if (problem.input().normalizer == Normalizer::softmax) {
    return softmax_jacobian_norm(sorted_softmax<S>(problem)) / from<S>(problem.input().temperature);
  }
  return spectral_norm(jacobian(f));
}

struct Lemma2 {
  template <class S>
  static Sides<S> sides(const Problem& problem) {
    const Normalized<S> f = normalize<S>(problem);
    return {jacobian_norm(problem, f), lemma2_bound(f)};
  }
};

struct Lemma2Sharp {
  template <class S>
  static Sides<S> sides(const Problem& problem) {
    const Normalized<S> f = normalize<S>(problem);
    return {jacobian_norm(problem, f), lemma2_sharp_bound(f)};
  }
};

/// The softmax weights and the temperature, which every part of Corollary 3 starts from.
template <class S>
struct Softmax {
  SortedWeights<S> w;
  S temperature;
  explicit Softmax(const Problem& problem)
      : w(sorted_softmax<S>(problem)), temperature(from<S>(problem.input().temperature)) {}
  [[nodiscard]] S norm() const { return softmax_jacobian_norm(w) / temperature; }
};

struct Corollary3 {
  template <class S>
  static Sides<S> sides(const Problem& problem) {
    const Softmax<S> softmax(problem);
    return {softmax.norm(), corollary3_printed_bound(softmax.temperature)};
  }
};

struct Corollary3Entrywise {
  template <class S>
  static Sides<S> sides(const Problem& problem) {
    const Softmax<S> softmax(problem);
    return {largest_entry(softmax.w) / softmax.temperature,
            S(1.0) / (S(4.0) * softmax.temperature)};
  }
};

struct Corollary3Sharp {
  template <class S>
  static Sides<S> sides(const Problem& problem) {
    const Softmax<S> softmax(problem);
    return {softmax.norm(), corollary3_sharp_bound(softmax.temperature)};
  }
};

struct Corollary3LocalLower {
  template <class S>
  static Sides<S> sides(const Problem& problem) {
    const Softmax<S> softmax(problem);
    return {softmax.w.a[1] / softmax.temperature, softmax.norm()};
  }
};

struct Corollary3LocalUpper {
  template <class S>
  static Sides<S> sides(const Problem& problem) {
    const Softmax<S> softmax(problem);
    return {softmax.norm(), corollary3_local_upper(softmax.w) / softmax.temperature};
  }
};

constexpr Claim kClaims[] = {
    {
        .id = "lemma2",
        .title = "How large the gradient of a normaliser gets",
        .statement = "||J|| <= max|F'| (1/(L min F) + max F/(L (min F)^2)), J = da/dl, maxima over "
                     "the given logits",
        .paper = "Lemma 2",
        .provenance = Provenance::reconstructed,
        .status = Status::proved,
        .argument = "J = diag(F')/S - F F'^T/S^2, so ||J|| <= max|F'|/S + ||F|| ||F'||/S^2 with "
                    "S >= L min F, ||F|| <= sqrt(L) max F, ||F'|| <= sqrt(L) max|F'|. Always at "
                    "least twice too large.",
        .shape = Shape::logits,
        .evaluators = evaluators_of<Lemma2>(),
    },
    {
        .id = "lemma2.sharp",
        .title = "The sharp gradient bound of a normaliser",
        .statement = "||J|| <= (1/2) max_j |F'(l_j)/F(l_j)|",
        .paper = "Lemma 2",
        .provenance = Provenance::derived,
        .status = Status::proved,
        .argument = "J = (diag a - a a^T) diag(F'/F), and ||diag a - a a^T|| <= 1/2. Attained at "
                    "L = 2 with equal logits.",
        .shape = Shape::logits,
        .evaluators = evaluators_of<Lemma2Sharp>(),
    },
    {
        .id = "corollary3",
        .title = "The printed gradient bound of softmax",
        .statement = "||J|| <= min{1/(4T), sqrt 2} for softmax",
        .paper = "Corollary 3",
        .provenance = Provenance::quoted,
        .status = Status::refuted,
        .argument = "L = 2, equal logits: a = (1/2, 1/2), J = (1/(4T)) [[1, -1], [-1, 1]], whose "
                    "norm is 2/(4T) = 1/(2T): twice the printed 1/(4T).",
        .shape = Shape::logits_softmax,
        .evaluators = evaluators_of<Corollary3>(),
    },
    {
        .id = "corollary3.entrywise",
        .title = "Where 1/4 comes from: the entries of the gradient",
        .statement = "max_ij |J_ij| <= 1/(4T) for softmax",
        .paper = "Corollary 3",
        .provenance = Provenance::derived,
        .status = Status::proved,
        .argument = "J_ii = a_i (1 - a_i)/T <= 1/(4T), and |J_ij| = a_i a_j/T <= a_i (1 - a_i)/T.",
        .shape = Shape::logits_softmax,
        .evaluators = evaluators_of<Corollary3Entrywise>(),
    },
    {
        .id = "corollary3.sharp",
        .title = "The sharp gradient bound of softmax",
        .statement = "||J|| <= 1/(2T) for softmax",
        .paper = "Corollary 3",
        .provenance = Provenance::derived,
        .status = Status::proved,
        .argument = "lemma2.sharp with F'/F = 1/T. Attained at L = 2 with equal logits.",
        .shape = Shape::logits_softmax,
        .evaluators = evaluators_of<Corollary3Sharp>(),
    },
    {
        .id = "corollary3.local.lower",
        .title = "The gradient is at least the second weight",
        .statement = "a_(2)/T <= ||J|| for softmax, a_(2) the second largest weight",
        .paper = "Corollary 3",
        .provenance = Provenance::derived,
        .status = Status::proved,
        .argument = "diag a - a a^T is a diagonal minus a rank one: its largest eigenvalue lies "
                    "between the two largest weights (interlacing).",
        .shape = Shape::logits_softmax,
        .evaluators = evaluators_of<Corollary3LocalLower>(),
    },
    {
        .id = "corollary3.local.upper",
        .title = "The gradient is at most what the weights at hand allow",
        .statement = "||J|| <= min(a_(1), max_i 2 a_i (1 - a_i))/T for softmax, a_(1) the largest "
                     "weight",
        .paper = "Corollary 3",
        .provenance = Provenance::derived,
        .status = Status::proved,
        .argument =
            "Interlacing gives a_(1); Gershgorin gives a_i (1 - a_i) + sum_{j != i} a_i a_j "
            "= 2 a_i (1 - a_i).",
        .shape = Shape::logits_softmax,
        .evaluators = evaluators_of<Corollary3LocalUpper>(),
    },
};

}  // namespace

std::span<const Claim> gradient_claims() {
  return kClaims;
}

}  // namespace attn
