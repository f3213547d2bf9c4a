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

/// What keeps a case within seconds at every level: tokens of which a random set is drawn, and
/// coordinates that each draw adds up; coordinates that Theorem 1 compares; tokens whose directions
/// a sampled share draws; bits of a plan.
constexpr std::size_t kMaxRandomTokens = 4096;
constexpr std::size_t kMaxSampled = std::size_t{1} << 18;
constexpr std::size_t kMaxCompared = std::size_t{1} << 23;
constexpr std::size_t kMaxDrawn = std::size_t{1} << 10;
constexpr std::size_t kMaxPlanBits = std::size_t{1} << 14;

/// Self-attention weighs every token for every other one: the tokens, and the coordinates that it
/// multiplies.
constexpr std::size_t kMaxAttending = 256;
constexpr std::size_t kMaxMultiplied = std::size_t{1} << 21;

/// The norm of a general normaliser's Jacobian is certified on an L x L matrix in O(L^3).
constexpr std::size_t kMaxMatrix = 256;

/// One complaint about one field of a case.
class Complaint {
 public:
  explicit Complaint(const Claim& claim) : claim_(claim) {}

  /// Throws BadInput with these parts, at a place in the case.
  [[noreturn]] void refuse(BadInputParts parts) const {
    throw BadInput(std::move(parts)).within(fmt::format("case of {}", claim_.id));
  }

 private:
  const Claim& claim_;
};

bool is_zero(const std::vector<Rational>& values) {
  return std::ranges::all_of(values, [](const Rational& x) { return x == 0; });
}

/// Two fields in the place of one would leave open what is meant.
void check_one_of(const Complaint& complain, const Case& input, Presence presence) {
  std::vector<std::string_view> names;
  for (const FieldOfKind& row : fields_of(input.kind)) {
    if (row.presence == presence) names.push_back(row.field->name);
  }
  std::size_t given = 0;
  for_each_field(input, [&]<class Value>(const FieldOfKind& row, const auto&, const Value& value) {
    if (row.presence == presence && value != Value{}) ++given;
  });
  if (names.empty() || given == 1) return;
  complain.refuse({.kind = given == 0 ? BadInputKind::missing : BadInputKind::inconsistent,
                   .expected = fmt::format("{}", fmt::join(names, " or ")),
                   .found = given == 0 ? "neither" : "both"});
}

/// Whether the value of one field lies in the field's range. Fields before it were checked.
class RangeCheck {
 public:
  RangeCheck(const Complaint& complain, const Field& field, const Case& input)
      : complain_(complain), name_(field.name), tokens_(tokens_of(input)) {}

  void operator()(const Logits&, const std::vector<Rational>& logits) const {
    check_tokens(logits.size());
  }

  void operator()(const Displacement&, const std::vector<Rational>& values) const {
    if (values.size() != tokens_) {
      refuse(BadInputKind::inconsistent, fmt::format("{} numbers, one a token", tokens_),
             fmt::format("{}", values.size()));
    }
    if (is_zero(values)) {
      refuse(BadInputKind::out_of_range, "a vector other than zero", "zero");
    }
  }

  void operator()(const Shares&, const std::vector<Rational>& shares) const {
    check_tokens(shares.size());
    Rational sum = 0;
    for (const Rational& share : shares) {
      if (share < 0) {
        refuse(BadInputKind::out_of_range, "numbers >= 0", shortened(to_string(share)));
      }
      sum += share;
    }
    if (sum != 1) {
      refuse(BadInputKind::inconsistent, "a sum of exactly 1",
             fmt::format("a sum off by {}", Rational(sum - 1).convert_to<double>()),
             "give them as quotients over their sum");
    }
  }

  void operator()(const TokenVectors&, const std::vector<std::vector<Rational>>& rows) const {
    check_tokens(tokens_);
    if (rows.size() != tokens_) {
      refuse(BadInputKind::inconsistent, fmt::format("{} rows, one a token", tokens_),
             fmt::format("{}", rows.size()));
    }
    check_widths(rows);
  }

  void operator()(const SharedVector&, const std::vector<std::vector<Rational>>& rows) const {
    if (rows.size() != 1) {
      refuse(BadInputKind::inconsistent, "one row", fmt::format("{}", rows.size()));
    }
    check_widths(rows);
  }

  void operator()(const Coordinates&, const std::vector<Rational>& coordinates) const {
    if (coordinates.empty()) {
      refuse(BadInputKind::missing, "a value", "none");
    }
  }

  void operator()(const Axis&, const std::vector<Rational>& coordinates) const {
    if (is_zero(coordinates)) {
      refuse(BadInputKind::out_of_range, "a vector other than zero",
             coordinates.empty() ? "none" : "zero");
    }
  }

