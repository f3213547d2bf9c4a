#pragma once

#include <string>

#include "reports/html/figure.hpp"
#include "reports/record/report.hpp"

namespace attn::report {

struct Page {
  std::string html;     ///< index.html
  FigureFiles figures;  ///< each figure of the page once more: NAME.svg and NAME.csv
};

/// index.html: one self-contained page that fetches nothing, for light and dark screens, phones and
/// paper. Its script only spares keys on the maps of heads; without it all is there. Throws
/// BadInput where the real-input block is not as a stage writes it.
Page page_of(const Report& report);

}  // namespace attn::report
