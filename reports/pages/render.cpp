#include "reports/pages/render.hpp"

#include <set>
#include <string_view>

#include "reports/html/page.hpp"
#include "reports/io/report_json.hpp"
#include "reports/pages/pages.hpp"
#include "reports/text/junit.hpp"
#include "theory/base/atomic_file.hpp"
#include "theory/base/bad_input.hpp"
#include "theory/base/overwrite.hpp"

namespace attn::report {

std::map<std::string, std::string> pages_of(const Report& report) {
  const Names names(report);
  std::map<std::string, std::string> files;
  const auto add = [&](const Document& document) {
    if (document.figure) add_figure_files({*document.figure}, files);
    add_figure_files(document.blocks, files);
    files[document.path] = page_of(document);
  };
  add(overview_page(report, names));
  add(details_page(report, names));
  for (const ClaimView& view : by_claim(report)) add(claim_page(view, report, names));
  for (std::size_t i = 0; i < report.inputs.size(); ++i) {
    add(input_page(i, report, names));
    if (const auto heads = heads_page(i, report, names)) add(*heads);
  }
  return files;
}

namespace {

namespace fs = std::filesystem;

/// Whether a page was written by this program: those of others are left alone.
bool is_our_page(std::string_view beginning) {
  return beginning.find(R"(<meta name="generator" content="attention-limits">)") !=
         std::string_view::npos;
}

/// Throws BadInput where the folder has something of another origin in the place of what a report
/// has. What tells no origin by itself, such as junit.xml, is a report's where the report is there.
void check_nothing_of_others(const fs::path& out) {
  expect_replaceable(out / "report.json", "a report.json", is_report);
  expect_replaceable(out / "index.html", "the page of a report", is_our_page);
  std::error_code error;
  if (fs::exists(out / "report.json", error) || fs::exists(out / "index.html", error)) return;
  const auto is_none = [](std::string_view) { return false; };
  expect_replaceable(out / "report.md", "one beside a report.json", is_none);
  expect_replaceable(out / "junit.xml", "one beside a report.json", is_none);
  for (const char* const part : {"claims", "figures", "inputs"}) {
    if (!fs::is_directory(out / part, error) || fs::is_empty(out / part, error)) continue;
    throw BadInput({.kind = BadInputKind::unwritable,
                    .where = (out / part).string(),
                    .expected = "none there, or one beside a report.json",
                    .found = "a folder of something else",
                    .advice = "name another folder for the report"});
  }
}

/// The pages of an older report in `folder` that this one does not have.
std::set<std::string> stale_pages(const fs::path& folder,
                                  const std::map<std::string, std::string>& files) {
  std::set<std::string> stale;
  for (const char* const part : {"claims", "inputs"}) {
    std::error_code none;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder / part, none)) {
      const std::string name = (part / entry.path().filename()).generic_string();
      const bool is_page = entry.is_regular_file(none) && entry.path().extension() == ".html";
      if (is_page && !files.contains(name) && is_our_page(beginning_of(entry.path())))
        stale.insert(name);
    }
  }
  return stale;
}

}  // namespace

std::map<std::string, std::string> rendered_files(const Report& report) {
  std::map<std::string, std::string> files = pages_of(report);
  files["junit.xml"] = junit_xml(report);
  files["report.md"] = markdown(report);
  return files;
}

void write_rendered(const fs::path& out, const Report& report,
                    std::map<std::string, std::string> more) {
  std::map<std::string, std::string> files = rendered_files(report);
  files.merge(more);
  write_folder(out, files, stale_pages(out, files));
}

void check_folder_for_report(const fs::path& out) {
  if (out.empty()) {
    throw BadInput(
        {.kind = BadInputKind::missing, .where = "--out", .expected = "a folder", .found = "''"});
  }
  std::error_code error;
  if (fs::exists(out, error) && !fs::is_directory(out, error)) {
    throw BadInput({.kind = BadInputKind::unwritable,
                    .where = "--out: " + out.string(),
                    .expected = "a folder, or none",
                    .found = "what is not a folder",
                    .advice = "name another"});
  }
  check_nothing_of_others(out);
}

}  // namespace attn::report
