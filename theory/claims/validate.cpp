#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "theory/attention/case_json.hpp"
#include "theory/attention/expectation.hpp"
#include "theory/attention/normalizer.hpp"
#include "theory/attention/token_sets.hpp"
#include "theory/base/bad_input.hpp"
#include "theory/claims/claim.hpp"
#include "theory/number/rationals.hpp"

namespace attn {
namespace {

/// The exact expectation of Theorem 2 adds up this many sign patterns for one token at most.
constexpr std::size_t kMaxSignPatterns = std::size_t{1} << 20;

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

using enum BadInputKind;

/// Throws BadInput with these parts, at a place in the case.
[[noreturn]] void refuse(const Claim& claim, BadInputParts parts) {
  throw BadInput(std::move(parts)).within(fmt::format("case of {}", claim.id));
}

/// What keeps a case within seconds. `expected`: "at most {} tokens".
void check_at_most(const Claim& claim, std::size_t most, std::size_t found, std::string_view where,
                   fmt::string_view expected, std::string_view advice = {}) {
  if (found <= most) return;
  refuse(claim, {.kind = too_large,
                 .where = std::string(where),
                 .expected = fmt::vformat(expected, fmt::make_format_args(most)),
                 .found = fmt::format("{}", found),
                 .advice = std::string(advice)});
}

/// `expected`: "{} numbers".
void check_as_many(const Claim& claim, std::size_t count, std::size_t found, std::string_view where,
                   fmt::string_view expected) {
  if (found == count) return;
  refuse(claim, {.kind = inconsistent,
                 .where = std::string(where),
                 .expected = fmt::vformat(expected, fmt::make_format_args(count)),
                 .found = fmt::format("{}", found)});
}

std::size_t width_of(const Case& input) {
  return input.embeddings.front().size();
}

/// Two fields in the place of one would leave open what is meant.
void check_one_of(const Claim& claim, const Case& input, Presence presence) {
  std::vector<std::string_view> names;
  for (const FieldOfKind& row : fields_of(input.kind)) {
    if (row.presence == presence) names.push_back(row.field->name);
  }
  std::size_t given = 0;
  for_each_field(input, [&](const FieldOfKind& row, const auto&, const auto&) {
    if (row.presence == presence) ++given;
  });
  if (names.empty() || given == 1) return;
  refuse(claim, {.kind = given == 0 ? missing : inconsistent,
                 .expected = fmt::format("{}", fmt::join(names, " or ")),
                 .found = given == 0 ? "neither" : "both"});
}

/// Whether the value of one field lies in the field's range. Fields before it were checked.
class RangeCheck {
 public:
  RangeCheck(const Claim& claim, const Field& field, const Case& input)
      : claim_(claim), name_(field.name), tokens_(tokens_of(input)) {}

  void operator()(const Logits&, const std::vector<Rational>& logits) const {
    check_tokens(logits.size());
  }

  void operator()(const MoreLogits&, const std::vector<Rational>& more) const {
    expect(!more.empty(), missing, "the logit of one token or more", "none");
  }

  void operator()(const Displacement&, const std::vector<Rational>& values) const {
    const std::string one_each = fmt::format("{} numbers, one a token", tokens_);
    expect(values.size() == tokens_, inconsistent, one_each, values.size());
    expect(!is_zero(values), out_of_range, "a vector other than zero", "zero");
  }

  void operator()(const Shares&, const std::vector<Rational>& shares) const {
    check_tokens(shares.size());
    Rational sum = 0;
    for (const Rational& share : shares) {
      expect(share >= 0, out_of_range, "numbers >= 0", share);
      sum += share;
    }
    expect(sum == 1, inconsistent, "a sum of exactly 1",
           fmt::format("a sum off by {}", Rational(sum - 1).nearest()),
           "give them as quotients over their sum");
  }

  void operator()(const TokenVectors&, const std::vector<std::vector<Rational>>& rows) const {
    check_tokens(tokens_);
    const std::string one_each = fmt::format("{} rows, one a token", tokens_);
    expect(rows.size() == tokens_, inconsistent, one_each, rows.size());
    check_widths(rows);
  }

  void operator()(const SharedVector& role, const std::vector<std::vector<Rational>>& rows) const {
    expect(rows.size() == 1, inconsistent, "one row", rows.size());
    check_widths(rows);
    expect(role.may_be_zero || !is_zero(rows.front()), out_of_range, "a vector other than zero",
           "zero");
  }

  void operator()(const Coordinates&, const std::vector<Rational>& coordinates) const {
    expect(!coordinates.empty(), missing, "a value", "none");
  }

  void operator()(const Axis&, const std::vector<Rational>& coordinates) const {
    expect(!is_zero(coordinates), out_of_range, "a vector other than zero",
           coordinates.empty() ? "none" : "zero");
  }

