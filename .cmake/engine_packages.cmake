# What the libraries of theory/ need, but for the second implementations: found by the project
# itself, and by one that uses the installed component engine.
find_package(PkgConfig REQUIRED)
find_package(Boost 1.74 REQUIRED CONFIG)  # FindBoost is gone from CMake 3.30 on
# A version that is asked for excludes Eigen 5, which takes 3.4 to mean none but 3.4.
find_package(Eigen3 REQUIRED NO_MODULE)
if(Eigen3_VERSION VERSION_LESS 3.4)
  message(FATAL_ERROR "Eigen ${Eigen3_VERSION} was found: version 3.4 or later is needed")
endif()
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
pkg_check_modules(MPFR REQUIRED IMPORTED_TARGET GLOBAL mpfr gmp)
find_library(MPFI_LIBRARY mpfi REQUIRED)
find_path(MPFI_INCLUDE_DIR mpfi.h REQUIRED)
