#pragma once

#include <rapidcheck/Shrinkable.h>

#include <compare>
#include <cstddef>
#include <optional>

#include "theory/attention/case.hpp"

namespace attn::properties {

/// How large a case is, compared from the first field to the last. Every step of shrinking makes it
/// strictly less; it is made of natural numbers, so shrinking ends.
struct Measure {
  std::size_t tokens{};     ///< L
  std::size_t dimension{};  ///< the dimension d of the embeddings or keys, or of Theorem 2
  /// Bits of all numbers, size of the selection, the degree, rank of the normaliser.
  std::size_t complexity{};

  // NOLINTNEXTLINE(modernize-use-nullptr): a defaulted comparison compares with 0, not this code
  auto operator<=>(const Measure&) const = default;
};

Measure measure(const Case& input);

/// The case without the tokens of [begin, end); empty where fewer than two, no weight, or only
/// selected or no selected tokens would be left.
std::optional<Case> without_tokens(Case input, std::size_t begin, std::size_t end);

/// The case with its shrinks, and theirs, and so on: simpler cases of the same kind, boldest first:
/// fewer tokens, fewer coordinates, a smaller selection, plainer parameters, all numbers rounded
/// together, then one number at a time. Each is valid where `input` is, and strictly less in
/// measure. The sequence is lazy and always the same.
rc::Shrinkable<Case> shrinkable(Case input);

}  // namespace attn::properties
