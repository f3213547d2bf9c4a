#include "reports/judge/conditions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "reports/judge/judge.hpp"
#include "theory/base/bad_input.hpp"
#include "theory/base/words.hpp"

namespace attn::report {
namespace {

/// The two parts around the first `sign`.
std::pair<std::string_view, std::string_view> cut(std::string_view text, std::string_view sign,
                                                  std::string_view example) {
  const auto at = text.find(sign);
  if (at == std::string_view::npos) {
    throw BadInput({.kind = BadInputKind::malformed,
                    .expected = std::string(example),
                    .found = fmt::format("no \"{}\"", sign)});
  }
  return {text.substr(0, at), text.substr(at + sign.size())};
}

Subject subject_from(std::string_view text) {
  const auto at = text.find('@');
  const std::string_view id = text.substr(0, at);
  if (at == std::string_view::npos) return {std::string(id), {}};
  return {std::string(id), stage_from(text.substr(at + 1))};
}

double limit_from(std::string_view text) {
  const auto value = number_from<double>(text);
  if (!value || !std::isfinite(*value)) {
    throw BadInput({.kind = value ? BadInputKind::out_of_range : BadInputKind::malformed,
                    .expected = "a finite number",
                    .found = in_quotes(text)});
  }
  return *value;
}

void check_claim(const Subject& subject, const Report& report) {
  std::vector<std::string_view> ids = ids_of_claims(report);
  if (std::ranges::find(ids, subject.claim) != ids.end()) return;
  throw no_claim(subject.claim, catalogue_name(report), std::move(ids));
}

/// What `parse` makes of a condition; what it throws quotes the condition.
template <class Parse>
auto quoting(std::string_view text, Parse parse) {
  try {
    return parse();
  } catch (const BadInput& error) {
    throw error.within(in_quotes(text));
  }
}

}  // namespace

Stage stage_from(std::string_view word) {
  const std::optional<Stage> stage = from_word<Stage>(word);
  if (!stage) {
    throw BadInput({.kind = BadInputKind::unknown_name,
                    .expected = fmt::format("a stage ({})", all_words<Stage>()),
                    .found = in_quotes(word)});
  }
  return *stage;
}

RequiredOutcome required_outcome_from(std::string_view text) {
  return quoting(text, [&] {
    const auto [subject, outcome] = cut(text, "=", "id=outcome");
    std::string word(outcome);
    std::ranges::replace(word, '-', ' ');
    return RequiredOutcome{subject_from(subject), outcome_from(word)};
  });
}

TightnessLimit tightness_limit_from(std::string_view text) {
  return quoting(text, [&] {
    const auto [subject, limit] = cut(text, "<=", "id<=x");
    return TightnessLimit{subject_from(subject), limit_from(limit)};
  });
}

void check_claims(const Conditions& conditions, const Report& report) {
  for (const RequiredOutcome& required : conditions.outcomes) check_claim(required.of, report);
  for (const TightnessLimit& limit : conditions.tightness) check_claim(limit.of, report);
}

}  // namespace attn::report
