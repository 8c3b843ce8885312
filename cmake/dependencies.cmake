# Everything Coffer links; docs/dependencies.md says what each is for.
find_package(Threads REQUIRED)
find_package(Boost 1.81 REQUIRED COMPONENTS json)
find_package(fmt REQUIRED)
find_package(spdlog REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(sodium REQUIRED IMPORTED_TARGET libsodium)
pkg_check_modules(utf8proc REQUIRED IMPORTED_TARGET libutf8proc)
pkg_check_modules(sqlite3 REQUIRED IMPORTED_TARGET sqlite3)
pkg_check_modules(libpq REQUIRED IMPORTED_TARGET libpq)
pkg_check_modules(curl REQUIRED IMPORTED_TARGET libcurl)
pkg_check_modules(libssh REQUIRED IMPORTED_TARGET libssh)

# Boost.Asio is header-only here: one place sets what every user of it must agree on.
add_library(coffer_asio INTERFACE)
target_link_libraries(coffer_asio INTERFACE Boost::headers Threads::Threads)
target_compile_definitions(coffer_asio INTERFACE BOOST_ASIO_NO_DEPRECATED)
pkg_check_modules(tomlplusplus REQUIRED IMPORTED_TARGET tomlplusplus)
find_package(CLI11 REQUIRED)
