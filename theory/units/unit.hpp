#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>

namespace attn::units {

// A run is made of units of work. The result of a unit is a text that depends on its input alone,
// and what a run writes is a fold of the results that does not depend on the order in which they
// came. So one process, threads, ranks, shards and a run that was resumed give the same: they
// differ only in who computes a unit, and in whether its result was kept.

/// A piece of work that any process of the run can do by itself.
struct Unit {
  std::string name;   ///< the name of the unit, once in a run; neither tabs nor line ends
  std::string input;  ///< all that is to be known of the unit beside the command line, as JSON
};

/// What a unit came to.
struct Result {
  std::string text;    ///< the result, JSON on one line
  bool is_kept{true};  ///< whether a run that is resumed may take it as it is
};

/// Computes a unit from its input. Called from several threads at once, on every rank. What it
/// throws ends the run.
using Compute = std::function<Result(const std::string& input)>;

/// What is to be done, and with what comes of it. Both are called on rank 0 by one thread.
struct Plan {
  /// The next unit, whenever somebody is idle; nothing where there is none. Asked again after every
  /// result that is taken, so that a unit may depend on earlier results; the work is over where
  /// there is none while no unit is being computed.
  std::function<std::optional<Unit>()> next;
  /// Takes the text of a result, in no particular order.
  std::function<void(const Unit&, std::string text)> take;
};

/// What the results of a run depend on: the build, the command line, the inputs. Name -> value.
using Identity = std::map<std::string, std::string>;

/// The identity of a run of this program: version, commit and the SHA-256 of the program itself,
/// and `command`, the command line without what changes no result. Who reads further input adds its
/// digests.
Identity identity_of(const std::string& command);

/// One thing in which two runs differ.
struct Difference {
  std::string name, ours, theirs;
};

/// The first difference of two identities, in the order of the names; nothing where they are the
/// same.
std::optional<Difference> difference(const Identity& ours, const Identity& theirs);

std::string to_text(const Identity& identity);
/// The identity that to_text wrote; nothing for any other text.
std::optional<Identity> identity_from(const std::string& text);

}  // namespace attn::units
