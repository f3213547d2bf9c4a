#pragma once

#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "theory/base/bad_input.hpp"
#include "theory/recheck/ball.hpp"

namespace attn::recheck {

/// An exact number from "-0.25", "1e-3", "3/7" or a JSON integer. Throws BadInput, naming `field`.
Rational rational_from(const nlohmann::json& value, const std::string& field);

/// The case of a claim, read field by field. Every accessor throws BadInput, naming the field,
/// where it is missing or not what it should be.
class Input {
 public:
  /// Keeps a reference to `fields`. Throws BadInput for what is no object.
  explicit Input(const nlohmann::json& fields);

  [[nodiscard]] bool has(const std::string& field) const;
  [[nodiscard]] Rational number(const std::string& field) const;
  [[nodiscard]] Rational positive(const std::string& field) const;      ///< > 0
  [[nodiscard]] Rational not_negative(const std::string& field) const;  ///< >= 0
  [[nodiscard]] std::size_t count(const std::string& field) const;      ///< 1..10^9
  [[nodiscard]] std::string word(const std::string& field) const;
  /// At least one number.
  [[nodiscard]] std::vector<Rational> numbers(const std::string& field) const;
  /// `field`: rows of numbers, at least one row, of equal lengths.
  [[nodiscard]] std::vector<std::vector<Rational>> rows(const std::string& field) const;
  /// Distinct indices, each below `end`, not empty, fewer than `end`.
  [[nodiscard]] std::vector<std::size_t> indices(const std::string& field, std::size_t end) const;

  /// T > 0; 1 where none is given.
  [[nodiscard]] Rational temperature() const;
  /// The logits over T, at least 2.
  [[nodiscard]] std::vector<Rational> scaled_logits() const;
  /// The logits over the temperature t, at least 2.
  [[nodiscard]] std::vector<Rational> logits_over(const Rational& t) const;
  /// The normaliser; softmax where none is given.
  [[nodiscard]] std::string normalizer() const;
  /// `field`: numbers, as many as there are logits and not all zero.
  [[nodiscard]] std::vector<Rational> move(const std::string& field) const;
  /// N, 1 <= N < tokens.
  [[nodiscard]] std::size_t selected(std::size_t tokens) const;

  /// Throws BadInput where the case has a field that no accessor has read, and that says something:
  /// it belongs to the case of another claim. What goes without saying is T = 1 and softmax.
  void expect_all_read() const;

 private:
  [[nodiscard]] const nlohmann::json& at(const std::string& field) const;

  const nlohmann::json& fields_;
  mutable std::set<std::string> read_;
};

/// Where the step `step` takes z: (l + h)/T.
std::vector<Rational> moved(const Input& input);

/// A claim on two temperatures speaks of a second one below the first.
std::string not_colder(const Input& input);

/// A claim speaks of its own normaliser: a case that names one must name that.
void require_normalizer(const Input& input, const std::string& name);

/// What is asked of a case beyond which this implementation cannot go.
void require_softmax(const Input& input);

/// Throws BadInput at the field of the case, unless `ok`.
void require(bool ok, BadInputKind kind, const std::string& field, const std::string& expected,
             const std::string& found);

}  // namespace attn::recheck
