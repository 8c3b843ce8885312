#pragma once

#include <filesystem>
#include <string>

namespace coffer::servers {

/// Gives a folder to the account `ftp` of Debian's vsftpd, for whom the FTP servers of the tests
/// work.
void give_to_ftp(const std::filesystem::path& folder);

/// Makes a folder of that account with a name of its own; the name.
std::string make_folder_for_ftp(const std::filesystem::path& above);

}  // namespace coffer::servers
