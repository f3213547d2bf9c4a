# What the second implementations of the claims are made of.
find_library(FLINT_LIBRARY flint REQUIRED)
find_path(FLINT_INCLUDE_DIR flint/flint.h REQUIRED)
# Arb is part of FLINT from version 3 on, a library of its own before.
if(EXISTS ${FLINT_INCLUDE_DIR}/flint/arb.h)
  set(ARB_LIBRARY)
  set(arb_header <flint/arb_mat.h>)
else()
  set(arb_header <arb_mat.h>)
  find_library(ARB_OF_ITS_OWN NAMES flint-arb arb REQUIRED)
  set(ARB_LIBRARY ${ARB_OF_ITS_OWN})
endif()
find_library(GMPXX_LIBRARY gmpxx REQUIRED)
find_library(GMP_LIBRARY gmp REQUIRED)
