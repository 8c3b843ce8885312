#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "app/disk_rooms.h"
#include "app/settings.h"
#include "app/tls_certificate.h"
#include "async/pool.h"
#include "core/server_state.h"

namespace coffer::app {

/// The settings of a running server, which follow the settings file: see `look`. Safe from any
/// thread, but only one thread at a time may call `look`.
class LiveSettings final : public core::ServerState {
 public:
  /// Reads all sources of settings again (load_settings).
  using Load = std::function<Result<Settings>()>;

  /// `first` are the settings that the server starts with. The pool must outlive this object.
  LiveSettings(Settings first, Load load, Pool& pool);

  /// Reads the settings again if the file has changed and the call before saw it in the same state,
  /// since somebody may still be writing; at once if `is_told`. Blocks. Logs what changed, what
  /// waits for a restart, or why the file cannot be used: the settings in force then stay. Returns
  /// the settings in force if some of them are new.
  std::optional<Settings> look(bool is_told);

  /// Sets the certificate that `certificate` tells of, which must outlive the server's requests.
  /// Call this before the server starts.
  void show_certificate(const TlsCertificate& certificate) { certificate_ = &certificate; }

  std::vector<core::ServerSetting> settings() const override;
  std::string settings_file() const override { return file_.string(); }
  std::string settings_problem() const override;
  std::string data_folder() const override { return data_.string(); }
  std::string program() const override;
  std::optional<core::CertificateState> certificate() const override;
  Task<std::vector<core::DiskRoom>> disks() override;

 private:
  /// All members are zero if there is no file.
  struct FileState {
    dev_t device = 0;
    ino_t inode = 0;
    off_t size = 0;
    std::int64_t modified_ns = 0;
    bool operator==(const FileState&) const = default;
  };
  FileState file_state() const;
  std::optional<Settings> take(const Settings& read);

  const Load load_;
  const std::filesystem::path file_;
  const std::filesystem::path data_;
  FileState seen_;     ///< At the last look.
  FileState read_at_;  ///< When it was read.
  DiskRooms disk_rooms_;
  const TlsCertificate* certificate_ = nullptr;
  mutable std::mutex mutex_;  ///< Protects all below.
  Settings in_force_;
  std::vector<std::string> waiting_;
  std::string problem_;
};

}  // namespace coffer::app
