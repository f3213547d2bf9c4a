#pragma once

#include <iosfwd>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace attn {

/// A JSON document that a stranger may have written, `expected` in words. Throws BadInput for a
/// text that is not JSON; and, naming the place in the document ("at /claims/0"), for an object
/// that has a name twice, of which two readers may see different values, and for a number that no
/// double holds.
///
/// `keep` says which parts the document is to hold, as that of nlohmann::json::parse does; without
/// it, all. What it leaves out is checked too.
nlohmann::json read_json(std::string_view text, const std::string& expected,
                         const nlohmann::json::parser_callback_t& keep = {});
nlohmann::json read_json(std::istream& stream, const std::string& expected,
                         const nlohmann::json::parser_callback_t& keep = {});

}  // namespace attn
