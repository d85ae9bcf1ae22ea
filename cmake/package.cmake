# `cmake --install`, find_package(Tandem) and pkg-config: headers, libtandem.so and the command. A user's project needs no
# nvcc.

include(CMakePackageConfigHelpers)
install(TARGETS tandem EXPORT TandemTargets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY lib/include/tandem DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(EXPORT TandemTargets NAMESPACE Tandem:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/Tandem)
set(generated ${CMAKE_CURRENT_BINARY_DIR}/package)
write_basic_package_version_file(${generated}/TandemConfigVersion.cmake COMPATIBILITY SameMinorVersion)
file(WRITE ${generated}/TandemConfig.cmake "include(\${CMAKE_CURRENT_LIST_DIR}/TandemTargets.cmake)\n")
install(FILES ${generated}/TandemConfig.cmake ${generated}/TandemConfigVersion.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/Tandem)
file(RELATIVE_PATH up /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)  # wherever the prefix is
configure_file(cmake/tandem.pc.in ${generated}/tandem.pc @ONLY)
install(FILES ${generated}/tandem.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

if(TANDEM_COMMAND)
  install(TARGETS tandem_command RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  install(TARGETS tandem_harness LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
  set_target_properties(tandem_command PROPERTIES INSTALL_RPATH "$ORIGIN/../${CMAKE_INSTALL_LIBDIR}")
  set_target_properties(tandem_harness PROPERTIES INSTALL_RPATH "$ORIGIN")
endif()
if(TANDEM_SIMT)
  set(executor tandem_simt tandem_executor)
  if(TANDEM_COMMAND)
    list(APPEND executor tandem_simt_tuning)
  endif()
  install(TARGETS ${executor} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
  set_target_properties(${executor} PROPERTIES INSTALL_RPATH "$ORIGIN")
endif()
