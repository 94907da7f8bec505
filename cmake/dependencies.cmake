# What the library needs. scripts/setup installs all of it on Debian.

find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)
pkg_check_modules(YAML REQUIRED IMPORTED_TARGET yaml-0.1)
pkg_check_modules(ZSTD REQUIRED IMPORTED_TARGET libzstd)
pkg_check_modules(ZLIB REQUIRED IMPORTED_TARGET zlib)
pkg_check_modules(PNG REQUIRED IMPORTED_TARGET libpng)
pkg_check_modules(JANSSON REQUIRED IMPORTED_TARGET jansson) # glTF meshes are JSON
pkg_check_modules(MICROHTTPD IMPORTED_TARGET libmicrohttpd) # of `sherd view` alone
find_package(embree 3 CONFIG REQUIRED)
if(SHERD_BUILD_TESTS)
  pkg_check_modules(CRITERION REQUIRED IMPORTED_TARGET criterion)
endif()
