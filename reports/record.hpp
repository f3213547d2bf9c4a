#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "theory/decide.hpp"

namespace attn::report {

/// A case with both sides, kept exactly: what a reader needs to recheck a verdict.
struct CaseRecord {
  nlohmann::json input;          ///< the case, as `claims eval` reads it
  std::string lhs, rhs;          ///< decimal strings of 50 digits
  std::string lhs_lower, lhs_upper, rhs_lower, rhs_upper;  ///< enclosures, outward-rounded
  std::string verdict;
  unsigned digits{};             ///< the level that decided
  std::string where;             ///< on real input: "layer 3, head 2, row 17, N 5"; else the family
};

/// What one stage found about one claim.
struct ClaimRecord {
  std::string id, title, status, provenance, statement, paper, argument;
  std::string stage;             ///< "synthetic", "gpt2" or "activations"
  std::string outcome;           ///< "as expected", "unexpected", "undecided", "not covered", "missing"
  std::uint64_t cases{}, holds{}, equal{}, violated{}, undecided{}, assumption_not_met{};
  std::optional<double> max_ratio;              ///< the largest lhs/rhs seen where rhs > 0
  std::map<std::string, std::uint64_t> digits;  ///< "filter", "50", "100", "200" -> cases decided
  std::map<std::string, std::uint64_t> families;  ///< synthetic: input family -> cases
  std::vector<std::uint64_t> ratio_histogram;   ///< 20 equal bins of lhs/rhs over [0, 1], then > 1
  std::optional<CaseRecord> worst;              ///< the case of max_ratio
  std::optional<CaseRecord> smallest_witness;   ///< the shrunk violation
  std::string seed;                             ///< the seed of this claim's search
  std::string replay;                           ///< the command that replays it
};

/// What was run, on what, with what.
struct Provenance {
  std::string version, commit, compiler, flags, blas, effort, started, model_name, model_sha256,
      text_sha256;
  bool dirty{};
  std::map<std::string, std::string> libraries;
  unsigned threads{};
  std::uint64_t seed{};
  double seconds{};
};

/// report.json, schema 1.
struct Report {
  Provenance provenance;
  std::vector<ClaimRecord> claims;
  std::optional<nlohmann::json> gpt2;           ///< "model", "layers", "heads", "figures", ...
};

/// Gathers the decisions of one claim in one stage into a record.
class Tally {
 public:
  Tally(const Claim& claim, std::string stage);

  /// Counts one decided case. `describe` is called only where the case is kept as the worst so far.
  template <class Describe>
  void add(const Decision& decision, Describe&& describe);

  /// Joins the counts of another tally of the same claim and stage, in a fixed order.
  void merge(const Tally& other);

  /// The record, with its outcome judged; the worst case is re-decided by intervals.
  [[nodiscard]] ClaimRecord record() const;
};

}  // namespace attn::report
