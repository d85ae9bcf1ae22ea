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

if(TARGET tandem_mpi)
  install(TARGETS tandem_mpi LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT mpi)  # beside the library, which looks for it there
endif()

if(TANDEM_COMMAND)
  install(TARGETS tandem_command RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  install(TARGETS tandem_harness LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
  if(NOT CMAKE_CROSSCOMPILING)  # where a build of the command alone has not written them, they are left out
    set(pages ${CMAKE_BINARY_DIR}/bench)
    install(FILES ${pages}/tandem.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 OPTIONAL)
    install(FILES ${pages}/tandem DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions OPTIONAL)
    install(FILES ${pages}/_tandem DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions OPTIONAL)
  endif()
  set_target_properties(tandem_command PROPERTIES INSTALL_RPATH "$ORIGIN/../${CMAKE_INSTALL_LIBDIR}")
  set_target_properties(tandem_harness PROPERTIES INSTALL_RPATH "$ORIGIN")
endif()
if(TANDEM_SIMT)
  set(executor tandem_simt tandem_simt_ranks tandem_executor)
  if(TANDEM_COMMAND)
    list(APPEND executor tandem_simt_tuning)
  endif()
  install(TARGETS ${executor} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
  set_target_properties(${executor} PROPERTIES INSTALL_RPATH "$ORIGIN")
endif()

# `make deb`: a package of this build for Debian and Ubuntu, by cpack. The library stands in it with its headers and the
# command; what it needs is asked of the shared libraries that it is linked with. What needs MPI is a package of its own.
if(PROJECT_IS_TOP_LEVEL)
  install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/doc/tandem RENAME copyright)  # as Debian wants it
  set(CPACK_GENERATOR DEB)
  set(CPACK_PACKAGE_NAME tandem)
  set(CPACK_PACKAGE_CONTACT "The Tandem authors")
  set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
  set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
  set(CPACK_DEBIAN_COMPRESSION_TYPE zstd)
  set(CPACK_DEBIAN_PACKAGE_SECTION libdevel)
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${CMAKE_LIBRARY_OUTPUT_DIRECTORY})  # they are all in the package
  set(CPACK_DEB_COMPONENT_INSTALL ON)
  set(CPACK_DEBIAN_UNSPECIFIED_PACKAGE_NAME tandem)
  set(CPACK_DEBIAN_UNSPECIFIED_PACKAGE_RECOMMENDS libopenblas0)  # loaded by the calls that need it
  set(CPACK_DEBIAN_UNSPECIFIED_PACKAGE_SUGGESTS "g++, tandem-mpi")
  set(CPACK_DEBIAN_MPI_PACKAGE_DEPENDS "tandem (= ${PROJECT_VERSION})")
  file(WRITE ${generated}/shlibs "libtandem ${PROJECT_VERSION_MAJOR} tandem (= ${PROJECT_VERSION})\n")  # for packages on top of it
  set(CPACK_DEBIAN_UNSPECIFIED_PACKAGE_CONTROL_EXTRA ${generated}/shlibs)
  include(CPack)
endif()
