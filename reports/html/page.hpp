#pragma once

#include <map>
#include <string>

#include "reports/record/report.hpp"

namespace attn::report {

struct Page {
  std::string html;  ///< index.html
  /// Each figure of the page once more, name -> content: NAME.svg and NAME.csv.
  std::map<std::string, std::string> figures;
};

/// index.html: one self-contained page that fetches nothing, for light and dark screens, phones and
/// paper. Its script only spares keys on the maps of heads; without it all is there. Throws
/// BadInput where the real-input block is not as a stage writes it.
Page page_of(const Report& report);

}  // namespace attn::report