  void operator()(const DoublyStochastic&, const std::vector<std::vector<Rational>>& plan) const {
    const std::size_t n = plan.size();
    if (n < 2 || n > kMaxPlan) {
      refuse(BadInputKind::out_of_range, fmt::format("2 to {} rows", kMaxPlan),
             fmt::format("{}", n));
    }
    std::vector<Rational> columns(n);
    for (const auto& row : plan) {
      if (row.size() != n) {
        refuse(BadInputKind::inconsistent, fmt::format("a square matrix, rows of {}", n),
               fmt::format("{}", row.size()));
      }
      Rational sum = 0;
      for (std::size_t j = 0; j < n; ++j) {
        if (row[j] <= 0) {
          refuse(BadInputKind::out_of_range, "entries > 0", shortened(to_string(row[j])));
        }
        sum += row[j];
        columns[j] += row[j];
      }
      if (sum != 1) {
        refuse(BadInputKind::inconsistent, "every row to sum to exactly 1",
               shortened(to_string(sum)));
      }
    }
    for (const Rational& sum : columns) {
      if (sum != 1) {
        refuse(BadInputKind::inconsistent, "every column to sum to exactly 1",
               shortened(to_string(sum)));
      }
    }
  }

  void operator()(const TokenCount& role, std::size_t count) const {
    check_within(count, role.range);
    if (count % role.unit != 0) {
      refuse(BadInputKind::out_of_range, fmt::format("a multiple of {}", role.unit),
             fmt::format("{}", count));
    }
  }
  void operator()(const Dimension& role, std::size_t count) const {
    check_within(count, role.range);
  }
  void operator()(const Degree& role, std::size_t degree) const {
    check_within(degree, role.range);
  }

  void operator()(const SelectedCount& role, std::size_t count) const {
    if (role.may_be_all && count == tokens_) return;
    if (count < 1 || count >= tokens_) {
      refuse(BadInputKind::out_of_range, fmt::format("1..L-1 = 1..{}", tokens_ - 1),
             fmt::format("{}", count));
    }
  }

  void operator()(const SelectedSet&, std::vector<std::size_t> sorted) const {
    if (sorted.empty() || sorted.size() >= tokens_) {
      refuse(BadInputKind::out_of_range, fmt::format("1..L-1 = 1..{} tokens", tokens_ - 1),
             fmt::format("{}", sorted.size()));
    }
    std::ranges::sort(sorted);
    if (sorted.back() >= tokens_) {
      refuse(BadInputKind::out_of_range, fmt::format("tokens in 0..{}", tokens_ - 1),
             fmt::format("{}", sorted.back()));
    }
    const auto twice = std::ranges::adjacent_find(sorted);
    if (twice != sorted.end()) {
      refuse(BadInputKind::inconsistent, "distinct tokens", fmt::format("{} twice", *twice));
    }
  }

  void operator()(const Number& role, const Rational& number) const {
    if (role.zero == Zero::refused) {
      check_positive(number);
    } else if (number < 0) {
      refuse(BadInputKind::out_of_range, "a number >= 0", shortened(to_string(number)));
    }
  }

  void operator()(const Temperature&, const Rational& temperature) const {
    check_positive(temperature);
  }

  void operator()(const NormalizerName&, Normalizer) const {}

 private:
  [[noreturn]] void refuse(BadInputKind kind, std::string expected, std::string found,
                           std::string advice = {}) const {
    complain_.refuse({.kind = kind,
                      .where = std::string(name_),
                      .expected = std::move(expected),
                      .found = std::move(found),
                      .advice = std::move(advice)});
  }

  void check_tokens(std::size_t found) const {
    if (found < 2) {
      refuse(BadInputKind::out_of_range, "at least 2 tokens", fmt::format("{}", found));
    }
  }

  void check_widths(const std::vector<std::vector<Rational>>& rows) const {
    const std::size_t width = rows.front().size();
    for (const auto& row : rows) {
      if (row.empty() || row.size() != width) {
        refuse(BadInputKind::inconsistent, "rows of equal length >= 1",
               fmt::format("{} and {}", width, row.size()));
      }
    }
  }

  void check_within(std::size_t count, const Range& range) const {
    if (count < range.least || count > range.most) {
      refuse(BadInputKind::out_of_range,
             fmt::format("an integer in {}..{}", range.least, range.most),
             fmt::format("{}", count));
    }
  }

  void check_positive(const Rational& number) const {
    if (number <= 0) {
      refuse(BadInputKind::out_of_range, "a number > 0", shortened(to_string(number)));
    }
  }

