#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "theory/attention/expectation.hpp"
#include "theory/attention/normalizer.hpp"
#include "theory/attention/sampling.hpp"
#include "theory/base/bad_input.hpp"
#include "theory/claims/claim.hpp"

namespace attn {
namespace {

/// The exact expectation of Theorem 2 adds up this many sign patterns for one token at most.
constexpr std::size_t kMaxSignPatterns = std::size_t{1} << 20;

/// The Jacobian of Sinkhorn's fixed point has L^4 rational entries.
constexpr std::size_t kMaxPlan = 8;

/// E[D] is enumerated over up to 20,000 sets, or sampled: this bounds the work of each.
constexpr std::size_t kMaxRandomTokens = 4096;

/// What keeps a case within seconds at every level: coordinates that Theorem 1 compares, that all
/// sets of a random selection add up, that a sampled share draws for one direction each; bits of a
/// plan.
constexpr std::size_t kMaxCompared = std::size_t{1} << 23;
constexpr std::size_t kMaxAdded = 5'000'000;
constexpr std::size_t kMaxDrawn = std::size_t{1} << 15;
constexpr std::size_t kMaxPlanBits = std::size_t{1} << 14;

/// The norm of a general normaliser's Jacobian is certified on an L x L matrix in O(L^3).
constexpr std::size_t kMaxMatrix = 256;

/// One complaint about one field of a case.
class Complaint {
 public:
  explicit Complaint(const Claim& claim) : claim_(claim) {}

  /// Throws BadInput unless `ok`.
  template <class... Args>
  void unless(bool ok, fmt::format_string<Args...> message, Args&&... args) const {
    if (!ok) {
      throw BadInput(fmt::format("case of {}: {}", claim_.id,
                                 fmt::format(message, std::forward<Args>(args)...)));
    }
  }

 private:
  const Claim& claim_;
};

bool is_zero(const std::vector<Rational>& values) {
  return std::ranges::all_of(values, [](const Rational& x) { return x == 0; });
}

/// A field that the kind does not have would be ignored in silence, and two in the place of one
/// would leave open what is meant.
void check_only_own_fields(const Complaint& complain, const Kind& kind, const Case& input) {
  complain.unless(input.logits.empty() || input.weights.empty(),
                  "give logits or weights, not both");
  complain.unless(!input.top_n || input.set.empty(), "give N or set, not both");
  const auto own = fields_of(kind);
  std::vector<std::string_view> names;
  for (const FieldOfKind& row : own) names.push_back(row.field->name);
  for (const Field* field : kFields) {
    complain.unless(!is_given(*field, input) || std::ranges::count(names, field->name) > 0,
                    "speaks of no {}; its fields are {}", field->name, fmt::join(names, ", "));
  }
}

void check_one_of(const Complaint& complain, const Kind& kind, const Case& input) {
  bool asked = false;
  bool given = false;
  std::vector<std::string_view> names;
  for (const auto& [field, presence] : fields_of(kind)) {
    if (presence != Presence::one_of) continue;
    asked = true;
    given = given || is_given(*field, input);
    names.push_back(field->name);
  }
  complain.unless(!asked || given, "needs {}, found neither", fmt::join(names, " or "));
}

/// Whether the value of one field lies in the field's range. Fields before it were checked.
class RangeCheck {
 public:
  RangeCheck(const Complaint& complain, const Kind& kind, const Field& field, const Case& input)
      : complain_(complain), kind_(kind), name_(field.name), input_(input) {}

  void operator()(const Logits& role) const { check_tokens((input_.*role.at).size()); }

  void operator()(const Displacement& role) const {
    const std::vector<Rational>& values = input_.*role.at;
    complain_.unless(values.size() == input_.tokens(),
                     "{}: one number a token, {} expected, found {}", name_, input_.tokens(),
                     values.size());
    complain_.unless(!is_zero(values), "{} must not be zero", name_);
  }

  void operator()(const Shares& role) const {
    const std::vector<Rational>& shares = input_.*role.at;
    check_tokens(shares.size());
    Rational sum = 0;
    for (const Rational& share : shares) {
      complain_.unless(share >= 0, "{} must be >= 0, found {}", name_, to_string(share));
      sum += share;
    }
    complain_.unless(sum == 1,
                     "{} must sum to exactly 1, found a sum off by {}; give them as quotients over "
                     "their sum",
                     name_, Rational(sum - 1).convert_to<double>());
  }

