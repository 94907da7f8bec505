# What the library needs. scripts/setup installs all of it on Debian.

find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)
pkg_check_modules(YAML REQUIRED IMPORTED_TARGET yaml-0.1)
pkg_check_modules(ZSTD REQUIRED IMPORTED_TARGET libzstd)
pkg_check_modules(ZLIB REQUIRED IMPORTED_TARGET zlib)
pkg_check_modules(JANSSON REQUIRED IMPORTED_TARGET jansson) # glTF meshes are JSON
pkg_check_modules(FREETYPE REQUIRED IMPORTED_TARGET freetype2) # letters of `text` shapes
find_file(SHERD_FONT_FILE DejaVuSans-Bold.ttf REQUIRED DOC "The font of letters without one, built in"
  PATHS /usr/share/fonts /usr/local/share/fonts /usr/share/fonts/dejavu /usr/share/fonts/TTF
  PATH_SUFFIXES truetype/dejavu dejavu)
pkg_check_modules(MICROHTTPD IMPORTED_TARGET libmicrohttpd) # of `sherd view` alone
if(SHERD_BUILD_TESTS)
  pkg_check_modules(CRITERION REQUIRED IMPORTED_TARGET criterion)
endif()
set(SHERD_OPTIONAL_LIBRARIES "")

# Pictures
if(NOT SHERD_PICTURES)
  message(STATUS "SHERD_PICTURES is OFF: no pictures")
  return()
endif()
find_package(embree 3 CONFIG REQUIRED)
pkg_check_modules(PNG REQUIRED IMPORTED_TARGET libpng)
list(APPEND SHERD_OPTIONAL_LIBRARIES PkgConfig::PNG embree)
pkg_check_modules(JPEG IMPORTED_TARGET libjpeg) # of JPEG textures alone
pkg_check_modules(OPENEXR IMPORTED_TARGET OpenEXR) # of EXR pictures alone; of its libraries only the one in C
if(JPEG_FOUND)
  list(APPEND SHERD_OPTIONAL_LIBRARIES PkgConfig::JPEG)
else()
  message(STATUS "libjpeg is missing (libjpeg-dev): no JPEG textures")
endif()
if(OPENEXR_FOUND)
  find_library(OPENEXR_CORE_LIBRARY NAMES OpenEXRCore OpenEXRCore-3_1 HINTS ${OPENEXR_LIBRARY_DIRS})
  find_path(OPENEXR_CORE_INCLUDE openexr.h HINTS ${OPENEXR_INCLUDE_DIRS} PATH_SUFFIXES OpenEXR)
endif()
if(OPENEXR_CORE_LIBRARY AND OPENEXR_CORE_INCLUDE)
  list(APPEND SHERD_OPTIONAL_LIBRARIES ${OPENEXR_CORE_LIBRARY})
else()
  message(STATUS "OpenEXRCore is missing (libopenexr-dev): no EXR pictures")
endif()
