#pragma once

// What a stage needs to write its part of a report: the records, the tally that fills them, the
// judge, the provenance and the file.

#include "reports/io/report_json.hpp"
#include "reports/judge/judge.hpp"
#include "reports/judge/tally.hpp"
#include "reports/record/provenance.hpp"
#include "reports/record/report.hpp"
