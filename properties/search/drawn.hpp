#pragma once

#include <rapidcheck/Random.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "properties/generators/smaller.hpp"
#include "properties/property.hpp"
#include "reports/judge/tally.hpp"
#include "reports/record/report.hpp"
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
    Family family;
    rc::Random random;        ///< what the next case is drawn from
    std::size_t count;        ///< how many cases all portions have together
    std::size_t first, last;  ///< numbers of the cases of this portion, the last excluded
    std::size_t next;         ///< the number of the case to be drawn next

    /// How much of this portion is drawn: infinite of an empty one.
    [[nodiscard]] double progress() const {
      return (static_cast<double>(next - first) + 0.5) / static_cast<double>(last - first);
    }
  };
  InputKind kind_;
  DrawCase* draw_;
  std::vector<Source> sources_;
};

/// The record of an input class to which `met` of the cases belong: their share, with its
/// Clopper-Pearson interval at report::kClassConfidence. Covered where the lower end is at least
/// its least share.
report::ClassRecord class_record(const InputClass& input, std::uint64_t met, std::uint64_t cases);

/// What drawn cases of one claim came to. Those of consecutive parts of the cases, merged in their
/// order, are those of the whole.
class Drawn {
 public:
  /// A violation and the family it was drawn from.
  struct Violation {
    Case input;
    Measure size;
    std::string family;
  };
  struct Worst {
    Case input;
    double ratio;
  };

  /// What no case yet came to. `claim` and the classes of `property` must outlive it.
  Drawn(const Claim& claim, const Property& property);

  /// Counts a case, but for `in_class`.
  void add(const Case& input, std::string_view family, const Decision& decision);

  /// Joins what later cases came to.
  void merge(const Drawn& later);

  /// As JSON, and what wrote `json`. Throws BadInput for what none of this claim wrote.
  [[nodiscard]] nlohmann::json to_json() const;
  static Drawn from_json(const Claim& claim, const Property& property, const nlohmann::json& json);

  report::Tally tally;
  std::span<const InputClass> classes;
  std::vector<std::uint64_t> in_class;  ///< how many cases belong to each class
  std::optional<Violation> smallest{};  ///< the first of the violations of the smallest size
  std::map<std::string, Worst, std::less<>> worst{};  ///< the worst case of each family, by lhs/rhs

 private:
  const Claim* claim_;

  void note_worst(std::string_view family, const Case& input, double ratio);
  void note_violation(const Case& input, std::string_view family);
};

}  // namespace attn::properties
