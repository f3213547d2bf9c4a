#include "theory/claims/normalizers.hpp"

#include "theory/claims/families.hpp"

namespace attn {

std::vector<Rational> relu_attention(const std::vector<Rational>& z) {
  std::vector<Rational> a;
  for (const Rational& value : z) a.emplace_back(value > 0 ? Rational(value / z.size()) : 0);
  return a;
}

std::vector<Rational> self_adjustment(const std::vector<Rational>& z) {
  const Rational low = std::min(Rational(0), *std::ranges::min_element(z));
  const Rational high = std::max(Rational(0), *std::ranges::max_element(z));
  std::vector<Rational> factor;
  for (const Rational& value : z) factor.emplace_back((value - low) / (high - low));
  return factor;
}

std::vector<std::vector<Rational>> sinkhorn_jacobian(const std::vector<std::vector<Rational>>& p) {
  const std::size_t n = p.size();
  const std::size_t sums = 2 * n - 1;  // the last column's sum follows from the others
  const auto meets = [n](std::size_t sum, std::size_t i, std::size_t j) {
    return sum < n ? i == sum : j == sum - n;
  };
  // [B D B^T | B D] to [I | X], X = (B D B^T)^-1 B D, by Gauss-Jordan: B D B^T is positive
  // definite.
  std::vector<std::vector<Rational>> m(sums, std::vector<Rational>(sums + n * n));
  for (std::size_t s = 0; s < sums; ++s) {
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        if (!meets(s, i, j)) continue;
        m[s][sums + i * n + j] = p[i][j];
        for (std::size_t t = 0; t < sums; ++t) {
          if (meets(t, i, j)) m[s][t] += p[i][j];
        }
      }
    }
  }
  for (std::size_t pivot = 0; pivot < sums; ++pivot) {
    const Rational scale = m[pivot][pivot];
    for (Rational& entry : m[pivot]) entry /= scale;
    for (std::size_t row = 0; row < sums; ++row) {
      if (row == pivot || m[row][pivot] == 0) continue;
      const Rational factor = m[row][pivot];
      for (std::size_t k = pivot; k < m[row].size(); ++k) m[row][k] -= factor * m[pivot][k];
    }
  }
  std::vector<std::vector<Rational>> jacobian(n * n, std::vector<Rational>(n * n));
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      for (std::size_t e = 0; e < n * n; ++e) {
        Rational constrained = m[i][sums + e];
        if (j + 1 < n) constrained += m[n + j][sums + e];
        jacobian[i * n + j][e] = (i * n + j == e ? p[i][j] : Rational(0)) - p[i][j] * constrained;
      }
    }
  }
  return jacobian;
}