  const Complaint& complain_;
  std::string_view name_;
  std::size_t tokens_;
};

/// What JSON cannot leave out, but who makes a case can.
void check_numbers_are_given(const Complaint& complain, const Case& input) {
  for (const FieldOfKind& row : fields_of(input.kind)) {
    const bool is_needed =
        row.presence == Presence::required && std::holds_alternative<Number>(row.role);
    if (!is_needed || stored_in<Number>(input, *row.field)) continue;
    complain.refuse({.kind = BadInputKind::missing,
                     .where = std::string(row.field->name),
                     .expected = "a number",
                     .found = "none"});
  }
}

void check_fields(const Complaint& complain, const Case& input) {
  check_one_of(complain, input, Presence::one_of);
  check_one_of(complain, input, Presence::one_of_sets);
  check_numbers_are_given(complain, input);
  const Overloaded is_left_out{
      [](Presence presence, const std::vector<Rational>& list) {
        return presence == Presence::one_of && list.empty();
      },
      [](Presence, const auto&) { return false; },
  };
  for_each_field(input, [&](const FieldOfKind& row, const auto& role, const auto& value) {
    if (is_left_out(row.presence, value)) return;
    const RangeCheck check(complain, *row.field, input);
    check(role, value);
  });
}

void check_matrix(const Complaint& complain, const Case& input) {
  const Normalizer normalizer = normalizer_of(input);
  if (traits(normalizer).by_matrix && input.logits.size() > kMaxMatrix) {
    complain.refuse(
        {.kind = BadInputKind::too_large,
         .where = "logits",
         .expected = fmt::format("at most {} tokens for {}", kMaxMatrix, to_string(normalizer)),
         .found = fmt::format("{}", input.logits.size())});
  }
}

/// Theorem 1 compares every selected token with every other.
void check_pairs(const Complaint& complain, const Case& input, std::size_t selected) {
  const std::size_t compared =
      selected * (tokens_of(input) - selected) * input.embeddings.front().size();
  if (compared > kMaxCompared) {
    complain.refuse(
        {.kind = BadInputKind::too_large,
         .expected = fmt::format("at most {} coordinates to compare, N (L-N) d", kMaxCompared),
         .found = fmt::format("{}", compared)});
  }
}

void check_bound(const Complaint& complain, const Case& input) {
  if (input.bound == 0) {
    complain.refuse({.kind = BadInputKind::out_of_range,
                     .where = "a",
                     .expected = "a number > 0",
                     .found = "0"});
  }
}

/// Keys are multiplied by the query, or added to it, coordinate by coordinate.
void check_keys(const Complaint& complain, const Case& input) {
  if (input.keys.front().size() != input.query.size()) {
    complain.refuse(
        {.kind = BadInputKind::inconsistent,
         .where = "keys",
         .expected = fmt::format("{} coordinates, as many as the query", input.query.size()),
         .found = fmt::format("{}", input.keys.front().size())});
  }
}

void check_self_attention(const Complaint& complain, const Case& input) {
  const std::size_t tokens = input.embeddings.size();
  if (tokens > kMaxAttending) {
    complain.refuse({.kind = BadInputKind::too_large,
                     .where = "embeddings",
                     .expected = fmt::format("at most {} tokens", kMaxAttending),
                     .found = fmt::format("{}", tokens)});
  }
  const std::size_t multiplied = tokens * tokens * input.embeddings.front().size();
  if (multiplied > kMaxMultiplied) {
    complain.refuse(
        {.kind = BadInputKind::too_large,
         .where = "embeddings",
         .expected = fmt::format("at most {} coordinates to multiply, L^2 d", kMaxMultiplied),
         .found = fmt::format("{}", multiplied)});
  }
}

void check_axis(const Complaint& complain, const Case& input) {
  if (input.direction.size() != input.embeddings.front().size()) {
    complain.refuse({.kind = BadInputKind::inconsistent,
                     .where = "direction",
                     .expected = fmt::format("{} numbers, as many as an embedding has",
                                             input.embeddings.front().size()),
                     .found = fmt::format("{}", input.direction.size())});
  }
}

void check_random_set(const Complaint& complain, const Case& input) {
  const std::size_t tokens = tokens_of(input);
  if (tokens > kMaxRandomTokens) {
    complain.refuse({.kind = BadInputKind::too_large,
                     .expected = fmt::format("at most {} tokens", kMaxRandomTokens),
                     .found = fmt::format("{}", tokens)});
  }
  const std::size_t coordinates = tokens * input.embeddings.front().size();
  if (!is_enumerated(tokens, input.top_n, input.embeddings.front().size()) &&
      coordinates > kMaxSampled) {
    complain.refuse(
        {.kind = BadInputKind::too_large,
         .expected = fmt::format("at most {} coordinates of embeddings, to sample", kMaxSampled),
         .found = fmt::format("{}", coordinates)});
  }
}

