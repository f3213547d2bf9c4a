#pragma once

#include <nlohmann/json_fwd.hpp>
#include <stdexcept>
#include <string>
#include <string_view>

namespace attn {

/// What is wrong with an input.
enum class BadInputKind {
  missing,       ///< what is needed is not there: a file, a field, a flag
  unknown_name,  ///< a name that stands for nothing: of a claim, a field, an outcome
  malformed,     ///< not of the type or the form that it must have
  out_of_range,  ///< a value outside the range that it may have
  inconsistent,  ///< parts that contradict each other, or one of them given twice
  unsupported,   ///< sound, but nothing that this program works on
  too_large,     ///< more than is worked on
  unreadable,    ///< what the system or a server does not hand over
  unwritable,    ///< where the system does not let it be written
};

/// What a message on bad input says, each a part of a sentence. A part that says nothing is empty.
struct BadInputParts {
  BadInputKind kind;
  std::string where{};     ///< the place, outermost first: "file.json: field 'logits'"
  std::string expected{};  ///< what should stand there: "an integer in 1..9"
  std::string found{};     ///< what stands there: "'x'"
  std::string advice{};    ///< what to do: "check the path"
};

/// Input that cannot be used: a flag, a file, a text, a checkpoint, a case.
///
/// The message is one line of valid UTF-8, "where: expected E, found F; advice", without the parts
/// that are empty. Command lines print it and exit with status 2.
class BadInput : public std::runtime_error {
 public:
  explicit BadInput(BadInputParts parts);

  [[nodiscard]] const BadInputParts& parts() const { return parts_; }

  /// This message with `outer` put before the place that it names: "outer: where", for a place that
  /// lies in `outer`, as a field in a file.
  [[nodiscard]] BadInput within(std::string_view outer) const;

 private:
  BadInputParts parts_;
};

// Input as a message shows it.

/// `bytes` with U+FFFD in place of every sequence that is not UTF-8. The name of a file may be any
/// bytes: this is how it enters JSON and messages.
std::string valid_utf8(std::string_view bytes);

/// `message` as one line of valid UTF-8: input may put line ends and other control characters into
/// it, what turns the direction of the text around it (U+202E and its like), and bytes that are no
/// text. A control becomes a space.
std::string one_line(std::string_view message);

/// `text`, or the start of it and "..." where it is longer than `most` bytes; no character is cut.
std::string shortened(std::string_view text, std::size_t most = 60);

/// `text`, shortened, between single quotes.
std::string in_quotes(std::string_view text);

/// A JSON value as a message shows it: in ASCII, shortened. An array or object is named with its
/// size; where it holds others its content is left out, since it may be nested so deeply that
/// printing it would overflow the stack.
std::string shown_json(const nlohmann::json& value);

}  // namespace attn
