#include "properties/search/drawn.hpp"

#include <rapidcheck/Gen.h>

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <functional>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "properties/generators/membership.hpp"
#include "reports/record/record_json.hpp"
#include "theory/attention/case_json.hpp"
#include "theory/claims/evidence.hpp"

namespace attn::properties {
namespace {

using nlohmann::json;

/// RapidCheck's size of case `k` of `count`: from 0 up to 100.
int size_of(std::size_t k, std::size_t count) {
  return count < 2 ? rc::kNominalSize
                   : static_cast<int>(k * static_cast<std::size_t>(rc::kNominalSize) / (count - 1));
}

Case case_in(const report::Reader& in, const Claim& claim) {
  return case_from_json(in.at("case").object(), claim.kind, claim.id);
}

}  // namespace

Stream::Stream(const Claim& claim, std::uint64_t seed, std::size_t cases, const Portion& portion)
    : kind_(claim.kind), draw_(property_of(claim).draw) {
  const std::vector<Family> families = property_of(claim).families;
  std::size_t weights = 0;
  for (const Family& family : families) weights += family.weight;
  if (weights == 0) throw std::logic_error("no family has cases of this kind");
  rc::Random random(seed);
  std::size_t before = 0;
  for (const Family& family : families) {
    const std::size_t after = before + family.weight;
    const std::size_t count = cases * after / weights - cases * before / weights;
    const std::size_t first = count * portion.index / portion.count;
    const std::size_t last = count * (portion.index + 1) / portion.count;
    rc::Random of_family = random.split();
    // What a case is drawn with follows from that of the case before; a step takes nanoseconds.
    for (std::size_t i = 0; i < first; ++i) of_family.split();
    sources_.push_back({family, of_family, count, first, last, first});
    before = after;
  }
}

std::optional<DrawnCase> Stream::next() {
  // The family that is furthest behind its share.
  const auto at = std::ranges::min_element(sources_, {}, &Source::progress);
  if (at->next == at->last) return std::nullopt;
  const int size = size_of(at->next++, at->count);
  return DrawnCase{drawn_case(draw_, kind_, at->family, at->random.split(), size), at->family.name};
}

report::ClassRecord class_record(const InputClass& input, std::uint64_t met, std::uint64_t cases) {
  using Binomial = boost::math::binomial_distribution<double>;
  constexpr double kOneSide = (1 - report::kClassConfidence) / 2;
  report::ClassRecord record{.name = std::string(input.name),
                             .least_share = input.least_share,
                             .cases = met,
                             .share_lower = 0,
                             .share_upper = 1,
                             .covered = false};
  if (cases > 0) {
    const auto trials = static_cast<double>(cases), successes = static_cast<double>(met);
    record.share_lower = Binomial::find_lower_bound_on_p(trials, successes, kOneSide);
    record.share_upper = Binomial::find_upper_bound_on_p(trials, successes, kOneSide);
  }
  record.covered = record.share_lower >= record.least_share;
  return record;
}

Drawn::Drawn(const Claim& claim, const Property& property)
    : tally(claim, report::Stage::synthetic),
      classes(property.classes),
      in_class(property.classes.size()),
      claim_(&claim) {}

void Drawn::add(const Case& input, std::string_view family, const Decision& decision) {
  Decision settled = decision;
  settle_ratio(settled, *claim_, tally.counts().max_ratio, [&] { return input; });
  tally.add(
      settled, [&] { return std::pair(input, std::string(family)); }, family);
  const auto ratio = tightness(decision);
  if (ratio && !decision.sampled) note_worst(family, input, *ratio);
  if (decision.verdict == Verdict::violated) note_violation(input, family);
}

void Drawn::note_worst(std::string_view family, const Case& input, double ratio) {
  const auto at = worst.find(family);
  if (at == worst.end()) {
    worst.emplace(family, Worst{input, ratio});
  } else if (ratio > at->second.ratio) {
    at->second = {input, ratio};
  }
}

void Drawn::note_violation(const Case& input, std::string_view family) {
  // What has more tokens is not smaller, however few its bits are, which take time to count.
  if (smallest && tokens_of(input) > smallest->size.tokens) return;
  const Measure size = measure(input);
  if (!smallest || size < smallest->size) smallest = {input, size, std::string(family)};
}

void Drawn::merge(const Drawn& later) {
  tally.merge(later.tally);
  std::ranges::transform(in_class, later.in_class, in_class.begin(), std::plus<>());
  for (const auto& [family, at] : later.worst) note_worst(family, at.input, at.ratio);
  if (later.smallest) note_violation(later.smallest->input, later.smallest->family);
}

json Drawn::to_json() const {
  json all = {{"tally", tally.to_json()}, {"classes", in_class}, {"worst", json::object()}};
  for (const auto& [family, at] : worst) {
    all["worst"][family] = {{"case", attn::to_json(at.input)},
                            {"ratio", report::number_json(at.ratio, false)}};
  }
  if (smallest) {
    all["smallest"] = {{"case", attn::to_json(smallest->input)}, {"family", smallest->family}};
  }
  return all;
}

Drawn Drawn::from_json(const Claim& claim, const Property& property, const json& all) {
  const report::Reader in(all, "cases drawn");
  Drawn drawn(claim, property);
  drawn.tally = report::Tally::from_json(claim, report::Stage::synthetic, in.at("tally").object());
  const std::vector<report::Reader> counts = in.at("classes").elements();
  if (counts.size() != drawn.in_class.size()) {
    in.at("classes").refuse(BadInputKind::malformed, "a count for each class");
  }
  std::ranges::transform(counts, drawn.in_class.begin(), &report::Reader::count);
  for (const auto& [family, at] : in.at("worst").members()) {
    drawn.worst.emplace(family, Worst{case_in(at, claim), at.at("ratio").number()});
  }
  if (in.has("smallest")) {
    const report::Reader at = in.at("smallest");
    drawn.note_violation(case_in(at, claim), at.at("family").text());
  }
  return drawn;
}

}  // namespace attn::properties
