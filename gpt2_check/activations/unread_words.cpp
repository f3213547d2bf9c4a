#include "gpt2_check/activations/unread_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string>
#include <vector>

#include "gpt2_check/activations/names.hpp"
#include "reports/record/words.hpp"
#include "theory/base/bad_input.hpp"

namespace attn::gpt2 {
namespace {

using enum BadInputKind;
using safetensors::File;
using safetensors::place;

/// A name that is read, what stands under it, and its other names, in small letters alone.
struct Known {
  const char* name;
  const char* holds;
  std::vector<std::string_view> others;
};

const std::vector<Known>& known_metadata() {
  static const std::vector<Known> known{
      {names::kTemperatures,
       "a JSON list of the T that each layer divides its logits by",
       {"temperature", "temps", "temp", "scale", "scales", "scaling", "softmaxscale", "attnscale",
        "attentionscale", "softmaxtemperature"}},
      {names::kMask,
       "causal, full or window:K",
       {"masks", "masktype", "maskkind", "attnmask", "attentionmask", "hookmask", "causalmask",
        "causal", "iscausal", "window", "bidirectional"}},
      {names::kPadding,
       "a JSON list of positions",
       {"pad", "pads", "padded", "paddings", "paddingmask", "paddingpositions", "padpositions",
        "keypaddingmask"}},
      {names::kZeros, "hidden or weights", {"zero", "zeroes"}},
      {names::kHiddenBelow,
       "a number or none",
       {"hidden", "below", "hiddenunder", "maskvalue", "fillvalue", "maskfill"}}};
  return known;
}

const std::vector<Known>& known_hooks() {
  static const std::vector<Known> known{
      {"pattern",
       "the weights [head, query, key]",
       {"patterns", "attnpattern", "attnweights", "attentionweights", "attnprobs", "attentionprobs",
        "weights", "probs"}},
      {"attn_scores",
       "the scores [head, query, key]",
       {"attnscore", "attentionscores", "scores", "attnlogits", "attentionlogits"}},
      {"mask",
       "[query, key] or [head, query, key], 1 where a query sees a key",
       {"masks", "attnmask", "attentionmask", "causalmask", "attnbias", "attentionbias"}},
      {"sink",
       "the logit of the sink of each head",
       {"sinks", "attnsink", "attnsinks", "attentionsink", "attentionsinks", "sinklogit",
        "sinklogits"}},
      {"rot_q", "queries after rotary embedding", {"qrot", "qrotary", "rotaryq", "ropeq", "qrope"}},
      {"rot_k", "keys after rotary embedding", {"krot", "krotary", "rotaryk", "ropek", "krope"}}};
  return known;
}

const std::vector<Known>& known_tensors() {
  static const std::vector<Known> known{
      {names::kAttentionMask,
       "[position], 0 of padding; which keys a query sees says blocks.{i}.attn.hook_mask",
       {"attentionmasks", "attnmask", "mask", "paddingmask", "padmask", "keypaddingmask"}}};
  return known;
}

/// The letters of a name, small.
std::string letters_of(std::string_view name) {
  std::string letters;
  for (const unsigned char character : name) {
    if (std::isalpha(character) != 0) letters += static_cast<char>(std::tolower(character));
  }
  return letters;
}

/// What a name that is not read stands for; nothing where it is none of the other names.
const Known* meant_by(std::string_view name, const std::vector<Known>& all) {
  const std::string letters = letters_of(name);
  const auto known = std::ranges::find_if(all, [&](const Known& one) {
    return name != one.name &&
           (letters == letters_of(one.name) || std::ranges::count(one.others, letters) > 0);
  });
  return known == all.end() ? nullptr : &*known;
}

void refuse(const File& file, std::string where, const std::string& read, const Known& known) {
  file.complaint().refuse(BadInput({.kind = unknown_name,
                                    .where = std::move(where),
                                    .expected = fmt::format("{}, {}", in_quotes(read), known.holds),
                                    .found = "a name that is not read",
                                    .advice = "rename it, or leave it out"}));
}

void expect_metadata(const File& file) {
  const auto is_read = [](const std::string& name) {
    return std::ranges::any_of(known_metadata(),
                               [&](const Known& known) { return name == known.name; });
  };
  const Known& mask = *std::ranges::find(known_metadata(), std::string_view(names::kMask),
                                         [](const Known& known) { return known.name; });
  for (const auto& [name, value] : file.all_metadata()) {
    if (is_read(name)) continue;
    const bool is_mask = value == report::kCausalMask || value == report::kFullMask ||
                         value.starts_with(report::kWindowMask);
    const Known* const known = is_mask ? &mask : meant_by(name, known_metadata());
    if (known == nullptr || file.metadata(known->name)) continue;
    refuse(file, "metadata " + in_quotes(name), known->name, *known);
  }
}

void expect_tensors(const File& file) {
  static const std::string begin = "blocks.", middle = ".attn.hook_";
  for (const auto& [name, entry] : file.entries()) {
    const std::size_t at = name.find(middle);
    const bool is_hook = name.starts_with(begin) && at != std::string::npos;
    const std::string stem = is_hook ? name.substr(0, at + middle.size()) : "";
    const Known* const known = meant_by(std::string_view(name).substr(stem.size()),
                                        is_hook ? known_hooks() : known_tensors());
    if (known == nullptr || file.contains(stem + known->name)) continue;
    refuse(file, place(name), stem + known->name, *known);
  }
}

bool has_any(const File& file, const names::Hook& hook) {
  const std::string end = std::string(".attn.hook_") + hook.name;
  return std::ranges::any_of(file.entries(),
                             [&](const auto& entry) { return entry.first.ends_with(end); });
}

/// Refuses what is said of tensors that are not there.
void expect_followed(const File& file) {
  const bool hides_zeros = file.metadata(names::kZeros) == names::kHidden;
  file.complaint().unless(
      !hides_zeros || has_any(file, names::pattern), inconsistent, "metadata 'zeros'",
      "a pattern, of whose zeros it speaks", "none",
      "leave it out; 'mask' or a tensor hook_mask says which keys a query sees, "
      "'hidden_below' which scores hide them");
  const bool has_bound = file.metadata(names::kHiddenBelow).value_or(names::kNone) != names::kNone;
  file.complaint().unless(
      !has_bound || has_any(file, names::scores), inconsistent, "metadata 'hidden_below'",
      "hook_attn_scores, of which it speaks", "none",
      "leave it out; 'mask' or a tensor hook_mask says which keys a query sees, "
      "'zeros' whether those of weight 0 are hidden");
}

}  // namespace

void expect_read(const File& file) {
  expect_metadata(file);
  expect_tensors(file);
  expect_followed(file);
}

}  // namespace attn::gpt2
