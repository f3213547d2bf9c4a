#pragma once

#include <rapidcheck/Gen.h>

#include <iosfwd>
#include <optional>
#include <vector>

#include "properties/generators/family.hpp"
#include "theory/claims/claim.hpp"

/// Generators of exact attention for RapidCheck's own `rc::check`, `rc::prop` and `gen::map`: what
/// the search draws from. Each value is exact and the same on every machine for the same seed; none
/// is ever discarded; each shrinks by steps that end, to values as valid as itself.
namespace attn::gen {

/// The cases of a claim's property: of each family as often as its weight says. L and d grow with
/// the size.
rc::Gen<Case> case_of(const Claim& claim);

/// The cases of one family of `property_of(claim)`. Hypotheses hold by construction, but for those
/// on the normaliser in the family `other_normalizers`, those on L in `short_context`, and what a
/// claim says of equal logits. Safe to call from several threads.
rc::Gen<Case> case_of(const Claim& claim, const properties::Family& family);

/// L logits at T = 1, up to 350 in size, of one pattern or of any. Shrinks keep L. Throws
/// std::invalid_argument where L < 2, here and below.
rc::Gen<std::vector<Rational>> logits(std::size_t tokens,
                                      std::optional<properties::ScorePattern> pattern = {});

/// L weights: not negative, of sum exactly 1.
rc::Gen<std::vector<Rational>> weights(std::size_t tokens,
                                       std::optional<properties::ScorePattern> pattern = {});

/// L vectors of d >= 1 coordinates, up to 64 in size. Shrinks keep L and d.
rc::Gen<Case::Vectors> embeddings(std::size_t tokens, std::size_t dimension,
                                  std::optional<properties::Vectors> family = {});

}  // namespace attn::gen

namespace attn {

/// As RapidCheck shows a case: the JSON that stands under "case" where `claims eval` reads it.
void showValue(const Case& input, std::ostream& out);
void showValue(const Rational& number, std::ostream& out);

}  // namespace attn
