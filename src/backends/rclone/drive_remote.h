#pragma once

#include <atomic>
#include <boost/json/object.hpp>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "async/gate.h"
#include "async/pool.h"
#include "async/task.h"
#include "backends/rclone/drive_items.h"
#include "backends/rclone/drive_options.h"
#include "backends/rclone/engine/rclone_process.h"
#include "backends/rclone/engine/upload_server.h"
#include "backends/rclone/providers/token.h"
#include "backends/remote/adapter.h"
#include "base/path.h"

namespace coffer::rclone {

/// The features of a provider, from rclone's `operations/fsinfo`.
struct Features {
  bool moves = false;               ///< The provider can move files itself.
  bool copies = false;              ///< The provider can copy files itself.
  bool moves_folders = false;       ///< The provider can move a folder in one step.
  bool keeps_empty_folders = true;  ///< The provider can store empty folders.
};

/// Identifies a job: a call that rclone runs in the background. `run` is the run of the engine in
/// which the job was started.
struct JobId {
  RcloneProcess::Run run;
  std::int64_t number = 0;
};

/// Converts a remote::ServerPath to a Path. On drives, both have the same text and are relative to
/// the folder DriveOptions::root.
inline Path path_of(const std::string& place) {
  return Path::parse(place).value();
}

/// A remote is the configuration of one drive, stored under a name in the engine (rclone process).
/// A backend and its views, readers and writers share one remote. If rclone reports an error, a
/// call fails with the result of error_of (drive_error.h). If the engine cannot run, a call fails
/// with `unavailable`. Safe from any thread.
class DriveRemote {
 public:
  DriveRemote(DriveOptions options, std::shared_ptr<RcloneProcess> engine,
              UploadServer& upload_server, Pool& pool);
  ~DriveRemote();
  DriveRemote(const DriveRemote&) = delete;
  DriveRemote& operator=(const DriveRemote&) = delete;

  const DriveOptions options;
  const std::shared_ptr<RcloneProcess> engine;
  UploadServer& upload_server;
  Pool& pool;
  remote::SharedState shared;
  remote::NameHolds removals;  ///< Locks items that are being removed (DriveBackend::remove).

  /// Starts the engine and configures this remote in it, unless that is done already. Returns the
  /// current run of the engine.
  Task<Result<RcloneProcess::Run>> ready();
  /// Returns the provider's features. Valid after `ready` has succeeded.
  Features features() const;

  /// Returns rclone's name of the remote, `name:`.
  std::string fs() const { return name_ + ":"; }
  /// Returns rclone's name of a folder of the backend, `name:path`.
  std::string fs(const Path& folder) const { return fs() + place(folder); }
  /// Returns rclone's path of an item within the remote: DriveOptions::root followed by `path`.
  std::string place(const Path& path) const;

  /// Calls a method of rclone's remote control and returns its reply. `timed_out` if there is no
  /// reply within Deadlines::reply. Retries once if:
  /// - the engine could not be reached (kNeverReached),
  /// - the drive refused the login, and Token::take_stored accepts the stored token.
  Task<Result<boost::json::object>> call(std::string_view method, boost::json::object parameters);
  /// Starts a method as a job in the background. Fails and retries as `call` does.
  Task<Result<JobId>> start_job(std::string_view method, boost::json::object parameters);
  /// Lists a folder with `operations/list`, and calls `sink` with each item as it arrives.
  Task<Result<void>> list(const Path& folder, ItemSink sink);
  /// Like `list`, but lists only the items that `filter` includes. Their paths are relative to the
  /// folder. `filter` is the value of rclone's parameter `_filter`.
  Task<Result<void>> list_some(const Path& folder, boost::json::object filter, ItemSink sink);

  /// Returns true if `note_folder` was called for the folder in the last few seconds. The caller
  /// can then skip a lookup, for which rclone would list the folder's parent.
  bool knows_folder(const Path& folder) const;
  /// Records that the folder exists now.
  void note_folder(const Path& folder);
  void forget_folders();

  /// If rclone may have renewed the token (Token::may_be_renewed), asks rclone for its token, and
  /// passes a new one to DriveOptions::on_token. Must be called after each request to the drive,
  /// except after `call`, `start_job`, `list` and `list_some`, which call it themselves. `failed`
  /// must be true if the request failed.
  Task<void> note_token(RcloneInstance run, bool failed);

 private:
  Task<Result<void>> configure(const RcloneInstance& run);
  Task<bool> take_stored_token();
  Task<Result<void>> list_with(boost::json::object parameters, ItemSink sink);
  template <class T, class Call>
  Task<Result<T>> with_engine(Call call);

  const std::string name_;
  const Path root_;
  Gate setting_up_{1};
  std::atomic<std::uint64_t> tries_to_set_up_ = 0;  ///< The number of `configure` calls that ended.
  /// The error of the last `configure` call; unset if it succeeded. Guarded by `setting_up_`.
  std::optional<Error> set_up_failure_ = {};
  Token token_;
  Gate noting_{1};  ///< Serializes `note_token`, so that on_token gets tokens in order.
  mutable std::mutex mutex_;
  std::uint64_t known_to_ = 0;  ///< The run in which this remote is configured; 0 for none.
  Features features_;
  std::map<std::string, std::chrono::steady_clock::time_point> folders_;
};

}  // namespace coffer::rclone
