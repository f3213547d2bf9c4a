#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "reports/record/report.hpp"

namespace attn::report {

/// Told how many of all windows are read.
using ShowWindows = std::function<void(std::uint64_t done, std::uint64_t all)>;

/// Joins the reports of different stages of one run, the shards of a search, and those of one run
/// over windows, in any order: the whole is what one run of everything would have written, but for
/// its times, threads and ranks. Windows are read from their files in their order, one at a time.
/// The start is the earliest, the seconds are added, libraries are united. `reports` has one
/// element or more.
///
/// Throws BadInput, naming both files, the field and both values, where the reports are of
/// different runs, or two carry the same claim and stage, or the same real input. Shards must be
/// all those of one run: throws too, naming which, where one is missing, there twice, of another
/// count, or beside a report of the whole search.
///
/// `end_shards` puts records in the place of the units of work of shards; it is called where there
/// are some. `show` is told of every window.
Report merge(const std::vector<Report>& reports,
             const std::function<void(Report& joined)>& end_shards = {},
             const ShowWindows& show = {});

}  // namespace attn::report
