#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "app/app_context.h"
#include "app/settings.h"
#include "async/task.h"
#include "base/error.h"

namespace coffer::app {

/// Makes missing folders of accounts. After an unclean stop, counts the files on disk, since the
/// reservations and figures of that run are void. A missing folder that had files stays missing,
/// and the log names it.
Task<Result<void>> prepare_accounts(AppContext& app);

/// Deletes the records of tasks that ended long ago, and marks and logs the tasks that the end of
/// the last run interrupted.
Task<Result<void>> end_old_tasks(AppContext& app);

/// The one-time link for making the first administrator, in the file `setup-link` of the data
/// folder, which only its owner may read.
class SetupLink {
 public:
  explicit SetupLink(const std::filesystem::path& data) : file_(data / "setup-link") {}

  /// `failed` if the file cannot be written.
  Result<void> write(std::string_view link) const;
  void remove() const;

  /// Returns the link for a browser on this machine. If the server listens at all addresses, the
  /// link has the loopback address.
  static std::string at(const ListenAddress& listen, std::string_view token);

 private:
  const std::filesystem::path file_;
};

}  // namespace coffer::app
