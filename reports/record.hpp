#pragma once

// What a stage needs to write its part of a report: the records, the tally that fills them, the
// judge, the provenance and the file.

#include "reports/judge.hpp"
#include "reports/provenance.hpp"
#include "reports/report.hpp"
#include "reports/report_json.hpp"
#include "reports/tally.hpp"
