#include "theory/recheck/input.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace attn::recheck {
namespace {

using nlohmann::json;

bool all_digits(const std::string& text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

/// 10^exponent.
mpz_class power_of_ten(unsigned long exponent) {
  mpz_class power;
  mpz_ui_pow_ui(power.get_mpz_t(), 10, exponent);
  return power;
}

/// Splits `text` at the first of the characters `marks`; the second part is empty without one.
std::pair<std::string, std::string> split(const std::string& text, const char* marks) {
  const std::size_t at = text.find_first_of(marks);
  if (at == std::string::npos) return {text, ""};
  return {text.substr(0, at), text.substr(at + 1)};
}

/// The value of "-12.5e-3" or "3/7"; false where it is neither.
bool parse(const std::string& text, Rational& value) {
  constexpr std::size_t kMaxCharacters = 20'000;
  constexpr std::size_t kMaxExponentDigits = 5;
  if (text.empty() || text.size() > kMaxCharacters) return false;
  const bool signed_text = text[0] == '-' || text[0] == '+';
  const std::string body = text.substr(signed_text ? 1 : 0);
  if (body.find('/') != std::string::npos) {
    const auto [top, bottom] = split(body, "/");
    if (!all_digits(top) || !all_digits(bottom) || mpz_class(bottom, 10) == 0) return false;
    value = Rational(mpz_class(top, 10), mpz_class(bottom, 10));
    value.canonicalize();
  } else {
    const auto [mantissa, exponent] = split(body, "eE");
    const auto [whole, fraction] = split(mantissa, ".");
    if (!all_digits(whole + fraction)) return false;
    value = Rational(mpz_class(whole + fraction, 10), power_of_ten(fraction.size()));
    value.canonicalize();
    if (mantissa.size() < body.size()) {
      const bool down = exponent.starts_with('-');
      const std::string digits = exponent.substr(down || exponent.starts_with('+') ? 1 : 0);
      if (!all_digits(digits) || digits.size() > kMaxExponentDigits) return false;
      const mpz_class scale = power_of_ten(std::stoul(digits));
      if (down) {
        value /= scale;
      } else {
        value *= scale;
      }
    }
  }
  if (text[0] == '-') value = -value;
  return true;
}

const json& array_from(const json& value, const std::string& field) {
  require(value.is_array() && !value.empty(), BadInputKind::malformed, field, "a non-empty array",
          shown_json(value));
  return value;
}

std::vector<Rational> numbers_from(const json& value, const std::string& field) {
  std::vector<Rational> numbers;
  for (const json& entry : array_from(value, field)) numbers.push_back(rational_from(entry, field));
  return numbers;
}

std::size_t count_from(const json& value, const std::string& field, std::int64_t least) {
  constexpr std::int64_t kMost = 1'000'000'000;
  require(value.is_number_integer() && value >= least && value <= kMost, BadInputKind::out_of_range,
          field, fmt::format("an integer in {}..{}", least, kMost), shown_json(value));
  return value.get<std::size_t>();
}

}  // namespace

void require(bool ok, BadInputKind kind, const std::string& field, const std::string& expected,
             const std::string& found) {
  if (!ok) {
    throw BadInput({.kind = kind,
                    .where = fmt::format("case field '{}'", field),
                    .expected = expected,
                    .found = shortened(found)});
  }
}

Rational rational_from(const json& value, const std::string& field) {
  if (value.is_number_integer()) return Rational(value.dump(), 10);
  Rational number;
  require(value.is_string() && parse(value.get_ref<const std::string&>(), number),
          BadInputKind::malformed, field,
          "an exact number as a string (\"0.1\", \"1e-3\", \"1/10\") or an integer",
          shown_json(value));
  return number;
}

Input::Input(const json& fields) : fields_(fields) {
  if (!fields.is_object()) {
    throw BadInput({.kind = BadInputKind::malformed,
                    .where = "case",
                    .expected = "an object",
                    .found = shown_json(fields)});
  }
}

bool Input::has(const std::string& field) const {
  return fields_.contains(field);
}

const json& Input::at(const std::string& field) const {
  require(has(field), BadInputKind::missing, field, "a value", "none");
  read_.insert(field);
  return fields_.at(field);
}

Rational Input::number(const std::string& field) const {
  return rational_from(at(field), field);
}

Rational Input::positive(const std::string& field) const {
  Rational value = number(field);
  require(value > 0, BadInputKind::out_of_range, field, "a number > 0", shown_json(at(field)));
  return value;
}

Rational Input::not_negative(const std::string& field) const {
  Rational value = number(field);
  require(value >= 0, BadInputKind::out_of_range, field, "a number >= 0", shown_json(at(field)));
  return value;
}

std::size_t Input::count(const std::string& field) const {
  return count_from(at(field), field, 1);
}

std::string Input::word(const std::string& field) const {
  const json& value = at(field);
  require(value.is_string(), BadInputKind::malformed, field, "a name", shown_json(value));
  return value.get<std::string>();
}

std::vector<Rational> Input::numbers(const std::string& field) const {
  return numbers_from(at(field), field);
}

std::vector<std::vector<Rational>> Input::rows(const std::string& field) const {
  std::vector<std::vector<Rational>> rows;
  for (const json& row : array_from(at(field), field)) {
    rows.push_back(numbers_from(row, field));
    require(rows.back().size() == rows.front().size(), BadInputKind::inconsistent, field,
            fmt::format("rows of {} entries", rows.front().size()),
            fmt::format("a row of {}", rows.back().size()));
  }
  return rows;
}

std::vector<std::size_t> Input::indices(const std::string& field, std::size_t end) const {
  std::vector<std::size_t> indices;
  for (const json& entry : array_from(at(field), field)) {
    indices.push_back(count_from(entry, field, 0));
    require(indices.back() < end, BadInputKind::out_of_range, field,
            fmt::format("tokens in 0..{}", end - 1), shown_json(entry));
    require(std::ranges::count(indices, indices.back()) == 1, BadInputKind::inconsistent, field,
            "distinct tokens", fmt::format("{} twice", indices.back()));
  }
  require(indices.size() < end, BadInputKind::out_of_range, field,
          fmt::format("fewer than {} tokens", end), fmt::format("{}", indices.size()));
  return indices;
}

Rational Input::temperature() const {
  return has("temperature") ? positive("temperature") : Rational(1);
}

std::vector<Rational> Input::scaled_logits() const {
  return logits_over(temperature());
}

std::vector<Rational> Input::logits_over(const Rational& t) const {
  std::vector<Rational> z = numbers("logits");
  require(z.size() >= 2, BadInputKind::out_of_range, "logits", "at least 2 tokens",
          fmt::format("{}", z.size()));
  for (Rational& value : z) value /= t;
  return z;
}

std::string Input::normalizer() const {
  return has("normalizer") ? word("normalizer") : "softmax";
}

void Input::expect_all_read() const {
  for (const auto& [field, value] : fields_.items()) {
    if (read_.contains(field)) continue;
    if (field == "temperature" && temperature() == 1) continue;
    if (field == "normalizer" && normalizer() == "softmax") continue;
    require(false, BadInputKind::unknown_name, field, "none, for the claim does not speak of it",
            shown_json(value));
  }
}

std::vector<Rational> Input::move(const std::string& field) const {
  std::vector<Rational> values = numbers(field);
  const std::size_t tokens = numbers("logits").size();
  require(values.size() == tokens, BadInputKind::inconsistent, field,
          fmt::format("{} entries, one a logit", tokens), fmt::format("{}", values.size()));
  require(squared_norm(values) > 0, BadInputKind::out_of_range, field, "a vector other than zero",
          "zero");
  return values;
}

std::vector<Rational> moved(const Input& input) {
  std::vector<Rational> z = input.scaled_logits();
  const std::vector<Rational> h = input.move("step");
  const Rational t = input.temperature();
  for (std::size_t i = 0; i < z.size(); ++i) z[i] += h[i] / t;
  return z;
}

std::string not_colder(const Input& input) {
  return input.positive("colder") < input.temperature() ? "" : "T' < T";
}

void require_normalizer(const Input& input, const std::string& name) {
  const std::string given = input.has("normalizer") ? input.word("normalizer") : name;
  require(given == name, BadInputKind::inconsistent, "normalizer", name, given);
}

void require_softmax(const Input& input) {
  const std::string given = input.normalizer();
  require(given == "softmax", BadInputKind::unsupported, "normalizer", "softmax", given);
}

std::size_t Input::selected(std::size_t tokens) const {
  const std::size_t n = count("N");
  require(n < tokens, BadInputKind::out_of_range, "N", fmt::format("1..L-1 = 1..{}", tokens - 1),
          fmt::format("{}", n));
  return n;
}

}  // namespace attn::recheck