namespace {

template <class S>
S temperature_of(const Problem& problem) {
  return from<S>(problem.temperature());
}

/// ||J|| <= 1/(2T) for a normaliser F / sum F with |F'/F| <= 1/T.
struct RatioLipschitz {
  template <class S>
  static Sides<S> sides(const Problem& problem) {
    return {jacobian_norm(problem, normalize<S>(problem)),
            corollary3_sharp_bound(temperature_of<S>(problem))};
  }
};

struct ScalableSoftmax {
  template <class S>
  static Sides<S> sides(const Problem& problem) {
    const S slope = log_positive(from_count<S>(problem.tokens()));
    return {jacobian_norm(problem, normalize<S>(problem)),
            slope * corollary3_sharp_bound(temperature_of<S>(problem))};
  }
};

struct EntmaxAnyLength {
  template <class S>
  static Sides<S> sides(const Problem& problem) {
    return {entmax_terms<S>(problem).norm,
            S(1.0) / (sqrt_nonnegative(S(2.0)) * temperature_of<S>(problem))};
  }
};

struct EntmaxLocal {
  template <class S>
  static Sides<S> sides(const Problem& problem) {
    const auto t = entmax_terms<S>(problem);
    return {t.norm, t.largest_root / temperature_of<S>(problem)};
  }
};

struct Softmax1 {
  template <class S>
  static Sides<S> sides(const Problem& problem) {
    return {softmax1_norm<S>(problem), corollary3_sharp_bound(temperature_of<S>(problem))};
  }
};

struct SigmoidAttention {
  template <class S>
  static Sides<S> sides(const Problem& problem) {
    return {sigmoid_attention_norm<S>(problem), S(1.0) / (S(4.0) * temperature_of<S>(problem))};
  }
};

struct PoolingLocal {
  template <class S>
  static Sides<S> sides(const Problem& problem) {
    const Pooling t = pooling_terms(problem);
    const S slope = from<S>(problem.gain()) /
                    (temperature_of<S>(problem) * sqrt_nonnegative(from<S>(t.variance)));
    return {spectral_norm(enclosed_matrix<S>(t.projection)) * slope, slope};
  }
};

Rational power(const Rational& base, std::size_t exponent) {
  Rational result = 1;
  for (std::size_t i = 0; i < exponent; ++i) result *= base;
  return result;
}

/// p max|z|^(p-1) / (sqrt(L) T) against p b^(p-1) / (sqrt(L) T): J is diagonal.
struct Polynomial {
  template <class S>
  static Sides<S> sides(const Problem& problem) {
    Rational largest = 0;
    for (const Rational& z : problem.scaled_logits()) largest = std::max(largest, Rational(abs(z)));
    const std::size_t p = problem.degree();
    const S root = sqrt_nonnegative(from_count<S>(problem.tokens()));
    const Rational scale = Rational(p) / problem.temperature();
    return {
        from<S>(Rational(scale * power(largest, p - 1))) / root,
        from<S>(Rational(scale * power(*problem.bound() / problem.temperature(), p - 1))) / root};
  }
};

std::vector<Rational> moved_logits(const Problem& problem) {
  std::vector<Rational> z = problem.scaled_logits();
  for (std::size_t i = 0; i < z.size(); ++i) z[i] += problem.step()[i] / problem.temperature();
  return z;
}

Rational squared_distance_of(const std::vector<Rational>& a, const std::vector<Rational>& b) {
  Rational sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return sum;
}

/// ||h||^2 / T^2.
Rational squared_step(const Problem& problem) {
  return squared_distance_of(moved_logits(problem), problem.scaled_logits());
}

/// ||f(l + h) - f(l)|| against ||h||/T times `constant`, for an f of rational values.
template <class S, class Map>
Sides<S> rational_step(const Problem& problem, Map map, const Rational& constant) {
  const Rational moved =
      squared_distance_of(map(moved_logits(problem)), map(problem.scaled_logits()));
  const Rational allowed = constant * constant * squared_step(problem);
  return {sqrt_nonnegative(from<S>(moved)), sqrt_nonnegative(from<S>(allowed))};
}

struct Sparsemax {
  template <class S>
  static Sides<S> sides(const Problem& problem) {
    return rational_step<S>(problem, &sparsemax, 1);
  }
};

struct ReluAttention {
  template <class S>
  static Sides<S> sides(const Problem& problem) {
    return rational_step<S>(problem, &relu_attention, Rational(1, problem.tokens()));
  }
};

struct SelfAdjusted {
  template <class S>
  static std::vector<S> weights(const std::vector<Rational>& z) {
    using std::exp;
    const Rational top = *std::ranges::max_element(z);
    std::vector<S> a;
    for (const Rational& value : z) a.push_back(exp(from<S>(Rational(value - top))));
    a = weights_of(a);
    const std::vector<Rational> factor = self_adjustment(z);
    for (std::size_t i = 0; i < z.size(); ++i) a[i] *= from<S>(factor[i]);
    return a;
  }

