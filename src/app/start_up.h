#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "app/app_context.h"
#include "app/settings.h"
#include "async/task.h"
#include "base/error.h"

namespace coffer::app {

/// Makes missing folders of accounts; after an unclean stop counts what is on disk, since the
/// reservations and figures of that run are void. A missing folder in which files were stays
/// missing, and the log names it.
Task<Result<void>> prepare_accounts(AppContext& app);

/// Forgets tasks that ended long ago, and logs those that the end of an earlier run interrupted.
Task<Result<void>> end_old_tasks(AppContext& app);

/// The one-time link that makes the first administrator, in the data folder's file `setup-link`,
/// which only its owner may read.
class SetupLink {
 public:
  explicit SetupLink(const std::filesystem::path& data) : file_(data / "setup-link") {}

  /// `failed` if the file cannot be written.
  Result<void> write(std::string_view link) const;
  void remove() const;

  /// Where people on this machine open it. A server on all addresses is named by the loopback one.
  static std::string at(const ListenAddress& listen, std::string_view token);

 private:
  const std::filesystem::path file_;
};

}  // namespace coffer::app
