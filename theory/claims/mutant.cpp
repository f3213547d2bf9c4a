#include "theory/claims/mutant.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "theory/base/bad_input.hpp"
#include "theory/base/one_line.hpp"

namespace attn {

namespace {

std::string_view claim_id_of(std::string_view mutant_id) {
  return mutant_id.substr(0, mutant_id.find('/'));
}

}  // namespace

std::vector<Mutant> all_mutants(const Catalogue& claims) {
  std::vector<Mutant> all;
  for (const Claim& claim : claims) {
    all.insert(all.end(), claim.mutants.begin(), claim.mutants.end());
  }
  return all;
}

Mutant find_mutant(const Catalogue& claims, std::string_view id) {
  const std::vector<Mutant>& siblings = claims.at(claim_id_of(id)).mutants;
  const auto at = std::ranges::find(siblings, id, &Mutant::id);
  if (at != siblings.end()) return *at;
  std::vector<std::string_view> ids;
  ids.reserve(siblings.size());
  for (const Mutant& sibling : siblings) ids.push_back(sibling.id);
  throw BadInput({.kind = BadInputKind::unknown_name,
                  .expected = "the id of a mutant",
                  .found = in_quotes(id),
                  .advice = ids.empty() ? "its claim has none"
                                        : fmt::format("its claim has: {}", fmt::join(ids, ", "))});
}

const Claim& original(const Catalogue& claims, const Mutant& mutant) {
  return claims.at(claim_id_of(mutant.id));
}

Claim as_mutated_claim(const Claim& original, const Mutant& mutant) {
  Claim claim = original;
  claim.id = mutant.id;
  claim.title = "mutant";
  claim.statement = mutant.change;
  claim.status = Status::proved;
  claim.argument = "false on purpose";
  if (mutant.evaluators != nullptr) claim.evaluators = mutant.evaluators;
  // What is known of the claim's own sides on its own inputs.
  if (mutant.evaluators != nullptr || mutant.kind) claim.attained = nullptr;
  claim.kind = mutant.kind.value_or(claim.kind);
  claim.example = {};
  claim.sharpens = {};
  claim.mutants = {};
  return claim;
}

}  // namespace attn