  template <class S>
  static Sides<S> sides(const Problem& problem) {
    const auto before = weights<S>(problem.scaled_logits());
    const auto after = weights<S>(moved_logits(problem));
    S squares(0.0);
    for (std::size_t i = 0; i < before.size(); ++i) squares += square(S(after[i] - before[i]));
    const Rational& constant = problem.constant();
    const Rational allowed = constant * constant * squared_step(problem);
    return {sqrt_nonnegative(squares), sqrt_nonnegative(from<S>(allowed))};
  }
};

template <class S>
S sinkhorn_norm(const Problem& problem) {
  return spectral_norm(enclosed_matrix<S>(sinkhorn_jacobian(problem.plan()))) /
         temperature_of<S>(problem);
}

struct Sinkhorn {
  template <class S>
  static Sides<S> sides(const Problem& problem) {
    return {sinkhorn_norm<S>(problem), S(1.0) / temperature_of<S>(problem)};
  }
};

struct SinkhornSharp {
  template <class S>
  static Sides<S> sides(const Problem& problem) {
    return {sinkhorn_norm<S>(problem), corollary3_sharp_bound(temperature_of<S>(problem))};
  }
};

std::string_view spread_out(const Problem& problem) {
  return variance_of(problem.logits()) > 0 ? std::string_view{} : "std > 0";
}

std::string_view within_bound(const Problem& problem) {
  for (const Rational& logit : problem.logits()) {
    if (abs(logit) > *problem.bound()) return "|l_i| <= a";
  }
  return {};
}

std::string_view off_the_origin(const Problem& problem) {
  const auto is_zero = [](const Rational& z) { return z == 0; };
  const bool undefined = std::ranges::all_of(problem.logits(), is_zero) ||
                         std::ranges::all_of(moved_logits(problem), is_zero);
  return undefined ? "not all logits zero" : std::string_view{};
}

/// Both sides by themselves: the claim's statement says what they are.
template <class Formula>
std::vector<Step> side_steps(const Problem& problem) {
  const auto sides = Formula::template sides<Interval<50>>(problem);
  return {{"left", sides.lhs}, {"right", sides.rhs}};
}

std::vector<Step> entmax_steps(const Problem& problem) {
  const auto t = entmax_terms<Interval<50>>(problem);
  return {{"||J||", t.norm},
          {"max_i sqrt(a_i)", t.largest_root},
          {"size of the support", from_count<Interval<50>>(problem.support().tokens.size())}};
}

/// One logit of 13/8 above 47 zeros.
constexpr std::string_view kOneAbove47 =
    R"({"logits":["13/8","0","0","0","0","0","0","0","0","0","0","0","0","0",)"
    R"("0","0","0","0","0","0","0","0","0","0","0","0","0","0","0","0","0","0)"
    R"(","0","0","0","0","0","0","0","0","0","0","0","0","0","0","0","0"],"te)"
    R"(mperature":"1","normalizer":"entmax"})";

constexpr std::string_view kPaper = "Section 4, other normalisers";

