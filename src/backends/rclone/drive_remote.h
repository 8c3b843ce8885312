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

/// The features of a provider, from operations/fsinfo.
struct Features {
  bool moves = false;          ///< Files, on the server.
  bool copies = false;         ///< Files, on the server.
  bool moves_folders = false;  ///< In one step.
  bool keeps_empty_folders = true;
};

/// A call that rclone carries out behind, in the life of the engine that knows it.
struct JobId {
  RcloneProcess::Run run;
  std::int64_t number = 0;
};

/// A place of the shared library, which is a path of the backend here.
inline Path path_of(const std::string& place) {
  return Path::parse(place).value();
}

/// One configured remote of the engine, shared by a backend, its views, readers and writers. Safe
/// from any thread. Calls fail with the error that drive_error.h makes of rclone's, or with
/// `unavailable` if there is no engine.
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
  remote::NameHolds removals;  ///< For removals of items that no step hides.

  /// The engine's life that knows this remote.
  Task<Result<RcloneProcess::Run>> ready();
  /// Known when it is ready.
  Features features() const;

  /// `name:`, and with a folder of the remote.
  std::string fs() const { return name_ + ":"; }
  std::string fs(const Path& folder) const { return fs() + place(folder); }
  /// A path of the backend as one below `fs()`.
  std::string place(const Path& path) const;

  /// One call; `timed_out` after the deadline of a reply. Tried again once where an engine that had
  /// died was given nothing.
  Task<Result<boost::json::object>> call(std::string_view method, boost::json::object parameters);
  /// The same for a call that is carried out behind.
  Task<Result<JobId>> start_job(std::string_view method, boost::json::object parameters);
  /// Hands out what operations/list tells of a folder, as rclone sends it.
  Task<Result<void>> list(const Path& folder, ItemSink sink);
  /// The same of what rclone's `filter` lets through; paths are below the folder.
  Task<Result<void>> list_some(const Path& folder, boost::json::object filter, ItemSink sink);

  /// Folders that were there a moment ago: asking again would list all that is beside them.
  bool knows_folder(const Path& folder) const;
  void note_folder(const Path& folder);
  void forget_folders();

  /// Passes a token that rclone has renewed, and keeps in its memory alone, on to `on_token`. To be
  /// called after requests to the drive other than by call() and list(); `failed` if the request
  /// failed.
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
  std::optional<Error> set_up_failure_ =
      {};  ///< The error of the last attempt. Guarded by the gate.
  Token token_;
  Gate noting_{1};  ///< Keeps an older token from being passed on after a newer one.
  mutable std::mutex mutex_;
  std::uint64_t known_to_ = 0;  ///< Which life of the engine knows this remote.
  Features features_;
  std::map<std::string, std::chrono::steady_clock::time_point> folders_;
};

}  // namespace coffer::rclone
