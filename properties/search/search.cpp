#include "properties/search/search.hpp"

#include <fmt/format.h>
#include <rapidcheck/Random.h>

#include <atomic>
#include <exception>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <thread>

#include "properties/generators/smaller.hpp"
#include "properties/search/seed.hpp"
#include "properties/search/shrink.hpp"
#include "reports/tally.hpp"
#include "theory/case_json.hpp"
#include "theory/decide.hpp"

namespace attn::properties {

namespace {

constexpr unsigned kShrinkDigits = 50;    // a shrink step must be violated beyond doubt by then
constexpr unsigned kWitnessDigits = 100;  // at least this many behind every witness

/// A violation and the family it was drawn from.
struct Violation {
  rc::Shrinkable<Case> drawn;
  Measure size;
  std::string_view family;
};

/// RapidCheck's size of case `k` of `count`: from 0 up to 100.
int size_of(std::size_t k, std::size_t count) {
  return count < 2 ? rc::kNominalSize
                   : static_cast<int>(k * static_cast<std::size_t>(rc::kNominalSize) / (count - 1));
}

/// The cases of family `f` of `families`, when `cases` are shared out evenly.
std::size_t share(std::size_t cases, std::size_t f, std::size_t families) {
  return cases / families + (f < cases % families ? 1 : 0);
}

bool is_violated(const Claim& claim, const Case& input, unsigned max_digits) {
  return decide(claim, input, max_digits).verdict == Verdict::violated;
}

report::CaseRecord certified_witness(const Claim& claim, const Case& input,
                                     std::string_view family) {
  const Certificate certificate = certify(claim, input, kWitnessDigits);
  const Decision again = decide(claim, input);
  if (certificate.decision.verdict != Verdict::violated || again.verdict != Verdict::violated) {
    throw std::runtime_error(fmt::format(
        "flaky: a case of family {} was violated, then {} and {} (by intervals): {}", family,
        to_string(again.verdict), to_string(certificate.decision.verdict), to_json(input).dump()));
  }
  return {.input = to_json(input),
          .lhs = certificate.lhs,
          .rhs = certificate.rhs,
          .lhs_lower = certificate.lhs_lower,
          .lhs_upper = certificate.lhs_upper,
          .rhs_lower = certificate.rhs_lower,
          .rhs_upper = certificate.rhs_upper,
          .verdict = std::string(to_string(certificate.decision.verdict)),
          .digits = certificate.decision.digits,
          .where = std::string(family)};
}

std::string describe(const Minimum& minimum) {
  return fmt::format("{} steps, {} attempts{}", minimum.steps, minimum.attempts,
                     minimum.stopped_early ? ", stopped by its budget" : "");
}

/// Draws and decides every case; returns the smallest violation, the first of that size.
std::optional<Violation> draw_and_decide(const Claim& claim, const Given& given, const Search& plan,
                                         report::Tally& tally) {
  std::optional<Violation> smallest;
  rc::Random random(plan.seed);
  const auto families = families_of(given);
  for (std::size_t f = 0; f < families.size(); ++f) {
    const rc::Gen<Case> generator = cases(given, families[f]);
    rc::Random of_family = random.split();
    const std::size_t count = share(plan.cases, f, families.size());
    for (std::size_t k = 0; k < count; ++k) {
      const rc::Shrinkable<Case> drawn = generator(of_family.split(), size_of(k, count));
      const Case input = drawn.value();
      const Decision decision = decide(claim, input);
      tally.add(
          decision, [&] { return std::pair(input, std::string(families[f].name)); },
          families[f].name);
      if (decision.verdict != Verdict::violated) continue;
      const Measure size = measure(input);
      if (!smallest || size < smallest->size) smallest = {drawn, size, families[f].name};
    }
  }
  return smallest;
}

SearchResult search_declared(const Claim& claim, const Run& run) {
  SearchResult result;
  try {
    result = search(claim, property_of(claim),
                    {.seed = property_seed(run.seed, claim.id),
                     .cases = cases_per_claim(run.effort, claim.shape),
                     .shrink = shrink_budget(run.effort)});
  } catch (const std::exception& error) {
    result.record.id = claim.id;
    result.failure = error.what();
  }
  result.record.replay = replay_command(claim.id, run);
  return result;
}

}  // namespace

SearchResult search(const Claim& claim, const Property& property, const Search& plan) {
  report::Tally tally(claim, std::string(report::kSynthetic));
  const auto smallest = draw_and_decide(claim, given(claim, property), plan, tally);
  SearchResult result;
  std::optional<report::CaseRecord> witness;
  if (smallest) {
    const Minimum minimum = shrink(
        smallest->drawn,
        [&](const Case& input) { return is_violated(claim, input, kShrinkDigits); }, plan.shrink);
    result.shrinking = describe(minimum);
    witness = certified_witness(claim, minimum.input, smallest->family);
  }
  result.record = tally.record();
  if (witness) result.record.smallest_witness = witness;
  result.record.seed = fmt::format("{}", plan.seed);
  return result;
}

std::vector<SearchResult> search_all(std::span<const Claim> claims, const Run& run,
                                     const std::function<void(const SearchResult&)>& finished) {
  std::vector<SearchResult> results(claims.size());
  std::atomic<std::size_t> next{0};
  std::mutex reporting;
  const auto work = [&] {
    for (std::size_t i = next++; i < claims.size(); i = next++) {
      results[i] = search_declared(claims[i], run);
      const std::lock_guard lock(reporting);
      finished(results[i]);
    }
  };
  {
    std::vector<std::jthread> workers;
    for (unsigned t = 1; t < run.threads; ++t) workers.emplace_back(work);
    work();
  }
  return results;
}

std::string replay_command(std::string_view claim_id, const Run& run) {
  return fmt::format("properties --claim {} --seed {} --effort {}", claim_id, run.seed,
                     to_string(run.effort));
}

}  // namespace attn::properties
