# Install target, pkg-config file and Debian package.

install(TARGETS sherd sherd-command)
install(DIRECTORY include/sherd DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})

# Programs that link to the static library have to name what it needs; the shared one brings it.
if(NOT BUILD_SHARED_LIBS)
  set(SHERD_PC_REQUIRES "yaml-0.1 libzstd zlib libpng")
  set(SHERD_PC_LIBS "-lembree3 -lpthread -lm")
endif()
configure_file(cmake/sherd.pc.in sherd.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/sherd.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

if(PROJECT_IS_TOP_LEVEL)
  set(CPACK_GENERATOR DEB)
  set(CPACK_PACKAGE_CONTACT "The Sherd authors")
  set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
  set(CPACK_STRIP_FILES ON)
  set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
  set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
  set(CPACK_DEBIAN_PACKAGE_SECTION science)
  set(CPACK_DEBIAN_PACKAGE_DESCRIPTION "Sherd simulates how solid things break: bodies are packed with rigid
elements joined by bonds that carry load until they fail. It writes fragment
meshes, pictures, video and energy budgets.
.
This package has the command, the library and its headers.")
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
  set(CPACK_DEBIAN_PACKAGE_RECOMMENDS ffmpeg)
  include(CPack)
endif()
