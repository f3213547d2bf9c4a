#include "theory/base/read_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <istream>
#include <memory>
#include <optional>
#include <set>
#include <sstream>
#include <vector>

#include "theory/base/bad_input.hpp"
#include "theory/base/words.hpp"

namespace attn {
namespace {

using nlohmann::json;
using Event = json::parse_event_t;

BadInput not_json(const std::string& expected, const std::string& where) {
  return BadInput({.kind = BadInputKind::malformed,
                   .expected = expected,
                   .found = "text that is not JSON " + where});
}

/// The integer that a number with a point or an exponent is, as "1.0" and "3e2" are; nothing where
/// it is none, has more than 64 bits, or is minus zero, which a double tells from zero.
std::optional<json> integer_of(std::string_view text) {
  const bool is_negative = text.starts_with('-');
  if (is_negative) text.remove_prefix(1);
  const std::size_t end = std::min(text.find_first_of("eE"), text.size());
  std::string digits(text.substr(0, end));
  std::string_view power = text.substr(std::min(end + 1, text.size()));
  if (power.starts_with('+')) power.remove_prefix(1);
  const auto exponent = power.empty() ? std::optional<int>(0) : number_from<int>(power);
  if (!exponent) return std::nullopt;
  long places = *exponent;
  if (const std::size_t point = digits.find('.'); point != std::string::npos) {
    places -= static_cast<long>(digits.size() - point - 1);
    digits.erase(point, 1);
  }
  constexpr long kMostDigits = 20;
  if (places > kMostDigits) return std::nullopt;
  for (; places < 0; ++places) {
    if (digits.size() < 2 || digits.back() != '0') return std::nullopt;
    digits.pop_back();
  }
  digits.append(static_cast<std::size_t>(places), '0');
  if (is_negative) {
    const auto value = number_from<std::int64_t>("-" + digits);
    return value && *value != 0 ? std::optional<json>(*value) : std::nullopt;
  }
  const auto value = number_from<std::uint64_t>(digits);
  return value ? std::optional<json>(*value) : std::nullopt;
}

/// Builds a document of a parser's events, each in a time that does not depend on how many values
/// stand beside it. (The library's own builder with a callback looks through all of them at the end
/// of each object.)
class Builder final : public json::json_sax_t {
 public:
  Builder(const std::string& expected, const json::parser_callback_t& keep)
      : expected_(expected), keep_(keep) {}

  json take() { return std::move(document_); }

  bool null() override { return add(nullptr); }
  bool boolean(bool value) override { return add(value); }
  bool number_integer(std::int64_t value) override { return add(value); }
  bool number_unsigned(std::uint64_t value) override { return add(value); }
  bool number_float(double value, const std::string& text) override {
    return add(integer_of(text).value_or(value));
  }
  bool string(std::string& value) override { return add(std::move(value)); }
  bool binary(json::binary_t& value) override { return add(std::move(value)); }

  bool start_object(std::size_t /*size*/) override {
    open(json::object(), Event::object_start);
    open_.back().names = std::make_unique<Names>();
    return true;
  }
  bool start_array(std::size_t /*size*/) override {
    open(json::array(), Event::array_start);
    return true;
  }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }

  /// Throws BadInput where the object has the name.
  bool key(std::string& name) override {
    Names& names = *open_.back().names;
    const auto [place, is_new] = names.all.insert(name);
    names.last = &*place;
    if (!is_new) {
      throw BadInput({.kind = BadInputKind::inconsistent,
                      .where = shown(parent()),
                      .expected = "every name of an object once",
                      .found = fmt::format("{} twice", in_quotes(name)),
                      .advice = "leave one of the two"});
    }
    if (keep_) {
      json value(name);
      keep_(depth(), Event::key, value);
    }
    return true;
  }

  [[noreturn]] bool parse_error(std::size_t position, const std::string& number,
                                const json::exception& error) override {
    constexpr int kNumberOverflow = 406;
    if (error.id != kNumberOverflow) {
      throw not_json(expected_, fmt::format("at byte {}", position));
    }
    throw BadInput({.kind = BadInputKind::out_of_range,
                    .where = next(),
                    .expected = "a number that a double holds, below 1.8e308",
                    .found = in_quotes(number),
                    .advice = "the exact numbers of a case stand between quotes"});
  }

 private:
  struct Names {
    std::set<std::string> all;
    const std::string* last{};
  };
  struct Container {
    json* node;                      ///< none where it is left out
    std::size_t begun{};             ///< elements or values
    std::unique_ptr<Names> names{};  ///< the names of an object; null for a list
  };

  [[nodiscard]] int depth() const { return static_cast<int>(open_.size()); }

  bool add(json value) {
    place(std::move(value), true);
    return true;
  }

  /// Where the value now stands in the document; nowhere where it is not kept.
  json* place(json value, bool is_kept) {
    if (!open_.empty()) ++open_.back().begun;
    json* const parent = open_.empty() ? nullptr : open_.back().node;
    if (!is_kept || (parent == nullptr && !open_.empty())) return nullptr;
    if (parent == nullptr) return &(document_ = std::move(value));
    if (parent->is_object()) {
      return &((*parent)[*open_.back().names->last] = std::move(value));
    }
    parent->push_back(std::move(value));
    return &parent->back();
  }

  void open(json container, Event event) {
    json value;
    const bool is_kept = !keep_ || keep_(depth(), event, value);
    open_.push_back({.node = place(std::move(container), is_kept)});
  }

  bool close() {
    open_.pop_back();
    return true;
  }

  /// The path of the value that comes next, as a message shows it: "at /claims/3".
  [[nodiscard]] std::string next() const {
    std::string path = parent();
    if (!open_.empty()) path += step(open_.back(), open_.back().begun);
    return shown(path);
  }

  static std::string step(const Container& container, std::size_t index) {
    return container.names ? "/" + *container.names->last : fmt::format("/{}", index);
  }

  /// The path of the innermost container.
  [[nodiscard]] std::string parent() const {
    std::string path;
    for (std::size_t i = 0; i + 1 < open_.size(); ++i) path += step(open_[i], open_[i].begun - 1);
    return path;
  }

  static std::string shown(const std::string& path) {
    return fmt::format("at {}", path.empty() ? "/" : shortened(path));
  }

  const std::string& expected_;
  const json::parser_callback_t& keep_;
  json document_;
  std::vector<Container> open_;
};

}  // namespace

json read_json(std::istream& stream, const std::string& expected,
               const json::parser_callback_t& keep) {
  Builder builder(expected, keep);
  json::sax_parse(stream, &builder);
  // A byte 0 ends it too.
  if (!stream.eof()) throw not_json(expected, "from a byte of value 0 on");
  return builder.take();
}

json read_json(std::string_view text, const std::string& expected,
               const json::parser_callback_t& keep) {
  std::istringstream stream{std::string(text)};
  return read_json(stream, expected, keep);
}

}  // namespace attn