  void operator()(const DoublyStochastic& role,
                  const std::vector<std::vector<Rational>>& plan) const {
    const std::size_t n = plan.size();
    expect(n >= role.rows.least && n <= role.rows.most, out_of_range,
           fmt::format("{} to {} rows", role.rows.least, role.rows.most), n);
    std::vector<Rational> columns(n);
    for (const auto& row : plan) {
      const std::string square = fmt::format("a square matrix, rows of {}", n);
      expect(row.size() == n, inconsistent, square, row.size());
      Rational sum = 0;
      for (std::size_t j = 0; j < n; ++j) {
        expect(row[j] > 0, out_of_range, "entries > 0", row[j]);
        sum += row[j];
        columns[j] += row[j];
      }
      expect(sum == 1, inconsistent, "every row to sum to exactly 1", sum);
    }
    for (const Rational& sum : columns) {
      expect(sum == 1, inconsistent, "every column to sum to exactly 1", sum);
    }
  }

  void operator()(const TokenCount& role, std::size_t count) const {
    check_within(count, role.range);
    const std::string multiple = fmt::format("a multiple of {}", role.unit);
    expect(count % role.unit == 0, out_of_range, multiple, count);
  }
  void operator()(const WholeNumber& role, std::size_t count) const {
    check_within(count, role.range);
  }

  void operator()(const SelectedCount& role, std::size_t count) const {
    const std::size_t most = role.may_be_all ? tokens_ : tokens_ - 1;
    expect(count >= 1 && count <= most, out_of_range,
           fmt::format("1..{} = 1..{}", role.may_be_all ? "L" : "L-1", most), count);
  }

  void operator()(const SelectedSet&, std::vector<std::size_t> sorted) const {
    expect(!sorted.empty() && sorted.size() < tokens_, out_of_range,
           fmt::format("1..L-1 = 1..{} tokens", tokens_ - 1), sorted.size());
    std::ranges::sort(sorted);
    const std::string tokens = fmt::format("tokens in 0..{}", tokens_ - 1);
    expect(sorted.back() < tokens_, out_of_range, tokens, sorted.back());
    const auto twice = std::ranges::adjacent_find(sorted);
    if (twice != sorted.end()) {
      expect(false, inconsistent, "distinct tokens", fmt::format("{} twice", *twice));
    }
  }

  void operator()(const Number& role, const Rational& number) const {
    if (role.zero == Zero::refused) return check_positive(number);
    expect(number >= 0, out_of_range, "a number >= 0", number);
  }

  void operator()(const Temperature&, const Rational& temperature) const {
    check_positive(temperature);
  }

  void operator()(const NormalizerName&, Normalizer) const {}

 private:
  /// Throws unless `ok`.
  void expect(bool ok, BadInputKind kind, std::string_view expected, std::string_view found,
              std::string_view advice = {}) const {
    if (ok) return;
    refuse(claim_, {.kind = kind,
                    .where = std::string(name_),
                    .expected = std::string(expected),
                    .found = std::string(found),
                    .advice = std::string(advice)});
  }
  void expect(bool ok, BadInputKind kind, std::string_view expected, std::size_t found) const {
    if (!ok) expect(false, kind, expected, fmt::format("{}", found));
  }
  void expect(bool ok, BadInputKind kind, std::string_view expected, const Rational& found) const {
    if (!ok) expect(false, kind, expected, shortened(to_string(found)));
  }

  void check_tokens(std::size_t found) const {
    expect(found >= 2, out_of_range, "at least 2 tokens", found);
  }

  void check_widths(const std::vector<std::vector<Rational>>& rows) const {
    const std::size_t width = rows.front().size();
    for (const auto& row : rows) {
      if (!row.empty() && row.size() == width) continue;
      expect(false, inconsistent, "rows of equal length >= 1",
             fmt::format("{} and {}", width, row.size()));
    }
  }

  void check_within(std::size_t count, const Range& range) const {
    expect(range.least <= count && count <= range.most, out_of_range,
           fmt::format("an integer in {}..{}", range.least, range.most), count);
  }

  void check_positive(const Rational& number) const {
    expect(number > 0, out_of_range, "a number > 0", number);
  }

