#include "theory/mutants/mutant.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "theory/base/bad_input.hpp"

namespace attn {

namespace {

std::string_view claim_id_of(std::string_view mutant_id) {
  return mutant_id.substr(0, mutant_id.find('/'));
}

}  // namespace

std::vector<Mutant> all_mutants() {
  std::vector<Mutant> all;
  for (const auto& family : {dispersion_mutants(), distance_mutants(), random_set_mutants(),
                             separability_mutants(), gradient_mutants(), normalizer_mutants()}) {
    all.insert(all.end(), family.begin(), family.end());
  }
  return all;
}

std::vector<Mutant> mutants_of(std::string_view claim_id) {
  std::vector<Mutant> found = all_mutants();
  std::erase_if(found, [&](const Mutant& m) { return claim_id_of(m.id) != claim_id; });
  return found;
}

Mutant find_mutant(std::string_view id) {
  const std::vector<Mutant> siblings = mutants_of(find_claim(claim_id_of(id)).id);
  const auto at = std::ranges::find(siblings, id, &Mutant::id);
  if (at != siblings.end()) return *at;
  std::vector<std::string_view> ids;
  for (const Mutant& sibling : siblings) ids.push_back(sibling.id);
  throw BadInput(fmt::format("no mutant '{}'; its claim has: {}", id,
                             ids.empty() ? "none" : fmt::format("{}", fmt::join(ids, ", "))));
}

const Claim& original(const Mutant& mutant) {
  return find_claim(claim_id_of(mutant.id));
}

Claim posing(const Mutant& mutant) {
  Claim claim = original(mutant);
  claim.id = mutant.id;
  claim.title = "mutant";
  claim.statement = mutant.change;
  claim.status = Status::proved;
  claim.argument = "false on purpose";
  claim.evaluators = mutant.evaluators.value_or(claim.evaluators);
  claim.kind = mutant.kind.value_or(claim.kind);
  claim.example = {};
  claim.sharpens = {};
  return claim;
}

}  // namespace attn
