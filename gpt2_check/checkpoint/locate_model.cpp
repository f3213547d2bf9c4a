#include <fmt/format.h>

#include <cstdlib>
#include <fstream>
#include <regex>

#include "gpt2_check/checkpoint/checkpoint.hpp"
#include "theory/base/bad_input.hpp"
#include "theory/base/data_folder.hpp"

/// Where the folder of a model is.
namespace attn::gpt2 {
namespace {

namespace fs = std::filesystem;

constexpr const char* kTiny = "tiny";
/// The longest name of a model of the Hub, which allows less. std::regex takes stack for each
/// character.
constexpr std::size_t kLongestName = 255;
constexpr const char* kDefaultOwner = "openai-community";

bool is_hub_name(const std::string& model) {
  static const std::regex pattern(R"([A-Za-z0-9][\w.-]*(/[A-Za-z0-9][\w.-]*)?)");
  return model.size() <= kLongestName && std::regex_match(model, pattern) &&
         model.find("..") == std::string::npos;
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

fs::path hub_cache() {
  constexpr std::pair<const char*, const char*> kPlaces[] = {{"HF_HUB_CACHE", ""},
                                                             {"HF_HOME", "/hub"},
                                                             {"XDG_CACHE_HOME", "/huggingface/hub"},
                                                             {"HOME", "/.cache/huggingface/hub"}};
  for (const auto& [variable, below] : kPlaces) {
    const char* const value = std::getenv(variable);
    if (value != nullptr && *value != '\0') return std::string(value) + below;
  }
  throw BadInput({.kind = BadInputKind::missing,
                  .where = "the Hugging Face cache",
                  .expected = "HF_HUB_CACHE, HF_HOME or HOME to lead to it",
                  .found = "none of them",
                  .advice = "set one, or give a folder"});
}

fs::path locate_model(const std::string& model) {
  if (model == kTiny) return data_folder("tiny/model", ATTN_TINY_MODEL);
  if (fs::is_directory(model)) return model;
  if (!is_hub_name(model)) {
    throw BadInput({.kind = BadInputKind::missing,
                    .where = place(model),
                    .expected = "a folder, or a hub name like openai-community/gpt2",
                    .found = "neither",
                    .advice = "check the path"});
  }
  const std::size_t slash = model.find('/');
  const bool has_owner = slash != std::string::npos;
  const std::string owner = has_owner ? model.substr(0, slash) : kDefaultOwner;
  const std::string name = has_owner ? model.substr(slash + 1) : model;
  const std::string download = fmt::format("`hf download {}/{}`", owner, name);
  const fs::path cache = hub_cache();
  const fs::path repository = cache / fmt::format("models--{}--{}", owner, name);
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
