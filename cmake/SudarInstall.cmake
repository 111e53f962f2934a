# Install and export: CMake package with version file, usable from the build tree too, and pkg-config files.
include(CMakePackageConfigHelpers)

install(TARGETS ${SUDAR_LIBRARIES} EXPORT sudarTargets
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
        RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY "${PROJECT_SOURCE_DIR}/sudar" DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
        FILES_MATCHING PATTERN "*.hpp" PATTERN "*-inl.hpp" EXCLUDE)
if(TARGET sudar_cli)
  install(TARGETS sudar_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  # The manual page and the completions, printed by the command that was built
  set(shell_dir "${PROJECT_BINARY_DIR}/shell")
  install(CODE "file(MAKE_DIRECTORY \"${shell_dir}\")
    foreach(shell bash zsh fish)
      execute_process(COMMAND \"$<TARGET_FILE:sudar_cli>\" completions \${shell} OUTPUT_FILE \"${shell_dir}/\${shell}\"
                      COMMAND_ERROR_IS_FATAL ANY)
    endforeach()
    execute_process(COMMAND \"$<TARGET_FILE:sudar_cli>\" manual OUTPUT_FILE \"${shell_dir}/sudar.1\" COMMAND_ERROR_IS_FATAL ANY)")
  install(FILES "${shell_dir}/sudar.1" DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
  install(FILES "${shell_dir}/bash" DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME sudar)
  install(FILES "${shell_dir}/zsh" DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions RENAME _sudar)
  install(FILES "${shell_dir}/fish" DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d RENAME sudar.fish)
endif()
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION ${CMAKE_INSTALL_DOCDIR})

set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/sudar")
set(SUDAR_NEEDS_TBB OFF)
set(SUDAR_NEEDS_HIGHWAY OFF)
set(requires_private "")
if(TARGET TBB::tbb)
  set(SUDAR_NEEDS_TBB ON)
  list(APPEND requires_private tbb)
endif()
if(TARGET PkgConfig::SUDAR_HIGHWAY)
  set(SUDAR_NEEDS_HIGHWAY ON)
  list(APPEND requires_private libhwy)
endif()
if(BUILD_SHARED_LIBS)
  # A shared library brings its own dependencies; its users need not find them
  set(SUDAR_NEEDS_TBB OFF)
  set(SUDAR_NEEDS_HIGHWAY OFF)
  set(requires_private "")
endif()
configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/sudarConfig.cmake.in"
  "${PROJECT_BINARY_DIR}/sudarConfig.cmake" INSTALL_DESTINATION "${package_dir}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/sudarConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(EXPORT sudarTargets NAMESPACE sudar:: DESTINATION "${package_dir}")
install(FILES "${PROJECT_BINARY_DIR}/sudarConfig.cmake" "${PROJECT_BINARY_DIR}/sudarConfigVersion.cmake"
        DESTINATION "${package_dir}")
export(EXPORT sudarTargets NAMESPACE sudar:: FILE "${PROJECT_BINARY_DIR}/sudarTargets.cmake")

# pkg-config, one file for each precision
# The prefix is found from where the file lies, so an installed tree can be moved
file(RELATIVE_PATH PC_PREFIX "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
list(JOIN requires_private ", " PC_REQUIRES_PRIVATE)
foreach(library IN LISTS SUDAR_LIBRARIES)
  set(PC_NAME ${library})
  set(PC_CFLAGS "")
  if(library STREQUAL sudar_f64)
    string(APPEND PC_CFLAGS " -DSUDAR_DOUBLE=1")
  endif()
  if(BUILD_SHARED_LIBS)
    string(APPEND PC_CFLAGS " -DSUDAR_SHARED=1")
  endif()
  configure_file("${PROJECT_SOURCE_DIR}/cmake/sudar.pc.in" "${PROJECT_BINARY_DIR}/${library}.pc" @ONLY)
  install(FILES "${PROJECT_BINARY_DIR}/${library}.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
endforeach()
