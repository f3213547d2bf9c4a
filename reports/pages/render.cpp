#include "reports/pages/render.hpp"

#include <fstream>
#include <set>

#include "reports/html/page.hpp"
#include "reports/pages/pages.hpp"
#include "reports/text/junit.hpp"
#include "theory/base/atomic_file.hpp"
#include "theory/base/bad_input.hpp"

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
  for (std::size_t i = 0; i < report.inputs.size(); ++i) add(input_page(i, report, names));
  return files;
}

namespace {

namespace fs = std::filesystem;

/// Whether a page was written by this program: those of others are left alone.
bool is_ours(const fs::path& page) {
  std::string start(1024, ' ');
  std::ifstream stream(page, std::ios::binary);
  stream.read(start.data(), static_cast<std::streamsize>(start.size()));
  return start.find(R"(<meta name="generator" content="attention-limits">)") != std::string::npos;
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
      if (is_page && !files.contains(name) && is_ours(entry.path())) stale.insert(name);
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
}

}  // namespace attn::report
