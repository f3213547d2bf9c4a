#pragma once

#include <rapidcheck/Gen.h>
#include <rapidcheck/Random.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "theory/claims/claim.hpp"

namespace attn::properties {

/// A case and the family it was drawn from.
struct DrawnCase {
  Case input;
  std::string_view family;
};

/// One of so many portions of the cases of a search.
struct Portion {
  std::size_t index{0};  ///< counted from 0
  std::size_t count{1};
};

/// The cases of one search: every family's share of them, interleaved, each family's from small to
/// large. The same seed gives the same cases, and its portions have the cases of the whole.
class Stream {
 public:
  /// `cases` over all families of the claim, shared out by their weights.
  Stream(const Claim& claim, std::uint64_t seed, std::size_t cases, const Portion& portion = {});

  /// Empty after the last.
  std::optional<DrawnCase> next();

 private:
  struct Source {
    std::string_view family;
    rc::Gen<Case> cases;
    rc::Random random;        ///< of the next case
    std::size_t count;        ///< cases of all portions
    std::size_t first, last;  ///< numbers of the cases of this portion, the last excluded
    std::size_t next;         ///< to be drawn
    double progress;          ///< how much of this portion is drawn
  };
  std::vector<Source> sources_;
};

}  // namespace attn::properties
