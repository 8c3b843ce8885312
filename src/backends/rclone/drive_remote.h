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
  bool moves = false;               ///< Moves files on the server.
  bool copies = false;              ///< Copies files on the server.
  bool moves_folders = false;       ///< Moves folders in one step.
  bool keeps_empty_folders = true;  ///< Stores empty folders.
};

/// Identifies a call that rclone runs in the background, and the run of the engine that knows it.
struct JobId {
  RcloneProcess::Run run;
  std::int64_t number = 0;
};

/// Converts a remote::ServerPath to a Path. For drives, server paths are paths of the backend.
inline Path path_of(const std::string& place) {
  return Path::parse(place).value();
}

/// One remote that is configured in the engine (rclone process). A backend, its views, readers and
/// writers share it. Calls fail with the error that error_of (drive_error.h) makes of rclone's
/// error, or with `unavailable` if the engine does not run. Safe from any thread.
class DriveRemote {
 public:
  DriveRemote(DriveOptions options, RcloneProcess& engine, UploadServer& upload_server, Pool& pool);
  ~DriveRemote();
  DriveRemote(const DriveRemote&) = delete;
  DriveRemote& operator=(const DriveRemote&) = delete;

  const DriveOptions options;
  RcloneProcess& engine;
  UploadServer& upload_server;
  Pool& pool;
  remote::SharedState shared;
  remote::NameHolds removals;  ///< Serializes removals of items that cannot be hidden first.

  /// Configures this remote in the engine if need be, and returns the current run of the engine.
  Task<Result<RcloneProcess::Run>> ready();
  /// Returns the provider's features. Valid after `ready` has succeeded.
  Features features() const;

  /// Returns rclone's name of the remote, `name:`.
  std::string fs() const { return name_ + ":"; }
  /// Returns rclone's name of a folder of the backend, `name:path`.
  std::string fs(const Path& folder) const { return fs() + place(folder); }
  /// Converts a path of the backend to a path below `fs()`, with DriveOptions::root in front.
  std::string place(const Path& path) const;

  /// Calls a method of rclone's remote control and returns its reply. `timed_out` if there is no
  /// reply within Deadlines::reply. Retries once if the engine died before it got the request, or
  /// the drive refused the login and a newer token is stored.
  Task<Result<boost::json::object>> call(std::string_view method, boost::json::object parameters);
  /// Starts a method as a job in the background. Fails and retries as `call` does.
  Task<Result<JobId>> start_job(std::string_view method, boost::json::object parameters);
  /// Lists a folder with `operations/list`, and calls `sink` with each item as it arrives.
  Task<Result<void>> list(const Path& folder, ItemSink sink);
  /// Lists the items that rclone's `filter` includes, with paths relative to the folder.
  Task<Result<void>> list_some(const Path& folder, boost::json::object filter, ItemSink sink);

  /// Returns true if the folder was seen in the last few seconds. This saves a lookup, for which
  /// rclone would list all items beside the folder.
  bool knows_folder(const Path& folder) const;
  /// Records that the folder exists now.
  void note_folder(const Path& folder);
  /// Forgets all recorded folders.
  void forget_folders();

  /// If rclone may have renewed the token, which it keeps only in its memory, asks for it and
  /// passes a new token to DriveOptions::on_token. Must be called after each request to the drive
  /// that `call`, `list` or `list_some` did not make; `failed` is true if the request failed.
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
  std::atomic<std::uint64_t> tries_to_set_up_ = 0;  ///< The number of attempts that ended.
  /// The error of the last attempt, guarded by `setting_up_`.
  std::optional<Error> set_up_failure_ = {};
  Token token_;
  Gate noting_{1};  ///< Keeps an older token from being passed on after a newer one.
  mutable std::mutex mutex_;
  std::uint64_t known_to_ = 0;  ///< The run of the engine that knows this remote; 0 for none.
  Features features_;
  std::map<std::string, std::chrono::steady_clock::time_point> folders_;
};

}  // namespace coffer::rclone