  void operator()(const TokenVectors& role) const {
    const auto& rows = input_.*role.at;
    if (input_.length) {
      complain_.unless(rows.size() == 1, "{}: one row, which all tokens share, found {}", name_,
                       rows.size());
    } else {
      check_tokens(input_.tokens());
      complain_.unless(rows.size() == input_.tokens(), "{}: one row a token, {} expected, found {}",
                       name_, input_.tokens(), rows.size());
    }
    const std::size_t width = rows.front().size();
    for (const auto& row : rows) {
      complain_.unless(!row.empty() && row.size() == width,
                       "{}: rows of equal length >= 1 are needed, found {} and {}", name_, width,
                       row.size());
    }
  }

  void operator()(const Coordinates& role) const {
    complain_.unless(!(input_.*role.at).empty(), "{} is missing", name_);
  }

  void operator()(const DoublyStochastic& role) const {
    const auto& plan = input_.*role.at;
    const std::size_t n = plan.size();
    complain_.unless(n >= 2 && n <= kMaxPlan, "{}: 2 to {} rows are needed, found {}", name_,
                     kMaxPlan, n);
    std::vector<Rational> columns(n);
    for (const auto& row : plan) {
      complain_.unless(row.size() == n, "{}: a square matrix, rows of {} expected, found {}", name_,
                       n, row.size());
      Rational sum = 0;
      for (std::size_t j = 0; j < n; ++j) {
        complain_.unless(row[j] > 0, "{}: entries must be > 0, found {}", name_, to_string(row[j]));
        sum += row[j];
        columns[j] += row[j];
      }
      complain_.unless(sum == 1, "{}: every row must sum to exactly 1, found {}", name_,
                       to_string(sum));
    }
    for (const Rational& sum : columns) {
      complain_.unless(sum == 1, "{}: every column must sum to exactly 1, found {}", name_,
                       to_string(sum));
    }
  }

  void operator()(const TokenCount& role) const { check_within(input_.*role.at, role.range); }
  void operator()(const Dimension& role) const { check_within(input_.*role.at, role.range); }
  void operator()(const Degree& role) const { check_within(input_.*role.at, role.range); }

  void operator()(const SelectedCount& role) const {
    const std::optional<std::size_t>& count = input_.*role.at;
    complain_.unless(count.has_value(), "{} is missing: how many tokens are selected", name_);
    complain_.unless(*count >= 1 && *count < input_.tokens(),
                     "{} must be in 1..L-1 = 1..{}, found {}", name_, input_.tokens() - 1, *count);
  }

  void operator()(const SelectedSet& role) const {
    std::vector<std::size_t> sorted = input_.*role.at;
    complain_.unless(!sorted.empty() && sorted.size() < input_.tokens(),
                     "{} must hold 1..L-1 = 1..{} tokens, found {}", name_, input_.tokens() - 1,
                     sorted.size());
    std::ranges::sort(sorted);
    complain_.unless(sorted.back() < input_.tokens(), "{}: token {} is not in 0..{}", name_,
                     sorted.back(), input_.tokens() - 1);
    complain_.unless(std::ranges::adjacent_find(sorted) == sorted.end(), "{}: a token stands twice",
                     name_);
  }

  void operator()(const Number& role) const {
    const std::optional<Rational>& number = input_.*role.at;
    complain_.unless(number.has_value(), "{} is missing", name_);
    if (role.zero == Zero::refused) {
      check_positive(*number);
    } else {
      complain_.unless(*number >= 0, "{} must be >= 0, found {}", name_, to_string(*number));
    }
  }

  void operator()(const Temperature& role) const { check_positive(input_.*role.at); }

  void operator()(const NormalizerName& role) const {
    const auto only = only_normalizer(kind_);
    complain_.unless(!only || input_.*role.at == *only, "speaks of {}, found normalizer {}",
                     only ? to_string(*only) : "", to_string(input_.*role.at));
  }

 private:
  void check_tokens(std::size_t found) const {
    complain_.unless(found >= 2, "{}: at least 2 tokens are needed, found {}", name_, found);
  }

  void check_within(const std::optional<std::size_t>& count, const Range& range) const {
    complain_.unless(count && *count >= range.least && *count <= range.most,
                     "{} must be in {}..{}, found {}", name_, range.least, range.most,
                     count ? std::to_string(*count) : "none");
  }

  void check_positive(const Rational& number) const {
    complain_.unless(number > 0, "{} must be > 0, found {}", name_, to_string(number));
  }

