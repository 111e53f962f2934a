// A translation unit for the precompiled headers of the tests (tests/CMakeLists.txt)
