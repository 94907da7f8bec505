# Install target, pkg-config file and Debian package.

install(TARGETS sherd sherd-command)
install(DIRECTORY include/sherd DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
