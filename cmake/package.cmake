# `cmake --install` and find_package(Tandem): headers, libtandem.so and the command. A user's project needs no nvcc.

include(CMakePackageConfigHelpers)
install(TARGETS tandem EXPORT TandemTargets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY lib/include/tandem DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT TandemTargets NAMESPACE Tandem:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/Tandem)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/TandemConfigVersion.cmake COMPATIBILITY SameMinorVersion)
file(WRITE ${CMAKE_BINARY_DIR}/TandemConfig.cmake "include(\${CMAKE_CURRENT_LIST_DIR}/TandemTargets.cmake)\n")
install(FILES ${CMAKE_BINARY_DIR}/TandemConfig.cmake ${CMAKE_BINARY_DIR}/TandemConfigVersion.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/Tandem)

install(TARGETS tandem_command RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
set_target_properties(tandem_command PROPERTIES INSTALL_RPATH "$ORIGIN/../${CMAKE_INSTALL_LIBDIR}")
if(TANDEM_SIMT)
  install(TARGETS tandem_simt tandem_executor LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
  set_target_properties(tandem_simt tandem_executor PROPERTIES INSTALL_RPATH "$ORIGIN")
endif()
