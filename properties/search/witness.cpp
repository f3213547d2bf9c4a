#include "properties/search/witness.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "properties/generators/smaller.hpp"
#include "properties/search/drawn.hpp"
#include "reports/judge/case_record.hpp"
#include "theory/attention/case_json.hpp"
#include "theory/claims/decide.hpp"
#include "theory/claims/evidence.hpp"

namespace attn::properties {
namespace {

constexpr unsigned kWitnessDigits = 100;

bool is_caught(const Mutant& mutant, const Claim& claim, const Case& input, unsigned most_digits) {
  const Verdict verdict = decide(claim, input, most_digits).verdict;
  return verdict == Verdict::violated || (mutant.strict && verdict == Verdict::equal);
}

}  // namespace

Minimum shrink(const rc::Shrinkable<Case>& start, const std::function<bool(const Case&)>& fails,
               const ShrinkBudget& budget) {
  const auto deadline = std::chrono::steady_clock::now() + budget.time;
  Minimum result{.input = start.value()};
  auto candidates = start.shrinks();
  while (const auto candidate = candidates.next()) {
    if (result.attempts == budget.attempts || std::chrono::steady_clock::now() > deadline) {
      result.stopped_early = true;
      return result;
    }
    ++result.attempts;
    const Case input = candidate->value();
    if (!fails(input)) continue;
    ++result.steps;
    result.input = input;
    candidates = candidate->shrinks();
  }
  return result;
}

report::CaseRecord certified(const Claim& claim, const Case& input, std::string_view where) {
  return report::case_record(attn::certified(input, certify(claim, input), std::string(where)));
}

report::CaseRecord certified_witness(const Claim& claim, const Case& input,
                                     std::string_view where) {
  const Certificate certificate = certify(claim, input, kWitnessDigits);
  const Decision again = decide(claim, input);
  if (certificate.decision.verdict != Verdict::violated || again.verdict != Verdict::violated) {
    throw std::runtime_error(fmt::format(
        "flaky: a case of family {} was violated, then {} and {} (by intervals): {}", where,
        to_string(again.verdict), to_string(certificate.decision.verdict), to_json(input).dump()));
  }
  return report::case_record(attn::certified(input, certificate, std::string(where)));
}

report::MutantRecord try_mutant(const Claim& original, const Mutant& mutant,
                                std::span<const Regression> kept, std::uint64_t seed,
                                std::size_t cases) {
  const Claim claim = as_mutated_claim(original, mutant);
  report::MutantRecord record;
  record.id = mutant.id;
  record.change = mutant.change;
  const auto meets = [&](const Case& input, std::string_view where, unsigned most_digits) {
    const auto caught = [&](const Case& c) { return is_caught(mutant, claim, c, most_digits); };
    ++record.cases;
    record.caught = caught(input);
    if (!record.caught) return false;
    const Minimum minimum = shrink(shrinkable(input), caught, kMutantShrink);
    record.witness = certified(claim, minimum.input, where);
    return true;
  };
  // One of many drawn cases is enough: none is worth more digits than the first level has.
  Stream stream(claim, seed, cases);
  while (const auto drawn = stream.next()) {
    if (meets(drawn->input, drawn->family, kLadder[0])) return record;
  }
  for (const Regression& regression : kept) {
    const bool is_one = regression.claim == original.id && claim.kind == original.kind;
    if (is_one && meets(regression.input, kKeptCases, kLadder[2])) return record;
  }
  return record;
}

}  // namespace attn::properties
