#pragma once

#include <filesystem>

namespace coffer::servers {

/// Gives a file or folder to an account of the system. Throws where there is none.
void give_to(const std::filesystem::path& path, const char* account);

/// Throws a clear line unless the test runs as root, which servers with accounts need.
void need_root();

}  // namespace coffer::servers
