#include "reports/html/regions.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <map>

namespace attn::report {

std::string with_named_regions(std::string_view html, std::string_view of) {
  constexpr std::string_view kName = "role=\"region\" aria-label=\"";
  std::map<std::string_view, std::size_t> seen;
  std::string out;
  for (std::size_t at = html.find(kName); at != std::string_view::npos; at = html.find(kName)) {
    out += html.substr(0, at + kName.size());
    html.remove_prefix(at + kName.size());
    const std::string_view name = html.substr(0, html.find('"'));
    html.remove_prefix(name.size());
    const std::size_t number = ++seen[name];
    out +=
        number == 1 ? fmt::format("{}, {}", name, of) : fmt::format("{} {}, {}", name, number, of);
  }
  out += html;
  return out;
}

}  // namespace attn::report
