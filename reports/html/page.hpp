#pragma once

#include <string>

#include "reports/document/document.hpp"

namespace attn::report {

/// A document as a page of HTML that stands alone: it fetches nothing and has no script. For light
/// and dark screens, phones and paper.
std::string page_of(const Document& document);

/// The style sheet of every page.
const std::string& style_sheet();

}  // namespace attn::report
