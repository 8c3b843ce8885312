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
#include "backends/rclone/drive_item.h"
#include "backends/rclone/drive_options.h"
#include "backends/rclone/engine/rclone_process.h"
#include "backends/rclone/engine/upload_server.h"
#include "backends/rclone/items_parser.h"
#include "backends/rclone/providers/token.h"
#include "backends/remote/adapter.h"
#include "base/path.h"

namespace coffer::rclone {

/// What a provider can, of operations/fsinfo.
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

/// What a backend, its views, readers and writers share: one configured remote of the engine. Safe
/// from any thread. Calls fail with what drive_error.h says of rclone's error, or `unavailable`
/// when there is no engine.
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
  remote::NameHolds removals;  ///< Of those who remove items where none goes in one step.

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

  /// To be said after what asked the drive past call() and list(): rclone may have got a new token,
  /// and knows it in its memory alone. Passes it on to `on_token`. `failed` if what was asked was.
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
  std::atomic<std::uint64_t> tries_to_set_up_ = 0;  ///< Those that ended.
  std::optional<Error> set_up_failure_ = {};        ///< Of the last. For who has passed the gate.
  Token token_;
  Gate noting_{1};  ///< So that an older token never comes after a newer one.
  mutable std::mutex mutex_;
  std::uint64_t known_to_ = 0;  ///< Which life of the engine knows this remote.
  Features features_;
  std::map<std::string, std::chrono::steady_clock::time_point> folders_;
};

}  // namespace coffer::rclone
