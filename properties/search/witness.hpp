#pragma once

#include <rapidcheck/Shrinkable.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>

#include "properties/search/effort.hpp"
#include "properties/search/regressions.hpp"
#include "reports/record/report.hpp"
#include "theory/attention/case.hpp"
#include "theory/claims/catalogue.hpp"
#include "theory/claims/claim.hpp"

/// What becomes of a violation: it is shrunk and certified; and whether a mutant meets one.
namespace attn::properties {

/// What shrinking came to.
struct Minimum {
  Case input;
  std::size_t steps{};     ///< times the case became smaller
  std::size_t attempts{};  ///< candidates tried
  bool stopped_early{};    ///< the budget ran out before no candidate was left
};

/// Follows the shrinks of `start`, which fails, to a case none of whose shrinks fails, or until the
/// budget runs out. Deterministic unless the time runs out.
Minimum shrink(const rc::Shrinkable<Case>& start, const std::function<bool(const Case&)>& fails,
               const ShrinkBudget& budget);

/// A case with the enclosures of both sides, decided by intervals of at least 50 digits.
/// `where`: its family, or how else it was found.
report::CaseRecord certified(const Claim& claim, const Case& input, std::string_view where);

/// A violation with the enclosures of both sides, decided by intervals of at least 100 digits.
/// `where`: its family, or how else it was found. Throws std::runtime_error ("flaky ..") where the
/// case, decided twice anew, is not violated both times.
report::CaseRecord certified_witness(const Claim& claim, const Case& input, std::string_view where);

/// Draws cases of the mutant's kind, else of `original`, its claim, until one violates the
/// mutant (or, where it is strict, attains its bound), at most `cases`; where none of them does,
/// the regressions of `original` among those kept. The case that does is shrunk a little and
/// certified. `seed`: of the mutant's search.
report::MutantRecord try_mutant(const Claim& original, const Mutant& mutant,
                                std::span<const Regression> kept, std::uint64_t seed,
                                std::size_t cases);

}  // namespace attn::properties
