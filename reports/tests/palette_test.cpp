#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <regex>
#include <string>
#include <vector>

#include "reports/plot/svg.hpp"

namespace attn::plot {
namespace {

using Rgb = std::array<double, 3>;

/// The linear light of a colour "#rrggbb".
Rgb light_of(const std::string& hex) {
  Rgb light{};
  for (std::size_t i = 0; i < 3; ++i) {
    const double value = std::stoi(hex.substr(1 + 2 * i, 2), nullptr, 16) / 255.0;
    light[i] = value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
  }
  return light;
}

double luminance(const Rgb& c) {
  return 0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2];
}

/// What is seen without one kind of cones: Machado, Oliveira and Fernandes 2009, severity 1.
using Sight = std::array<Rgb, 3>;
constexpr Sight kNormal{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
constexpr Sight kProtanopia{{{0.152286, 1.052583, -0.204868},
                             {0.114503, 0.786281, 0.099216},
                             {-0.003882, -0.048116, 1.051998}}};
constexpr Sight kDeuteranopia{{{0.367322, 0.860646, -0.227968},
                               {0.280085, 0.672501, 0.047413},
                               {-0.011820, 0.042940, 0.968881}}};
constexpr Sight kTritanopia{{{1.255528, -0.076749, -0.178779},
                             {-0.078411, 0.930809, 0.147602},
                             {0.004733, 0.691367, 0.303900}}};

Rgb seen(const Rgb& c, const Sight& sight) {
  Rgb out{};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t k = 0; k < 3; ++k) out[i] += sight[i][k] * c[k];
    out[i] = std::clamp(out[i], 0.0, 1.0);
  }
  return out;
}

/// CIE L*a*b*, white point D65.
Rgb lab(const Rgb& c) {
  const double x = 0.4124564 * c[0] + 0.3575761 * c[1] + 0.1804375 * c[2];
  const double z = 0.0193339 * c[0] + 0.1191920 * c[1] + 0.9503041 * c[2];
  const auto f = [](double t) { return t > 0.008856 ? std::cbrt(t) : 7.787 * t + 16.0 / 116; };
  const double fx = f(x / 0.95047), fy = f(luminance(c)), fz = f(z / 1.08883);
  return {116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)};
}

double difference(const Rgb& a, const Rgb& b) {
  const Rgb p = lab(a), q = lab(b);
  return std::hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]);
}

std::map<std::string, Rgb> colours_of(Scheme scheme) {
  std::map<std::string, Rgb> colours;
  const std::string css = palette_css(scheme);
  const std::regex entry("--([a-z0-9-]+): (#[0-9a-f]{6});");
  for (std::sregex_iterator at(css.begin(), css.end(), entry), end; at != end; ++at) {
    colours[(*at)[1]] = light_of((*at)[2]);
  }
  return colours;
}

TEST(Palette, IsToldApartByTheColourBlind) {
  constexpr double kClear = 10;  // CIE 1976; about 2.3 is just noticeable
  for (const Scheme scheme : {Scheme::light, Scheme::dark}) {
    const std::map<std::string, Rgb> colours = colours_of(scheme);
    const std::vector<std::vector<std::string>> together = {{"hue-1", "hue-2", "hue-3", "hue-4"},
                                                            {"synthetic", "real", "recorded"}};
    for (const std::vector<std::string>& names : together) {
      for (std::size_t i = 0; i < names.size(); ++i) {
        for (std::size_t k = 0; k < i; ++k) {
          for (const Sight& sight : {kNormal, kProtanopia, kDeuteranopia, kTritanopia}) {
            EXPECT_GE(
                difference(seen(colours.at(names[i]), sight), seen(colours.at(names[k]), sight)),
                kClear)
                << names[i] << " beside " << names[k];
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace attn::plot