constexpr Claim kClaims[] = {
    {
        .id = "lipschitz.sigmoid",
        .title = "The gradient of the normalised sigmoid",
        .statement = "||J|| <= 1/(2T) for F(z) = 1/(1 + exp(-z))",
        .paper = kPaper,
        .provenance = Provenance::derived,
        .status = Status::proved,
        .argument = "lemma2.sharp with F'/F = (1 - F)/T < 1/T. Approached at L = 2 with equal "
                    "logits far below zero.",
        .kind = RowOf{Normalizer::sigmoid},
        .evaluators = evaluators_of<RatioLipschitz>(),
        .steps = &side_steps<RatioLipschitz>,
    },
    {
        .id = "lipschitz.softplus",
        .title = "The gradient of the normalised softplus",
        .statement = "||J|| <= 1/(2T) for F(z) = log(1 + exp(z))",
        .paper = kPaper,
        .provenance = Provenance::derived,
        .status = Status::proved,
        .argument = "lemma2.sharp with F'/F = w/(T (1 + w) log(1 + w)) < 1/T, w = exp(z), since "
                    "log(1 + w) > w/(1 + w). Approached at L = 2 with equal logits far below zero.",
        .kind = RowOf{Normalizer::softplus},
        .evaluators = evaluators_of<RatioLipschitz>(),
        .steps = &side_steps<RatioLipschitz>,
    },
    {
        .id = "lipschitz.taylor",
        .title = "The gradient of the normalised Taylor polynomial",
        .statement = "||J|| <= 1/(2T) for F(z) = 1 + z + z^2/2",
        .paper = kPaper,
        .provenance = Provenance::derived,
        .status = Status::proved,
        .argument = "lemma2.sharp with |F'/F| = 2|u|/(T (1 + u^2)) <= 1/T, u = 1 + z. Attained at "
                    "L = 2 with both logits zero.",
        .kind = RowOf{Normalizer::taylor},
        .evaluators = evaluators_of<RatioLipschitz>(),
        .steps = &side_steps<RatioLipschitz>,
        .example = R"({"logits":["0","0"],"temperature":"1","normalizer":"taylor"})",
    },
    {
        .id = "lipschitz.scalable_softmax",
        .title = "The gradient of Scalable-Softmax",
        .statement = "||J|| <= ln(L)/(2T) for F(z) = L^z",
        .paper = kPaper,
        .provenance = Provenance::derived,
        .status = Status::proved,
        .argument = "corollary3.sharp at temperature T/ln L. Attained at L = 2 with equal logits.",
        .kind = RowOf{Normalizer::scalable_softmax},
        .evaluators = evaluators_of<ScalableSoftmax>(),
        .steps = &side_steps<ScalableSoftmax>,
        .example = R"({"logits":["0","0"],"temperature":"1","normalizer":"scalable_softmax"})",
    },
    {
        .id = "lipschitz.sparsemax",
        .title = "How far sparsemax moves",
        .statement = "||f(l+h) - f(l)|| <= ||h||/T for sparsemax",
        .paper = kPaper,
        .provenance = Provenance::derived,
        .status = Status::proved,
        .argument = "A projection on a convex set moves two points no further apart. Attained by "
                    "steps inside the simplex.",
        .kind = StepOf{Normalizer::sparsemax},
        .evaluators = evaluators_of<Sparsemax>(),
        .steps = &side_steps<Sparsemax>,
        .example =
            R"({"logits":["0","0"],"temperature":"1","normalizer":"sparsemax","step":["1/4","-1/4"]})",
    },
    {
        .id = "lipschitz.entmax.any_length",
        .title = "The gradient of 1.5-entmax, by the constant of two tokens",
        .statement =
            "||J|| <= 2^(-1/2)/T for 1.5-entmax of any length, a_i = max(z_i/2 - tau, 0)^2",
        .paper = kPaper,
        .provenance = Provenance::derived,
        .status = Status::refuted,
        .argument =
            "J = diag u - u u^T/sum u with u_i = sqrt(a_i). For u = (c, b, ..., b) of k entries "
            "||J|| = k c b/(c + (k-1) b), which is at most 2^(-1/2) at k = 2 but tends to c < 1 as "
            "k grows. One logit 13/8 above 47 zeros, T = 1: ||J|| = 0.70757... > 0.70710... .",
        .kind = RowOf{Normalizer::entmax},
        .evaluators = evaluators_of<EntmaxAnyLength>(),
        .steps = &entmax_steps,
        .example = kOneAbove47,
    },
    {
        .id = "lipschitz.entmax",
        .title = "The gradient of 1.5-entmax",
        .statement = "||J|| <= max_i sqrt(a_i)/T for 1.5-entmax, hence ||J|| <= 1/T",
        .paper = kPaper,
        .provenance = Provenance::derived,
        .status = Status::proved,
        .argument = "J = (diag u - u u^T/sum u)/T is positive semidefinite and at most diag(u)/T, "
                    "u_i = sqrt(a_i). Attained where the largest logit is tied; 1/T is approached "
                    "as L grows.",
        .kind = RowOf{Normalizer::entmax},
        .evaluators = evaluators_of<EntmaxLocal>(),
        .steps = &entmax_steps,
        .example = R"({"logits":["0","0"],"temperature":"1","normalizer":"entmax"})",
    },
    {
        .id = "lipschitz.self_adjusted",
        .title = "How far Self-Adjusted Softmax moves",
        .statement = "||f(l+h) - f(l)|| <= K ||h||/T for Self-Adjusted Softmax, for a K given "
                     "beforehand",
        .paper = kPaper,
        .provenance = Provenance::derived,
        .status = Status::refuted,
        .argument = "L = 2, T = 1, l = (t, 0), l + h = (-t, 0): the weights go from about (1/2, 0) "
                    "to about (0, 1/2), however small t is. K = 1000, t = 1/4000: the left side is "
                    "0.7071..., the right side 1/2.",
        .kind = StepOf{Normalizer::self_adjusted},
        .evaluators = evaluators_of<SelfAdjusted>(),
        .unmet = &off_the_origin,
        .steps = &side_steps<SelfAdjusted>,
        .example =
            R"({"logits":["1/4000","0"],"temperature":"1","normalizer":"self_adjusted","step":["-1/2000","0"],"K":"1000"})",
    },
    {
        .id = "lipschitz.softmax1",
        .title = "The gradient of softmax1",
        .statement = "||J|| <= 1/(2T) for softmax1, a_i = exp(z_i)/(1 + sum_j exp(z_j))",
        .paper = kPaper,
        .provenance = Provenance::derived,
        .status = Status::proved,
        .argument = "J is a block of the Jacobian of softmax with one more logit 0: "
                    "corollary3.sharp. Approached at L = 2 with equal large logits.",
        .kind = RowOf{Normalizer::softmax1},
        .evaluators = evaluators_of<Softmax1>(),
        .steps = &side_steps<Softmax1>,
    },
    {
        .id = "lipschitz.sigmoid_attention",
        .title = "The gradient of sigmoid attention",
        .statement = "||J|| <= 1/(4T) for sigmoid attention, a_i = 1/(1 + exp(-(z_i - ln L)))",
        .paper = kPaper,
        .provenance = Provenance::derived,
        .status = Status::proved,
        .argument = "J is diagonal with entries a_i (1 - a_i)/T <= 1/(4T). Approached as some z_i "
                    "nears ln L.",
        .kind = RowOf{Normalizer::sigmoid_attention},
        .evaluators = evaluators_of<SigmoidAttention>(),
        .steps = &side_steps<SigmoidAttention>,
    },
    {
        .id = "lipschitz.relu_attention",
        .title = "How far ReLU attention moves",
        .statement = "||f(l+h) - f(l)|| <= ||h||/(L T) for ReLU attention, a_i = max(z_i, 0)/L",
        .paper = kPaper,
        .provenance = Provenance::derived,
        .status = Status::proved,
        .argument = "|max(u, 0) - max(v, 0)| <= |u - v|, entry by entry. Attained where all z stay "
                    "positive.",
        .kind = StepOf{Normalizer::relu_attention},
        .evaluators = evaluators_of<ReluAttention>(),
        .steps = &side_steps<ReluAttention>,
        .example =
            R"({"logits":["1","1"],"temperature":"1","normalizer":"relu_attention","step":["1","0"]})",
    },
    {
        .id = "lipschitz.pooling",
        .title = "The gradient of normalised attention pooling",
        .statement = "||J|| <= gain/(T std) for a_i = gain (z_i - mean)/std, std > 0 of z over L",
        .paper = kPaper,
        .provenance = Provenance::derived,
        .status = Status::proved,
        .argument = "J = (gain/(T std)) (I - 1 1^T/L - n n^T/L), n = (z - mean)/std: an orthogonal "
                    "projection times gain/(T std). Attained for every L >= 3; no constant holds "
                    "for all logits, as std -> 0 shows.",
        .kind = RowOf{Normalizer::pooling},
        .evaluators = evaluators_of<PoolingLocal>(),
        .unmet = &spread_out,
        .steps = &side_steps<PoolingLocal>,
        .example =
            R"({"logits":["-1","0","1"],"temperature":"1","normalizer":"pooling","gain":"1"})",
    },
    {
        .id = "lipschitz.sinkhorn",
        .title = "The gradient of Sinkhorn attention",
        .statement = "||J|| <= 1/T for the doubly stochastic P that exp(C/T) is scaled to, J = "
                     "dP/dC",
        .paper = kPaper,
        .provenance = Provenance::derived,
        .status = Status::proved,
        .argument = "J = (D - D B^T (B D B^T)^+ B D)/T is positive semidefinite and at most D/T, D "
                    "= diag(vec P), whose entries are at most 1. Always at least twice too large: "
                    "lipschitz.sinkhorn.sharp.",
        .kind = TransportPlan{},
        .evaluators = evaluators_of<Sinkhorn>(),
        .steps = &side_steps<Sinkhorn>,
    },
    {
        .id = "lipschitz.sinkhorn.sharp",
        .title = "The sharp gradient bound of Sinkhorn attention",
        .statement = "||J|| <= 1/(2T) for the doubly stochastic P that exp(C/T) is scaled to",
        .paper = kPaper,
        .provenance = Provenance::derived,
        .status = Status::proved,
        .argument = "With only the rows constrained the same expression is block diagonal, each "
                    "block diag p - p p^T of a row p, of norm at most 1/2; constraining the "
                    "columns too makes J smaller. Attained at L = 2, all P_ij = 1/2.",
        .kind = TransportPlan{},
        .evaluators = evaluators_of<SinkhornSharp>(),
        .steps = &side_steps<SinkhornSharp>,
        .example = R"({"plan":[["1/2","1/2"],["1/2","1/2"]],"temperature":"1"})",
        .sharpens = "lipschitz.sinkhorn",
    },
    {
        .id = "lipschitz.polynomial",
        .title = "The gradient of polynomial attention",
        .statement = "||J|| <= p b^(p-1)/(sqrt(L) T) for a_i = z_i^p/sqrt(L), |z_i| <= b = a/T",
        .paper = kPaper,
        .provenance = Provenance::derived,
        .status = Status::proved,
        .argument = "J is diagonal with entries p z_i^(p-1)/(sqrt(L) T). Attained where some |z_i| "
                    "= b.",
        .kind = RowOf{Normalizer::polynomial},
        .evaluators = evaluators_of<Polynomial>(),
        .unmet = &within_bound,
        .steps = &side_steps<Polynomial>,
        .example =
            R"({"logits":["1","0"],"temperature":"1","normalizer":"polynomial","a":"1","p":2})",
    },
};

}  // namespace

std::span<const Claim> normalizer_claims() {
  return kClaims;
}

}  // namespace attn