  const Complaint& complain_;
  const Kind& kind_;
  std::string_view name_;
  const Case& input_;
};

void check_fields(const Complaint& complain, const Kind& kind, const Case& input) {
  check_only_own_fields(complain, kind, input);
  check_one_of(complain, kind, input);
  for (const auto& [field, presence] : fields_of(kind)) {
    if (presence != Presence::required && !is_given(*field, input)) continue;
    std::visit(RangeCheck(complain, kind, *field, input), field->role);
  }
}

/// Where the norm of an L x L matrix is certified by Cholesky.
bool needs_matrix(Normalizer normalizer) {
  return normalizer == Normalizer::sigmoid || normalizer == Normalizer::softplus ||
         normalizer == Normalizer::taylor || normalizer == Normalizer::softmax1 ||
         normalizer == Normalizer::pooling;
}

void check_matrix(const Complaint& complain, const Case& input) {
  complain.unless(!needs_matrix(input.normalizer) || input.logits.size() <= kMaxMatrix,
                  "logits: at most {} tokens for {}, found {}", kMaxMatrix,
                  to_string(input.normalizer), input.logits.size());
}

/// Theorem 1 compares every selected token with every other.
void check_pairs(const Complaint& complain, const Case& input, std::size_t selected) {
  const std::size_t compared =
      selected * (input.tokens() - selected) * input.embeddings.front().size();
  complain.unless(compared <= kMaxCompared,
                  "too large: {} coordinates to compare, N (L-N) d, at most {}", compared,
                  kMaxCompared);
}

// What is asked of the fields of a kind together: that they fit, and that the case can be decided
// in seconds.

void check(const Complaint& complain, const NormalizedRow&, const Case& input) {
  check_matrix(complain, input);
}

void check(const Complaint&, const SoftmaxRow&, const Case&) {}

void check(const Complaint&, const BoundedRow&, const Case&) {}

void check(const Complaint& complain, const RowOf& kind, const Case& input) {
  check_matrix(complain, input);
  complain.unless(kind.normalizer != Normalizer::polynomial || *input.bound > 0,
                  "a must be > 0, found 0");
}

void check(const Complaint&, const SoftmaxDirection&, const Case&) {}

void check(const Complaint&, const StepOf&, const Case&) {}

void check(const Complaint& complain, const QueryKeys&, const Case& input) {
  complain.unless(input.keys.front().size() == input.query.size(),
                  "keys: as many coordinates as the query, {} expected, found {}",
                  input.query.size(), input.keys.front().size());
}

void check(const Complaint& complain, const TopNEmbeddings&, const Case& input) {
  check_pairs(complain, input, *input.top_n);
}

void check(const Complaint& complain, const SetEmbeddings&, const Case& input) {
  check_pairs(complain, input, input.set.size());
}

void check(const Complaint& complain, const RandomSetEmbeddings&, const Case& input) {
  const std::size_t tokens = input.tokens();
  complain.unless(tokens <= kMaxRandomTokens, "at most {} tokens, found {}", kMaxRandomTokens,
                  tokens);
  const std::size_t sets = sets_of(tokens, *input.top_n);
  const std::size_t passes = std::max(tokens, sets > kMostSets ? std::size_t{0} : sets);
  const std::size_t added = passes * tokens * input.embeddings.front().size();
  complain.unless(added <= kMaxAdded,
                  "too large: {} coordinates to add up over all sets, at most {}", added,
                  kMaxAdded);
}

void check(const Complaint& complain, const EqualTokens&, const Case& input) {
  complain.unless(!is_zero(input.embeddings.front()), "embeddings must not be zero");
}

void check(const Complaint& complain, const SphereEmbeddings&, const Case& input) {
  if (!Problem(input).share_is_exact()) {
    complain.unless(*input.top_n * *input.dimension <= kMaxDrawn,
                    "N = {} in dimension {} is too much to sample: N times dimension is {} at most",
                    *input.top_n, *input.dimension, kMaxDrawn);
    return;
  }
  // The N largest weights suffice for the count; ties do not change it.
  std::vector<Rational> largest = input.weights;
  std::ranges::sort(largest, std::greater<>());
  largest.resize(*input.top_n);
  complain.unless(sign_patterns(largest) <= kMaxSignPatterns,
                  "N = {} with these weights needs more than {} sign patterns for the exact "
                  "expectation; lower N or let weights be equal",
                  *input.top_n, kMaxSignPatterns);
}

void check(const Complaint& complain, const TransportPlan&, const Case& input) {
  std::size_t bits = 0;
  for (const auto& row : input.plan) {
    for (const Rational& entry : row) bits += 2 * msb(denominator(entry));
  }
  complain.unless(bits <= kMaxPlanBits, "plan: the entries have {} bits, at most {}; round them",
                  bits, kMaxPlanBits);
}

}  // namespace

void validate(const Claim& claim, const Case& input) {
  const Complaint complain(claim);
  check_fields(complain, claim.kind, input);
  std::visit([&](const auto& kind) { check(complain, kind, input); }, claim.kind);
}

}  // namespace attn
