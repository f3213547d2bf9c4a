#include "theory/units/unit.hpp"

#include <filesystem>
#include <nlohmann/json.hpp>
#include <system_error>

#include "theory/base/build_info.hpp"
#include "theory/base/sha256.hpp"

namespace attn::units {
namespace {

constexpr const char* kFormat = "attention_limits_run";

/// The file of this program: by its name, since an emulator answers for the link alone.
std::filesystem::path program() {
  const std::filesystem::path link = "/proc/self/exe";
  std::error_code error;
  const std::filesystem::path name = std::filesystem::read_symlink(link, error);
  return std::filesystem::exists(name, error) ? name : link;
}

}  // namespace

Identity identity_of(const std::string& command) {
  const BuildInfo build = build_info();
  return {{"command", command},
          {"commit", build.commit},
          {"program", sha256_of_file(program())},
          {"version", build.version}};
}

std::optional<Difference> difference(const Identity& ours, const Identity& theirs) {
  Identity all = ours, here = ours, there = theirs;
  all.insert(theirs.begin(), theirs.end());
  for (const auto& [name, value] : all) {
    if (here[name] != there[name]) return Difference{name, here[name], there[name]};
  }
  return std::nullopt;
}

std::string to_text(const Identity& identity) {
  return nlohmann::json{{kFormat, identity}}.dump();
}

std::optional<Identity> identity_from(const std::string& text) {
  const auto document = nlohmann::json::parse(text, nullptr, false);
  if (!document.is_object() || document.size() != 1 || !document.contains(kFormat)) return {};
  const nlohmann::json& fields = document.at(kFormat);
  if (!fields.is_object()) return {};
  Identity identity;
  for (const auto& [name, value] : fields.items()) {
    if (!value.is_string()) return {};
    identity[name] = value;
  }
  return identity;
}

}  // namespace attn::units
