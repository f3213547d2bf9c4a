# Two packages for Debian, made by `cpack -G DEB` in the build folder: the programs with their data,
# and the libraries with which another project searches claims of its own.
include(CPackComponent)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME attention-limits)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_VENDOR "The attention-limits project")
set(CPACK_PACKAGE_CONTACT "the attention-limits project")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Machine-checked limits of softmax attention")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING ONE_PER_GROUP)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_ENABLE_COMPONENT_DEPENDS OFF)

set(CPACK_DEBIAN_PROGRAMS_PACKAGE_NAME attention-limits)
set(CPACK_DEBIAN_PROGRAMS_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PROGRAMS_PACKAGE_SHLIBDEPS ON)
set(CPACK_COMPONENT_PROGRAMS_DESCRIPTION
  "Decides, in certified arithmetic, what holds of the theorems about softmax attention, on \
synthetic\ninput and on the heads of a transformer, and writes a report.")

set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME attention-limits-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
# What the installed package files ask for: .cmake/*_packages.cmake.
set(development_needs
  "attention-limits (= ${PROJECT_VERSION})" cmake g++ libboost-dev libcli11-dev libeigen3-dev
  libflint-dev libfmt-dev libgmp-dev libicu-dev libmpfi-dev libmpfr-dev libpugixml-dev
  librapidcheck-dev libssl-dev
  nlohmann-json3-dev pkg-config)
if(ARB_OF_ITS_OWN)
  list(APPEND development_needs libflint-arb-dev)
endif()
list(JOIN development_needs ", " CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS)
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION
  "Libraries, headers and CMake package with which a project decides and searches claims of its \
own.")

set(CPACK_COMPONENTS_ALL programs engine recheck search)
include(CPack)
cpack_add_component_group(programs)
cpack_add_component_group(development)
cpack_add_component(programs GROUP programs)
foreach(component IN ITEMS engine recheck search)
  cpack_add_component(${component} GROUP development)
endforeach()
