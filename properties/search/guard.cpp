#include "properties/search/guard.hpp"

#include "properties/generators/smaller.hpp"
#include "properties/search/shrink.hpp"
#include "properties/search/stream.hpp"
#include "properties/search/witness.hpp"
#include "theory/claims/decide.hpp"

namespace attn::properties {

namespace {

bool is_caught(const Mutant& mutant, const Claim& claim, const Case& input) {
  const Verdict verdict = decide(claim, input).verdict;
  return verdict == Verdict::violated || (mutant.strict && verdict == Verdict::equal);
}

}  // namespace

report::MutantRecord try_mutant(const Claim& original, const Mutant& mutant, std::uint64_t seed,
                                std::size_t cases) {
  const Claim claim = as_mutated_claim(original, mutant);
  const auto caught = [&](const Case& input) { return is_caught(mutant, claim, input); };
  report::MutantRecord record;
  record.id = mutant.id;
  record.change = mutant.change;
  Stream stream(claim, seed, cases);
  while (const auto drawn = stream.next()) {
    ++record.cases;
    if (!caught(drawn->input)) continue;
    const Minimum minimum = shrink(shrinkable(drawn->input), caught, mutant_shrink_budget());
    record.caught = true;
    record.witness = certified(claim, minimum.input, drawn->family);
    break;
  }
  return record;
}

}  // namespace attn::properties
