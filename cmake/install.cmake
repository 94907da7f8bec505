# Install target, pkg-config file and Debian package.

# Four packages: libsherd0, libsherd-dev, sherd (the command) and python3-sherd.
install(TARGETS sherd-command RUNTIME COMPONENT command)
# What the command printed about itself (apps/sherd/CMakeLists.txt).
if(NOT CMAKE_CROSSCOMPILING)
  set(shell_files ${PROJECT_BINARY_DIR}/shell)
  install(FILES ${shell_files}/sherd COMPONENT command
    DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
  install(FILES ${shell_files}/_sherd COMPONENT command DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
  install(FILES ${shell_files}/sherd.fish COMPONENT command
    DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
  install(FILES ${shell_files}/sherd.1 COMPONENT command DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
endif()
install(TARGETS ${SHERD_LIBRARY_TARGET}
  LIBRARY COMPONENT library NAMELINK_COMPONENT development
  ARCHIVE COMPONENT development)
install(DIRECTORY include/sherd DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development
  FILES_MATCHING PATTERN "*.h")
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT library)
# Pure Python over the shared library. Where it belongs depends on the system: `make package` says it.
set(SHERD_PYTHON_FOLDER "" CACHE STRING "Where to install the Python module, empty: nowhere")
if(SHERD_PYTHON_FOLDER)
  install(DIRECTORY python/sherd DESTINATION ${SHERD_PYTHON_FOLDER} COMPONENT python
    FILES_MATCHING PATTERN "*.py" PATTERN "*.pyi" PATTERN "py.typed" PATTERN "__pycache__" EXCLUDE)
  install(DIRECTORY examples/python/ DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/python3-sherd/examples
    COMPONENT python FILES_MATCHING PATTERN "*.py" PATTERN "*.yaml" PATTERN "__pycache__" EXCLUDE)
endif()

# Programs that link to the static library have to name what it needs; the shared one brings it.
if(NOT BUILD_SHARED_LIBS)
  set(SHERD_PC_REQUIRES "yaml-0.1 libzstd zlib jansson freetype2")
  set(SHERD_PC_LIBS "-lpthread -lm")
  if(SHERD_PICTURES)
    string(APPEND SHERD_PC_REQUIRES " libpng")
    string(PREPEND SHERD_PC_LIBS "-lembree3 ")
  endif()
  if(JPEG_FOUND)
    string(APPEND SHERD_PC_REQUIRES " libjpeg")
  endif()
  if(OPENEXR_CORE_LIBRARY)
    string(PREPEND SHERD_PC_LIBS "-lOpenEXRCore ")
  endif()
endif()
configure_file(cmake/sherd.pc.in sherd.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/sherd.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig
  COMPONENT development)

if(PROJECT_IS_TOP_LEVEL)
  set(CPACK_GENERATOR DEB)
  set(CPACK_PACKAGE_CONTACT "The Sherd authors")
  set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
  set(CPACK_STRIP_FILES ON)
  set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
  set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
  set(CPACK_DEBIAN_PACKAGE_SECTION science)
  set(CPACK_DEB_COMPONENT_INSTALL ON)
  set(CPACK_COMPONENTS_ALL library development command)
  if(SHERD_PYTHON_FOLDER)
    list(APPEND CPACK_COMPONENTS_ALL python)
  endif()
  set(about "Sherd simulates how solid things break: bodies are packed with rigid
elements joined by bonds that carry load until they fail. It writes fragment
meshes, pictures, video and energy budgets.
.
")
  set(CPACK_COMPONENT_LIBRARY_DESCRIPTION "${about}This package has the shared library.")
  set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION "${about}This package has what programs in C need to link to the library.")
  set(CPACK_COMPONENT_COMMAND_DESCRIPTION "${about}This package has the command.")
  set(CPACK_COMPONENT_PYTHON_DESCRIPTION "${about}This package has the Python module, and examples.")
  set(same "(= ${PROJECT_VERSION})")
  set(CPACK_DEBIAN_LIBRARY_PACKAGE_NAME libsherd0)
  set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libs)
  set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libsherd-dev)
  set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
  set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "libsherd0 ${same}")
  set(CPACK_DEBIAN_COMMAND_PACKAGE_NAME sherd)
  set(CPACK_DEBIAN_COMMAND_PACKAGE_DEPENDS "libsherd0 ${same}")
  set(CPACK_DEBIAN_COMMAND_PACKAGE_RECOMMENDS ffmpeg)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-sherd)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_ARCHITECTURE all)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_SHLIBDEPS OFF)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS "python3 (>= 3.9), libsherd0 ${same}")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_RECOMMENDS python3-numpy)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_SUGGESTS python3-matplotlib)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_CONTROL_EXTRA
    "${PROJECT_SOURCE_DIR}/cmake/python3-sherd/postinst;${PROJECT_SOURCE_DIR}/cmake/python3-sherd/prerm")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_CONTROL_STRICT_PERMISSION ON)
  # Earlier versions were one package, sherd.
  set(CPACK_DEBIAN_LIBRARY_PACKAGE_REPLACES "sherd (<= ${PROJECT_VERSION})")
  set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_REPLACES "sherd (<= ${PROJECT_VERSION})")
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${PROJECT_BINARY_DIR}) # the command needs the library beside it
  set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
  include(CPack)
endif()
