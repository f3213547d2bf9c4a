#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "theory/claims/claim.hpp"

namespace attn {

/// Claims under one name, in a fixed order, each id once: what a search, a judgement and a report
/// are about.
class Catalogue {
 public:
  /// Puts its claim's id before the word of each mutant: "lemma1.lower/half_bound". Throws
  /// std::logic_error, naming the id, where two claims have the same one.
  Catalogue(std::string_view name, std::vector<Claim> claims);

  [[nodiscard]] std::string_view name() const { return name_; }

  [[nodiscard]] auto begin() const { return claims_.begin(); }
  [[nodiscard]] auto end() const { return claims_.end(); }
  [[nodiscard]] std::size_t size() const { return claims_.size(); }
  [[nodiscard]] const Claim& operator[](std::size_t index) const { return claims_[index]; }
  [[nodiscard]] const Claim& front() const { return claims_.front(); }
  [[nodiscard]] const Claim& back() const { return claims_.back(); }

  /// The claim of that id; null where there is none.
  [[nodiscard]] const Claim* find(std::string_view id) const;

  /// The claim of that id. Throws BadInput, naming the catalogue and the nearest ids,
  /// where there is none.
  [[nodiscard]] const Claim& at(std::string_view id) const;

 private:
  std::string name_;
  std::vector<Claim> claims_;
};

/// The claims that theory/claims/list.cmake names, in its order.
std::vector<Claim> listed_claims();

/// The catalogue of the claims about the paper, which is named "attention_limits": listed_claims().
const Catalogue& catalogue();

/// catalogue().at(id), for our own command lines and tests.
const Claim& find_claim(std::string_view id);

/// The claim it is a wrong version of. Throws BadInput where that is not in the catalogue.
const Claim& original(const Catalogue& claims, const Mutant& mutant);

/// The mutant of that claim as a claim that poses as proved.
Claim as_mutated_claim(const Claim& original, const Mutant& mutant);

}  // namespace attn
