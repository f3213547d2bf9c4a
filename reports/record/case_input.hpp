#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

namespace attn::report {

/// The exact input of a case, which costs nothing to copy. Long lists of numbers are apart from the
/// other fields: rows of attention have vectors in common, and a report writes each once.
class CaseInput {
 public:
  /// Vectors of exact numbers, each as `packed` writes it.
  using Table = std::vector<std::string>;

  /// Some vectors of a table, in order.
  struct List {
    std::shared_ptr<const Table> table;
    std::vector<std::pair<std::size_t, std::size_t>> ranges;  ///< first, and how many from there
    bool is_one{};                                            ///< one vector, and not a list of one

    /// Calls visit(vector) for each of them.
    template <class Visit>
    void for_each(const Visit& visit) const {
      for (const auto& [first, count] : ranges) {
        for (std::size_t i = first; i < first + count; ++i) visit((*table)[i]);
      }
    }
  };
  using Lists = std::map<std::string, List>;

  /// No input: where a case is only named.
  CaseInput() = default;

  /// `fields`: an object, but for the fields that are `lists`; null: no input.
  CaseInput(nlohmann::json fields, Lists lists = {});  // NOLINT(google-explicit-constructor)

  [[nodiscard]] bool is_null() const { return !parts_; }
  /// The fields that are no `lists()`; null where there is no input.
  [[nodiscard]] const nlohmann::json& fields() const;
  [[nodiscard]] const Lists& lists() const;

  /// The input as `claims eval` reads it: an object, or null.
  [[nodiscard]] nlohmann::json whole() const;

  /// Whether whole() has more characters than so many, on one line.
  [[nodiscard]] bool is_longer_than(std::size_t characters) const;

  /// Whether both have the same fields, with the same vectors.
  friend bool operator==(const CaseInput& a, const CaseInput& b);

 private:
  struct Parts {
    nlohmann::json fields;
    Lists lists;
  };
  std::shared_ptr<const Parts> parts_;
};

}  // namespace attn::report
