#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "backends/sftp/lookup.h"
#include "backends/sftp/server.h"
#include "backends/sftp/sftp_writer.h"

namespace coffer::sftp {

/// Showing writers under their names; see Backend::publish. Each is one request to the server where
/// that can replace files, otherwise the old takes a backup name first. Used once, by one thread;
/// blocks.
class Publication {
 public:
  using Writers = std::span<const std::unique_ptr<storage::Writer>>;
  Publication(Server& server, const Lookup& lookup, Writers writers,
              std::uint64_t growth_limit_bytes)
      : server_(server), lookup_(lookup), writers_(writers), limit_(growth_limit_bytes) {}

  Result<std::vector<storage::Published>> run();

 private:
  struct PublishStep {
    SftpWriter* writer;
    std::string place = {};
    storage::Published published = {};
    std::string backup = {};  ///< Where the old file is kept until all are shown.
    bool is_shown = false;
  };

  std::vector<storage::Published> published_in_place() const;
  Result<void> find_places(const SftpRemote& remote);
  Result<void> plan(const SftpRemote& remote);
  Result<void> show_all(const SftpRemote& remote);
  Result<void> show(const SftpRemote& remote, PublishStep& step, bool is_last);
  Result<void> put_aside(const SftpRemote& remote, PublishStep& step) const;
  Result<void> move_in(const SftpRemote& remote, PublishStep& step) const;
  Result<bool> was_moved(const PublishStep& step) const;
  void rollback();
  Result<void> rollback(const SftpRemote& remote, PublishStep& step) const;
  Result<void> hide(const SftpRemote& remote, const PublishStep& step) const;
  void drop_backups() const;

  Server& server_;
  const Lookup& lookup_;
  const Writers writers_;
  const std::uint64_t limit_;
  std::vector<PublishStep> steps_;
};

}  // namespace coffer::sftp
