#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "theory/attention/case_json.hpp"
#include "theory/attention/expectation.hpp"
#include "theory/attention/normalizer.hpp"
#include "theory/attention/sampling.hpp"
#include "theory/base/bad_input.hpp"
#include "theory/base/overloaded.hpp"
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

/// Two fields in the place of one would leave open what is meant.
void check_one_of(const Complaint& complain, const Case& input) {
  std::vector<std::string_view> names;
  std::size_t given = 0;
  const Overloaded count_given{
      [&](const auto&, const std::vector<Rational>& list) { given += list.empty() ? 0U : 1U; },
      [&](const auto&, const auto&) { ++given; },
  };
  for_each_field(input, [&](const auto& member, const auto& role, const auto& value) {
    if (member.presence != Presence::one_of) return;
    names.push_back(member.field.name);
    count_given(role, value);
  });
  const std::string either = fmt::format("{}", fmt::join(names, " or "));
  complain.unless(given <= 1, "give {}, not both", either);
  complain.unless(names.empty() || given == 1, "needs {}, found neither", either);
}

/// Whether the value of one field lies in the field's range. Fields before it were checked.
class RangeCheck {
 public:
  RangeCheck(const Complaint& complain, const Field& field, const Case& input)
      : complain_(complain), name_(field.name), input_(input), tokens_(tokens_of(input)) {}

  void operator()(const Logits&, const std::vector<Rational>& logits) const {
    check_tokens(logits.size());
  }

  void operator()(const Displacement&, const std::vector<Rational>& values) const {
    complain_.unless(values.size() == tokens_, "{}: one number a token, {} expected, found {}",
                     name_, tokens_, values.size());
    complain_.unless(!is_zero(values), "{} must not be zero", name_);
  }

