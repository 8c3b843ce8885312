#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "app/app_context.h"
#include "app/settings.h"
#include "async/task.h"
#include "base/error.h"

namespace coffer::app {

/// Begins the ledger's run and makes missing folders of accounts. If the last run did not stop
/// cleanly, counts the files on disk, since that run's figures may be wrong. Does not make a
/// missing folder of an account with stored files, but logs a warning.
Task<Result<void>> prepare_accounts(AppContext& app);

/// Deletes the records of tasks that ended more than 90 days ago. Marks and logs the tasks that the
/// end of the last run interrupted.
Task<Result<void>> end_old_tasks(AppContext& app);

/// The file `setup-link` in the data folder, with the one-time link for making the first
/// administrator. Only the file's owner may read it.
class SetupLink {
 public:
  explicit SetupLink(const std::filesystem::path& data) : file_(data / "setup-link") {}

  /// Writes a new file; `failed` if it cannot be written.
  Result<void> write(std::string_view link) const;
  void remove() const;

  /// Returns the link with this token, for a browser on this machine. If the server listens at all
  /// addresses, the link has the loopback address.
  static std::string at(const ListenAddress& listen, std::string_view token);

 private:
  const std::filesystem::path file_;
};

}  // namespace coffer::app
