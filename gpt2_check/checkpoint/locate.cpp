#include <fmt/format.h>

#include <cstdlib>
#include <fstream>
#include <regex>

#include "gpt2_check/checkpoint/checkpoint.hpp"
#include "theory/base/bad_input.hpp"
#include "theory/base/data_folder.hpp"

namespace attn::gpt2 {
namespace {

namespace fs = std::filesystem;

constexpr const char* kTiny = "tiny";
/// Of a model of the Hub, which allows less. std::regex takes stack for each character.
constexpr std::size_t kLongestName = 255;
constexpr const char* kDefaultOwner = "openai-community";

bool is_hub_name(const std::string& model) {
  static const std::regex pattern(R"([A-Za-z0-9][\w.-]*(/[A-Za-z0-9][\w.-]*)?)");
  return model.size() <= kLongestName && std::regex_match(model, pattern) &&
         model.find("..") == std::string::npos;
}

/// "owner/name" -> "models--owner--name", the folder of a model in the cache.
std::string cache_folder(const std::string& hub_name) {
  const auto slash = hub_name.find('/');
  return fmt::format("models--{}--{}", hub_name.substr(0, slash), hub_name.substr(slash + 1));
}

std::string place(const std::string& model) {
  return fmt::format("model {}", in_quotes(model));
}

/// The commit in refs/main: one word of hexadecimal digits.
std::string main_commit(const fs::path& repository) {
  const fs::path file = repository / "refs" / "main";
  std::string commit;
  std::ifstream(file) >> commit;
  if (!std::regex_match(commit, std::regex("[0-9a-f]{7,64}"))) {
    throw BadInput({.kind = BadInputKind::malformed,
                    .where = file.string(),
                    .expected = "the commit of the snapshot to use",
                    .found = in_quotes(commit),
                    .advice = "download the model again"});
  }
  return commit;
}

}  // namespace

std::optional<std::string> process_environment(const char* name) {
  const char* value = std::getenv(name);
  if (value == nullptr || *value == '\0') return std::nullopt;
  return value;
}

fs::path hub_cache(const Environment& environment) {
  if (const auto cache = environment("HF_HUB_CACHE")) return *cache;
  if (const auto home = environment("HF_HOME")) return fs::path(*home) / "hub";
  if (const auto cache = environment("XDG_CACHE_HOME")) {
    return fs::path(*cache) / "huggingface" / "hub";
  }
  if (const auto home = environment("HOME")) {
    return fs::path(*home) / ".cache" / "huggingface" / "hub";
  }
  throw BadInput({.kind = BadInputKind::missing,
                  .where = "the Hugging Face cache",
                  .expected = "HF_HUB_CACHE, HF_HOME or HOME to lead to it",
                  .found = "none of them",
                  .advice = "set one, or give a folder"});
}

fs::path locate_model(const std::string& model, const Environment& environment) {
  if (model == kTiny) return data_folder("tiny/model", ATTN_TINY_MODEL);
  if (fs::is_directory(model)) return model;
  if (!is_hub_name(model)) {
    throw BadInput({.kind = BadInputKind::missing,
                    .where = place(model),
                    .expected = "a folder, or a hub name like openai-community/gpt2",
                    .found = "neither",
                    .advice = "check the path"});
  }
  const bool has_owner = model.find('/') != std::string::npos;
  const std::string name = has_owner ? model : fmt::format("{}/{}", kDefaultOwner, model);
  const std::string download = fmt::format("`hf download {}`", name);
  const fs::path cache = hub_cache(environment);
  const fs::path repository = cache / cache_folder(name);
  if (!fs::is_directory(repository)) {
    throw BadInput({.kind = BadInputKind::missing,
                    .where = place(model),
                    .expected = fmt::format("a folder, or {} in the Hugging Face cache {}",
                                            repository.filename().string(), cache.string()),
                    .found = "neither",
                    .advice = fmt::format("download it with {}, or give the folder of a checkpoint",
                                          download)});
  }
  fs::path snapshot = repository / "snapshots" / main_commit(repository);
  if (!fs::is_directory(snapshot)) {
    throw BadInput({.kind = BadInputKind::missing,
                    .where = place(model),
                    .expected = fmt::format("the folder {}", snapshot.string()),
                    .found = "none",
                    .advice = fmt::format("download the model again with {}", download)});
  }
  return snapshot;
}

std::string display_name(const std::string& model) {
  return model == kTiny ? "tiny (GPT-2 architecture, 1.6 M parameters, trained for this project)"
                        : valid_utf8(model);
}

}  // namespace attn::gpt2