  const Claim& claim_;
  std::string_view name_;
  std::size_t tokens_;
};

void check_fields(const Claim& claim, const Case& input) {
  check_one_of(claim, input, Presence::one_of);
  check_one_of(claim, input, Presence::one_of_sets);
  for_each_field(input, [&](const FieldOfKind& row, const auto& role, const auto& value) {
    const RangeCheck check(claim, *row.field, input);
    check(role, value);
  });
}

void check_matrix(const Claim& claim, const Case& input) {
  const Normalizer normalizer = normalizer_of(input);
  if (!traits(normalizer).by_matrix) return;
  check_at_most(claim, kMaxMatrix, input.logits.size(), "logits",
                fmt::format("at most {{}} tokens for {}", to_string(normalizer)));
}

/// Theorem 1 compares every selected token with every other.
void check_pairs(const Claim& claim, const Case& input, std::size_t selected) {
  check_at_most(claim, kMaxCompared, selected * (tokens_of(input) - selected) * width_of(input), "",
                "at most {} coordinates to compare, N (L-N) d");
}

/// Keys are multiplied by the query, or added to it, coordinate by coordinate.
void check_keys(const Claim& claim, const Case& input) {
  check_as_many(claim, input.query.size(), input.keys.front().size(), "keys",
                "{} coordinates, as many as the query");
}

void check_self_attention(const Claim& claim, const Case& input) {
  const std::size_t tokens = input.embeddings.size();
  check_at_most(claim, kMaxAttending, tokens, "embeddings", "at most {} tokens");
  check_at_most(claim, kMaxMultiplied, tokens * tokens * width_of(input), "embeddings",
                "at most {} coordinates to multiply, L^2 d");
}

void check_axis(const Claim& claim, const Case& input) {
  check_as_many(claim, width_of(input), input.direction.size(), "direction",
                "{} numbers, as many as an embedding has");
}

void check_random_set(const Claim& claim, const Case& input) {
  const std::size_t tokens = tokens_of(input);
  check_at_most(claim, kMaxRandomTokens, tokens, "", "at most {} tokens");
  if (is_enumerated(tokens, input.top_n, width_of(input))) return;
  check_at_most(claim, kMaxSampled, tokens * width_of(input), "",
                "at most {} coordinates of embeddings, to sample");
}

void check_sphere(const Claim& claim, const Case& input) {
  const CaseContext context(input);
  if (context.settled_share() && input.top_n <= kMaxDrawn) return;
  if (!context.share_is_exact()) {
    return check_at_most(claim, kMaxDrawn, input.top_n, "N", "at most {}, to sample");
  }
  // The N largest weights suffice for the count; ties do not change it.
  std::vector<Rational> largest = input.weights;
  std::ranges::sort(largest, std::greater<>());
  largest.resize(input.top_n);
  if (sign_patterns(largest) <= kMaxSignPatterns) return;
  refuse(claim, {.kind = too_large,
                 .expected = fmt::format("at most {} sign patterns for the exact expectation",
                                         kMaxSignPatterns),
                 .found = fmt::format("more for N = {} with these weights", input.top_n),
                 .advice = "lower N or let weights be equal"});
}

void check_plan(const Claim& claim, const Case& input) {
  std::size_t bits = 0;
  for (const auto& row : input.plan) {
    for (const Rational& entry : row) bits += 2 * static_cast<std::size_t>(msb(denominator(entry)));
  }
  check_at_most(claim, kMaxPlanBits, bits, "plan", "entries of at most {} bits together",
                "round them");
}

/// What is asked of the fields of a kind together: that they fit, and that the case can be decided
/// in seconds.
void check_together(const Claim& claim, const Case& input) {
  switch (input.kind) {
    case InputKind::normalized_row:
    case InputKind::row_of:
    case InputKind::pooling_row:
      return check_matrix(claim, input);
    case InputKind::query_keys:
    case InputKind::query_key:
      return check_keys(claim, input);
    case InputKind::self_attention:
      return check_self_attention(claim, input);
    case InputKind::sink_embeddings:
      return check_axis(claim, input);
    case InputKind::top_n_embeddings:
    case InputKind::set_embeddings:
    case InputKind::chosen_embeddings:
      return check_pairs(claim, input, input.top_n + input.set.size());
    case InputKind::chosen_along:
      check_axis(claim, input);
      return check_pairs(claim, input, input.top_n + input.set.size());
    case InputKind::random_set_embeddings:
      return check_random_set(claim, input);
    case InputKind::sphere_embeddings:
      return check_sphere(claim, input);
    case InputKind::transport_plan:
      return check_plan(claim, input);
    case InputKind::softmax_row:
    case InputKind::colder_row:
    case InputKind::longer_row:
    case InputKind::bounded_row:
    case InputKind::polynomial_row:
    case InputKind::softmax_direction:
    case InputKind::softmax_steps:
    case InputKind::step_norm:
    case InputKind::step_of:
    case InputKind::step_within:
    case InputKind::weighted_embeddings:
    case InputKind::pooling_embeddings:
    case InputKind::two_level_tokens:
    case InputKind::lone_logits:
    case InputKind::chosen_weights:
    case InputKind::useful_tokens:
    case InputKind::competitors:
    case InputKind::equal_tokens:
      return;
    case InputKind::step_embeddings:
      return check_pairs(claim, input, tokens_of(input) / 2);
  }
}

}  // namespace

void validate(const Claim& claim, const Case& input) {
  if (claim.kind != kind_of(input)) {
    refuse(claim, {.kind = inconsistent,
                   .expected = fmt::format("a {}", name_of(claim.kind)),
                   .found = fmt::format("a {}", name_of(input.kind))});
  }
  check_fields(claim, input);
  check_together(claim, input);
}

Case read_case(const Claim& claim, const nlohmann::json& json) {
  Case input = case_from_json(json, claim.kind, claim.id);
  validate(claim, input);
  return input;
}

}  // namespace attn
