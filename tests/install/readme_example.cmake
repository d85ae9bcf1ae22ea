# The first ```cpp block of README.md, a whole program, compiled and run as a test on a context of the host: it prints what
# the ```text block after it says.

set(readme ${PROJECT_SOURCE_DIR}/README.md)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${readme})
file(READ ${readme} text)
if(NOT text MATCHES "```cpp\n([^`]*)```(.*)")
  message(FATAL_ERROR "README.md: no block ```cpp holds a program")
endif()
set(program "${CMAKE_MATCH_1}")
if(NOT CMAKE_MATCH_2 MATCHES "```text\n([^`]*)```")
  message(FATAL_ERROR "README.md: no block ```text says what the first program prints")
endif()
string(REGEX REPLACE "([][+.*()^$?|\\])" "\\\\\\1" expected "${CMAKE_MATCH_1}")
set(example ${CMAKE_CURRENT_BINARY_DIR}/readme_example.cpp)
file(CONFIGURE OUTPUT ${example} CONTENT "// From README.md\n${program}" @ONLY)
add_executable(tandem_readme_example ${example})
target_link_libraries(tandem_readme_example PRIVATE tandem)
add_test(NAME readme_example COMMAND tandem_readme_example)
set_tests_properties(readme_example PROPERTIES LABELS host TIMEOUT 60 ENVIRONMENT CUDA_VISIBLE_DEVICES=
                     PASS_REGULAR_EXPRESSION "^${expected}$")
