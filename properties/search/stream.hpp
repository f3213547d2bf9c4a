#pragma once

#include <rapidcheck/Random.h>
#include <rapidcheck/Shrinkable.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "properties/generators/family.hpp"

namespace attn::properties {

/// A case with its shrinks, and the family it was drawn from.
struct DrawnCase {
  rc::Shrinkable<Case> shrinkable;
  std::string_view family;
};

/// The cases of one search: every family's share of them, interleaved, each family's from small to
/// large. The same seed gives the same cases.
class Stream {
 public:
  /// `cases` over all families, shared out by their weights.
  Stream(const Given& given, std::uint64_t seed, std::size_t cases);

  /// Empty after the last.
  std::optional<DrawnCase> next();

 private:
  struct Source {
    std::string_view family;
    rc::Gen<Case> generator;
    rc::Random random;
    std::size_t count;     ///< cases to draw in all
    std::size_t drawn{0};  ///< cases drawn so far
  };

  std::vector<Source> sources_;
};

}  // namespace attn::properties
