# What the search and the reports need besides: of the installed component search too.
find_package(Threads REQUIRED)
find_package(rapidcheck REQUIRED)
find_package(CLI11 REQUIRED)
find_package(ICU REQUIRED COMPONENTS uc i18n)
find_package(OpenSSL REQUIRED)
find_package(pugixml REQUIRED)
