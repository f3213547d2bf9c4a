#pragma once

#include <iosfwd>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace attn {

/// A JSON document that a stranger may have written, `expected` in words. Throws BadInput for a
/// text that is not JSON; and, naming the place in the document ("at /claims/0"), for an object
/// that has a name twice, of which two readers may see different values, and for a number that no
/// double holds. A number that is whole is an integer however it is written, as in JSON Schema: 1.0
/// and 3e2 too, where it has 64 bits at most.
///
/// `keep` is asked at the beginning of each object and array whether the document is to hold it,
/// with the number of containers around it, and is told each name; without it, all are held. What
/// it leaves out is checked too.
nlohmann::json read_json(std::string_view text, const std::string& expected,
                         const nlohmann::json::parser_callback_t& keep = {});
nlohmann::json read_json(std::istream& stream, const std::string& expected,
                         const nlohmann::json::parser_callback_t& keep = {});

}  // namespace attn
