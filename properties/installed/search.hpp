#pragma once

/// What one needs to search the claims of a catalogue.
#include "properties/cli/search_main.hpp"
