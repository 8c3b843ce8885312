#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "app/app_context.h"
#include "app/settings.h"
#include "async/task.h"
#include "base/error.h"
#include "core/accounts/counting.h"

namespace coffer::app {

/// Records in the quota ledger that this server has started. If the last server did not stop
/// cleanly, the ledger may be wrong, so the files of every account have to be counted again; calls
/// Counting::begin for that. Creates the missing folder of an account that has no bytes in the
/// ledger. Logs a warning if the folder of any other account is missing.
Task<Result<void>> prepare_accounts(const Settings& settings, AppContext& app,
                                    core::Counting& counting);

/// Finds the unfinished tasks of servers that have ended, marks them as interrupted, and logs them.
Task<Result<void>> end_old_tasks(AppContext& app);

/// Deletes rows of the catalog that nobody needs any more: tasks that ended, and keys and links
/// that expired, more than 90 days ago; selections that nobody used; sessions that were kept for
/// tasks which have ended; the least of the failed sign-ins, if there are too many. docs/limits.md
/// has all tables.
Task<Result<void>> sweep_rows(catalog::Catalog& catalog);

/// Stores the folders of shares that earlier versions stored with symbolic links in their paths as
/// the paths to which these links lead now. From then on no link in their place is followed. What
/// cannot be found is logged, and tried again by the next start.
Task<void> resolve_share_folders(AppContext& app);

/// The file `setup-link` in the data folder, with the one-time link for making the first
/// administrator. Only the file's owner may read it.
class SetupLink {
 public:
  explicit SetupLink(const std::filesystem::path& data) : file_(data / "setup-link") {}

  /// Writes the file, and replaces an existing one. `failed` if it cannot be written.
  Result<void> write(std::string_view link) const;
  void remove() const;

  /// Returns the set-up link with `token`. It begins with `public_url`, or else with the address on
  /// which the server listens, or the loopback address if the server listens on all addresses.
  static std::string at(const ListenAddress& listen, const Settings& settings,
                        std::string_view token);

 private:
  const std::filesystem::path file_;
};

}  // namespace coffer::app
