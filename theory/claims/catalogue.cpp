#include "theory/claims/catalogue.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <set>
#include <stdexcept>
#include <utility>

#include "theory/base/words.hpp"

namespace attn {
namespace {

/// A view of the text that lasts as long as the program.
std::string_view lasting(std::string text) {
  static std::mutex guard;
  static std::set<std::string> texts;
  const std::lock_guard lock(guard);
  return *texts.insert(std::move(text)).first;
}

std::string_view claim_id_of(std::string_view mutant_id) {
  return mutant_id.substr(0, mutant_id.find('/'));
}

}  // namespace

Catalogue::Catalogue(std::string_view name, std::vector<Claim> claims)
    : name_(name), claims_(std::move(claims)) {
  std::set<std::string_view> ids;
  for (Claim& claim : claims_) {
    for (Mutant& mutant : claim.mutants) {
      const bool is_whole = claim_id_of(mutant.id) == claim.id;  // of a claim of another catalogue
      if (!is_whole) mutant.id = lasting(fmt::format("{}/{}", claim.id, mutant.id));
    }
    if (!ids.insert(claim.id).second) {
      throw std::logic_error(fmt::format("catalogue {}: two claims '{}'", name_, claim.id));
    }
  }
}

const Claim* Catalogue::find(std::string_view id) const {
  const auto found = std::ranges::find(claims_, id, &Claim::id);
  return found == claims_.end() ? nullptr : &*found;
}

const Claim& Catalogue::at(std::string_view id) const {
  if (const Claim* const found = find(id)) return *found;
  std::vector<std::string_view> known;
  for (const Claim& claim : claims_) known.push_back(claim.id);
  throw no_claim(id, name_, std::move(known));
}

const Catalogue& catalogue() {
  static const Catalogue all("attention_limits", listed_claims());
  return all;
}

const Claim& find_claim(std::string_view id) {
  return catalogue().at(id);
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