  void operator()(const Shares&, const std::vector<Rational>& shares) const {
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

  void operator()(const TokenVectors&, const std::vector<std::vector<Rational>>& rows) const {
    if (std::holds_alternative<EqualTokens>(input_)) {
      complain_.unless(rows.size() == 1, "{}: one row, which all tokens share, found {}", name_,
                       rows.size());
    } else {
      check_tokens(tokens_);
      complain_.unless(rows.size() == tokens_, "{}: one row a token, {} expected, found {}", name_,
                       tokens_, rows.size());
    }
    const std::size_t width = rows.front().size();
    for (const auto& row : rows) {
      complain_.unless(!row.empty() && row.size() == width,
                       "{}: rows of equal length >= 1 are needed, found {} and {}", name_, width,
                       row.size());
    }
  }

  void operator()(const Coordinates&, const std::vector<Rational>& coordinates) const {
    complain_.unless(!coordinates.empty(), "{} is missing", name_);
  }

  void operator()(const DoublyStochastic&, const std::vector<std::vector<Rational>>& plan) const {
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

  void operator()(const TokenCount& role, std::size_t count) const {
    check_within(count, role.range);
  }
  void operator()(const Dimension& role, std::size_t count) const {
    check_within(count, role.range);
  }
  void operator()(const Degree& role, std::size_t degree) const {
    check_within(degree, role.range);
  }

  void operator()(const SelectedCount&, std::size_t count) const {
    complain_.unless(count >= 1 && count < tokens_, "{} must be in 1..L-1 = 1..{}, found {}", name_,
                     tokens_ - 1, count);
  }

  void operator()(const SelectedSet&, std::vector<std::size_t> sorted) const {
    complain_.unless(!sorted.empty() && sorted.size() < tokens_,
                     "{} must hold 1..L-1 = 1..{} tokens, found {}", name_, tokens_ - 1,
                     sorted.size());
    std::ranges::sort(sorted);
    complain_.unless(sorted.back() < tokens_, "{}: token {} is not in 0..{}", name_, sorted.back(),
                     tokens_ - 1);
    complain_.unless(std::ranges::adjacent_find(sorted) == sorted.end(), "{}: a token stands twice",
                     name_);
  }

  void operator()(const Number& role, const Rational& number) const {
    if (role.zero == Zero::refused) {
      check_positive(number);
    } else {
      complain_.unless(number >= 0, "{} must be >= 0, found {}", name_, to_string(number));
    }
  }

  void operator()(const Temperature&, const Rational& temperature) const {
    check_positive(temperature);
  }

  void operator()(const NormalizerName&, Normalizer) const {}

 private:
  void check_tokens(std::size_t found) const {
    complain_.unless(found >= 2, "{}: at least 2 tokens are needed, found {}", name_, found);
  }

  void check_within(std::size_t count, const Range& range) const {
    complain_.unless(count >= range.least && count <= range.most, "{} must be in {}..{}, found {}",
                     name_, range.least, range.most, count);
  }

  void check_positive(const Rational& number) const {
    complain_.unless(number > 0, "{} must be > 0, found {}", name_, to_string(number));
  }

  const Complaint& complain_;
  std::string_view name_;
  const Case& input_;
  std::size_t tokens_;
};

void check_fields(const Complaint& complain, const Case& input) {
  check_one_of(complain, input);
  const Overloaded is_left_out{
      [](Presence presence, const std::vector<Rational>& list) {
        return presence == Presence::one_of && list.empty();
      },
      [](Presence, const auto&) { return false; },
  };
  for_each_field(input, [&](const auto& member, const auto& role, const auto& value) {
    if (is_left_out(member.presence, value)) return;
    RangeCheck(complain, member.field, input)(role, value);
  });
}

/// Where the norm of an L x L matrix is certified by Cholesky.
bool needs_matrix(Normalizer normalizer) {
  return normalizer == Normalizer::sigmoid || normalizer == Normalizer::softplus ||
         normalizer == Normalizer::taylor || normalizer == Normalizer::softmax1 ||
         normalizer == Normalizer::pooling;
}

template <class Row>
void check_matrix(const Complaint& complain, const Row& row) {
  complain.unless(!needs_matrix(row.normalizer) || row.logits.size() <= kMaxMatrix,
                  "logits: at most {} tokens for {}, found {}", kMaxMatrix,
                  to_string(row.normalizer), row.logits.size());
}

/// Theorem 1 compares every selected token with every other.
template <class Embeddings>
void check_pairs(const Complaint& complain, const Embeddings& input, std::size_t selected) {
  const std::size_t compared =
      selected * (input.tokens() - selected) * input.embeddings.front().size();
  complain.unless(compared <= kMaxCompared,
                  "too large: {} coordinates to compare, N (L-N) d, at most {}", compared,
                  kMaxCompared);
}

// What is asked of the fields of a kind together: that they fit, and that the case can be decided
// in seconds.

void check(const Complaint& complain, const NormalizedRow& row) {
  check_matrix(complain, row);
}

void check(const Complaint&, const SoftmaxRow&) {}

void check(const Complaint&, const BoundedRow&) {}

void check(const Complaint& complain, const RowOf& row) {
  check_matrix(complain, row);
}

void check(const Complaint& complain, const PoolingRow& row) {
  check_matrix(complain, row);
}

void check(const Complaint& complain, const PolynomialRow& row) {
  complain.unless(row.bound > 0, "a must be > 0, found 0");
}

void check(const Complaint&, const SoftmaxDirection&) {}

void check(const Complaint&, const StepOf&) {}

void check(const Complaint&, const StepWithin&) {}

void check(const Complaint& complain, const QueryKeys& input) {
  complain.unless(input.keys.front().size() == input.query.size(),
                  "keys: as many coordinates as the query, {} expected, found {}",
                  input.query.size(), input.keys.front().size());
}

void check(const Complaint& complain, const TopNEmbeddings& input) {
  check_pairs(complain, input, input.top_n);
}

void check(const Complaint& complain, const SetEmbeddings& input) {
  check_pairs(complain, input, input.set.size());
}

void check(const Complaint& complain, const RandomSetEmbeddings& input) {
  const std::size_t tokens = input.tokens();
  complain.unless(tokens <= kMaxRandomTokens, "at most {} tokens, found {}", kMaxRandomTokens,
                  tokens);
  const std::size_t sets = sets_of(tokens, input.top_n);
  const std::size_t passes = std::max(tokens, sets > kMostSets ? std::size_t{0} : sets);
  const std::size_t added = passes * tokens * input.embeddings.front().size();
  complain.unless(added <= kMaxAdded,
                  "too large: {} coordinates to add up over all sets, at most {}", added,
                  kMaxAdded);
}

void check(const Complaint& complain, const EqualTokens& input) {
  complain.unless(!is_zero(input.embeddings.front()), "embeddings must not be zero");
}

void check(const Complaint& complain, const SphereEmbeddings& input) {
  const Case whole = input;
  if (!Problem(whole).share_is_exact()) {
    complain.unless(input.top_n * input.dimension <= kMaxDrawn,
                    "N = {} in dimension {} is too much to sample: N times dimension is {} at most",
                    input.top_n, input.dimension, kMaxDrawn);
    return;
  }
  // The N largest weights suffice for the count; ties do not change it.
  std::vector<Rational> largest = input.weights;
  std::ranges::sort(largest, std::greater<>());
  largest.resize(input.top_n);
  complain.unless(sign_patterns(largest) <= kMaxSignPatterns,
                  "N = {} with these weights needs more than {} sign patterns for the exact "
                  "expectation; lower N or let weights be equal",
                  input.top_n, kMaxSignPatterns);
}

void check(const Complaint& complain, const TransportPlan& input) {
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
  complain.unless(same_kind(claim.kind, input), "expected a {}, found a {}", name_of(claim.kind),
                  name_of(input));
  check_fields(complain, input);
  std::visit([&](const auto& of_kind) { check(complain, of_kind); }, input);
}

Case read_case(const Claim& claim, const nlohmann::json& json) {
  Case input = case_from_json(json, claim.kind, claim.id);
  validate(claim, input);
  return input;
}

}  // namespace attn
