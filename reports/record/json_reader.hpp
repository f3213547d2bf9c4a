#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "theory/base/bad_input.hpp"

namespace attn::report {

/// A place in a JSON document that knows its path. Every accessor throws BadInput with the path,
/// what was expected and what was found, where the value is not as asked for.
class Reader {
 public:
  explicit Reader(const nlohmann::json& value, std::string path = {})
      : value_(&value), path_(std::move(path)) {}

  /// The member called `field`, which must be there.
  [[nodiscard]] Reader at(const std::string& field) const;

  /// Whether there is a member `field` that is not null.
  [[nodiscard]] bool has(const std::string& field) const;

  [[nodiscard]] bool is_null() const { return value_->is_null(); }
  [[nodiscard]] bool is_array() const { return value_->is_array(); }
  [[nodiscard]] bool is_empty_text() const {
    return value_->is_string() && value_->get_ref<const std::string&>().empty();
  }

  [[nodiscard]] std::vector<Reader> elements() const;
  [[nodiscard]] std::vector<std::pair<std::string, Reader>> members() const;
  const nlohmann::json& object() const;

  [[nodiscard]] std::string text() const;
  [[nodiscard]] std::string one_of(const std::vector<std::string_view>& words) const;
  [[nodiscard]] bool boolean() const;
  std::uint64_t count() const;   ///< an integer in [0, 2^64)
  unsigned small_count() const;  ///< an integer in [0, 2^32)
  double number() const;         ///< a number, or "nan", "inf", "-inf"

  [[noreturn]] void refuse(BadInputKind kind, std::string_view expected,
                           std::string_view found) const;
  /// found: the value, shortened
  [[noreturn]] void refuse(BadInputKind kind, std::string_view expected) const;

 private:
  const nlohmann::json* value_;
  std::string path_;
};

}  // namespace attn::report
