#pragma once

/// Generators of exact attention for RapidCheck, and what decides an inequality on what they draw.
#include "properties/generators/gen.hpp"
#include "properties/property.hpp"
#include "theory/attention/weights.hpp"
#include "theory/claims/catalogue.hpp"
#include "theory/claims/decide.hpp"
