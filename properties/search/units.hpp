#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "properties/property.hpp"
#include "properties/search/run.hpp"
#include "properties/search/search.hpp"
#include "reports/record/report.hpp"
#include "theory/claims/claim.hpp"
#include "theory/units/unit.hpp"

namespace attn::properties {

// The units of work of a search, each of which any process can do. The result of each is JSON;
// {"failure": why} where there is none.

enum class Task { draw, end, mutants, comparison };

Task task_of(const units::Unit& unit);

/// The cases of claims that have the same cases_of, in portions. Results: a Drawn of each claim by
/// its id, to be merged in this order.
std::vector<units::Unit> draw_units(std::span<const Claim> claims, const Run& run);

/// The mutants of the claim (result: their records), or its comparison with the printed one that it
/// sharpens (result: a ComparisonRecord).
units::Unit unit_of(Task task, const Claim& claim);

/// What ends the search that drew these cases. Result: a ClaimRecord without mutants.
units::Unit end_unit(const Claim& claim, const Drawn& drawn);

/// Why a unit has no result; nothing where it has one.
std::optional<std::string> failure_in(const nlohmann::json& result);

/// Computes the units of these claims, which must outlive it, as `run` does. An exception is a
/// failure, which is not kept, but for BrokenAssumption, which is thrown: here already, where the
/// what verdicts assume of the machine does not hold.
units::Compute unit_computer(std::span<const Claim> claims, const Run& run);

/// Compares both claims on the same `cases` cases, drawn for the sharp claim. Cases that either
/// leaves undecided, or that lack a ratio lhs/rhs, are not counted. An expectation that is drawn is
/// drawn for both together.
report::ComparisonRecord compare_on_drawn(const Claim& sharp, const Claim& printed,
                                          std::uint64_t seed, std::size_t cases);

}  // namespace attn::properties
