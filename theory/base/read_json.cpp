#include "theory/base/read_json.hpp"

#include <fmt/format.h>

#include <istream>
#include <memory>
#include <set>
#include <sstream>
#include <vector>

#include "theory/base/bad_input.hpp"

namespace attn {
namespace {

using nlohmann::json;
using Event = json::parse_event_t;

/// Where a parser stands in a document.
class Place {
 public:
  /// Follows the parser's next event. Throws BadInput where it is a name that its object has.
  void follow(int depth, Event event, const json& value) {
    open_.resize(static_cast<std::size_t>(depth));
    if (event == Event::key) return name(value.get_ref<const std::string&>());
    if (event == Event::object_end || event == Event::array_end) return;
    if (!open_.empty()) ++open_.back().begun;
    if (event != Event::value) open_.emplace_back();
    if (event == Event::object_start) open_.back().names = std::make_unique<Names>();
  }

  /// Of the number that comes next.
  [[nodiscard]] std::string next() const {
    std::string path = parent();
    if (!open_.empty()) path += step(open_.back(), open_.back().begun);
    return shown(path);
  }

 private:
  struct Names {
    std::set<std::string> all;
    const std::string* last{};
  };
  struct Container {
    std::size_t begun{};           ///< elements or values
    std::unique_ptr<Names> names;  ///< of an object
  };

  void name(const std::string& name) {
    Names& names = *open_.back().names;
    const auto [place, is_new] = names.all.insert(name);
    names.last = &*place;
    if (is_new) return;
    throw BadInput({.kind = BadInputKind::inconsistent,
                    .where = shown(parent()),
                    .expected = "every name of an object once",
                    .found = fmt::format("{} twice", in_quotes(name)),
                    .advice = "leave one of the two"});
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

  std::vector<Container> open_;
};

BadInput not_json(const std::string& expected, const std::string& where) {
  return BadInput({.kind = BadInputKind::malformed,
                   .expected = expected,
                   .found = "text that is not JSON " + where});
}

}  // namespace

json read_json(std::istream& stream, const std::string& expected,
               const json::parser_callback_t& keep) {
  Place place;
  try {
    json document = json::parse(stream, [&](int depth, Event event, json& value) {
      place.follow(depth, event, value);
      return !keep || keep(depth, event, value);
    });
    // A byte 0 ends it too.
    if (!stream.eof()) throw not_json(expected, "from a byte of value 0 on");
    return document;
  } catch (const json::parse_error& error) {
    throw not_json(expected, fmt::format("at byte {}", error.byte));
  } catch (const json::out_of_range& error) {
    const std::string_view message = error.what();  // "... parsing '1e400'"
    throw BadInput({.kind = BadInputKind::out_of_range,
                    .where = place.next(),
                    .expected = "a number that a double holds, below 1.8e308",
                    .found = shortened(message.substr(message.find('\''))),
                    .advice = "the exact numbers of a case stand between quotes"});
  }
}

json read_json(std::string_view text, const std::string& expected,
               const json::parser_callback_t& keep) {
  std::istringstream stream{std::string(text)};
  return read_json(stream, expected, keep);
}

}  // namespace attn