void check_shared_vector(const Complaint& complain, const Case& input) {
  if (is_zero(input.embeddings.front())) {
    complain.refuse({.kind = BadInputKind::out_of_range,
                     .where = "embeddings",
                     .expected = "a vector other than zero",
                     .found = "zero"});
  }
}

void check_sphere(const Complaint& complain, const Case& input) {
  if (!CaseContext(input).share_is_exact()) {
    if (input.top_n > kMaxDrawn) {
      complain.refuse({.kind = BadInputKind::too_large,
                       .where = "N",
                       .expected = fmt::format("at most {}, to sample", kMaxDrawn),
                       .found = fmt::format("{}", input.top_n)});
    }
    return;
  }
  // The N largest weights suffice for the count; ties do not change it.
  std::vector<Rational> largest = input.weights;
  std::ranges::sort(largest, std::greater<>());
  largest.resize(input.top_n);
  if (sign_patterns(largest) > kMaxSignPatterns) {
    complain.refuse({.kind = BadInputKind::too_large,
                     .expected = fmt::format("at most {} sign patterns for the exact expectation",
                                             kMaxSignPatterns),
                     .found = fmt::format("more for N = {} with these weights", input.top_n),
                     .advice = "lower N or let weights be equal"});
  }
}

void check_plan(const Complaint& complain, const Case& input) {
  std::size_t bits = 0;
  for (const auto& row : input.plan) {
    for (const Rational& entry : row) bits += 2 * static_cast<std::size_t>(msb(denominator(entry)));
  }
  if (bits > kMaxPlanBits) {
    complain.refuse({.kind = BadInputKind::too_large,
                     .where = "plan",
                     .expected = fmt::format("entries of at most {} bits together", kMaxPlanBits),
                     .found = fmt::format("{}", bits),
                     .advice = "round them"});
  }
}

/// What is asked of the fields of a kind together: that they fit, and that the case can be decided
/// in seconds.
void check_together(const Complaint& complain, const Case& input) {
  switch (input.kind) {
    case InputKind::normalized_row:
    case InputKind::fixed_normalizer_logits:
    case InputKind::pooling_row:
      return check_matrix(complain, input);
    case InputKind::polynomial_row:
      return check_bound(complain, input);
    case InputKind::query_keys:
    case InputKind::query_key:
      return check_keys(complain, input);
    case InputKind::self_attention:
      return check_self_attention(complain, input);
    case InputKind::sink_embeddings:
      return check_axis(complain, input);
    case InputKind::top_n_embeddings:
      return check_pairs(complain, input, input.top_n);
    case InputKind::set_embeddings:
      return check_pairs(complain, input, input.set.size());
    case InputKind::chosen_embeddings:
      return check_pairs(complain, input, input.top_n + input.set.size());
    case InputKind::chosen_along:
      check_axis(complain, input);
      return check_pairs(complain, input, input.top_n + input.set.size());
    case InputKind::random_set_embeddings:
      return check_random_set(complain, input);
    case InputKind::equal_tokens:
      return check_shared_vector(complain, input);
    case InputKind::sphere_embeddings:
      return check_sphere(complain, input);
    case InputKind::transport_plan:
      return check_plan(complain, input);
    case InputKind::softmax_row:
    case InputKind::two_temperature_logits:
    case InputKind::bounded_row:
    case InputKind::softmax_direction:
    case InputKind::softmax_steps:
    case InputKind::fixed_normalizer_step:
    case InputKind::step_within:
    case InputKind::weighted_embeddings:
    case InputKind::pooling_embeddings:
    case InputKind::two_level_tokens:
    case InputKind::chosen_weights:
    case InputKind::useful_tokens:
    case InputKind::competitors:
      return;
    case InputKind::step_embeddings:
      return check_pairs(complain, input, tokens_of(input) / 2);
  }
}

}  // namespace

void validate(const Claim& claim, const Case& input) {
  const Complaint complain(claim);
  if (claim.kind != kind_of(input)) {
    complain.refuse({.kind = BadInputKind::inconsistent,
                     .expected = fmt::format("a {}", name_of(claim.kind)),
                     .found = fmt::format("a {}", name_of(input.kind))});
  }
  check_fields(complain, input);
  check_together(complain, input);
}

Case read_case(const Claim& claim, const nlohmann::json& json) {
  Case input = case_from_json(json, claim.kind, claim.id);
  validate(claim, input);
  return input;
}

}  // namespace attn
