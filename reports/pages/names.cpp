#include <fmt/format.h>

#include <boost/algorithm/string/case_conv.hpp>
#include <cctype>
#include <set>

#include "reports/pages/pages.hpp"
#include "reports/text/summary.hpp"

namespace attn::report {
namespace {

constexpr std::size_t kLongest = 80;

bool is_safe(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

/// A name of letters, digits, "_", and single "-" and "." between them.
std::string safe_name(std::string_view text) {
  std::string name;
  for (const char c : text.substr(0, kLongest)) {
    if (is_safe(c)) {
      name += c;
    } else if (!name.empty() && is_safe(name.back())) {
      name += c == '.' ? '.' : '-';
    }
  }
  while (!name.empty() && !is_safe(name.back())) name.pop_back();
  return name.empty() ? "unnamed" : name;
}

/// A name that is not taken yet, also where capitals do not count, and is then.
std::string unique_name(std::string_view text, std::set<std::string>& taken) {
  const std::string name = safe_name(text);
  std::string unique = name;
  for (int i = 2; !taken.insert(boost::to_lower_copy(unique)).second; ++i)
    unique = fmt::format("{}-{}", name, i);
  return unique;
}

/// What stands behind the name of an input on the page of its heads.
constexpr std::string_view kOfHeads = ".heads";

/// A name that is not that of the page of another input's heads.
std::string without_heads(std::string name) {
  const std::string safe = boost::to_lower_copy(safe_name(name));
  return safe.ends_with(kOfHeads) ? name + "-input" : name;
}

std::string shortened(std::string_view name) {
  constexpr std::string_view kRecording = ".safetensors";
  if (name.ends_with(kRecording)) {
    name.remove_suffix(kRecording.size());
    const std::size_t comma = name.rfind(", ");
    if (comma != std::string_view::npos) name.remove_prefix(comma + 2);
  }
  return std::string(name.substr(0, name.find(" (")));
}

}  // namespace

Names::Names(const Report& report) {
  std::set<std::string> claims, inputs;
  for (const ClaimRecord& record : report.claims) {
    if (claims_.contains(record.id)) continue;
    claims_.emplace(record.id, fmt::format("claims/{}.html", unique_name(record.id, claims)));
  }
  for (const Measurements& measured : report.inputs) {
    short_names_.push_back(short_name(measured));
    inputs_.push_back(unique_name(without_heads(short_names_.back()), inputs));
  }
}

const std::string& Names::claim(std::string_view id) const {
  static const std::string none;
  const auto found = claims_.find(id);
  return found == claims_.end() ? none : found->second;
}

Text Names::claim_link(std::string_view id) const {
  const std::string& page = claim(id);
  return page.empty() ? code(id) : link(id, page);
}

Text Names::claim_links(const std::vector<std::string>& ids) const {
  std::vector<Text> links;
  for (const std::string& id : ids) links.push_back(claim_link(id));
  return joined(links, ", ");
}

std::string Names::heads_page(std::size_t index) const {
  return fmt::format("inputs/{}{}.html", input(index), kOfHeads);
}

std::string Names::input_page(std::size_t index) const {
  return fmt::format("inputs/{}.html", input(index));
}

Text Names::input_link(std::size_t index) const {
  return link(short_names_.at(index), input_page(index));
}

std::string short_name(const Measurements& measured) {
  const std::string name = shortened(measured.input.empty() ? measured.model : measured.input);
  return name.empty() ? "attention" : name;
}

std::string input_in_short(std::string_view input) {
  return shortened(input);
}

std::string short_source(const ClaimRecord& record) {
  const std::string name = shortened(record.input);
  return name.empty() ? std::string(stage_title(record.stage)) : name;
}

}  // namespace attn::report
