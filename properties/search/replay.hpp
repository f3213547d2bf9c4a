#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "properties/search/run.hpp"

namespace CLI {
class App;
}

namespace attn::properties {

/// Adds the flags that decide what a search draws and decides. What `run` holds is their default.
void add_search_flags(CLI::App& app, Run& run);

/// The commands that do this search, or try this mutant, again with the same cases.
std::string replay_command(std::string_view claim_id, const Run& run);
std::string mutant_replay_command(std::string_view mutant_id, Run run);

/// The command that decides a case again, from its JSON alone; `eval` is that which reads a file.
std::string recheck_line(std::string_view claim_id, const nlohmann::json& input,
                         std::string_view eval);

}  // namespace attn::properties
