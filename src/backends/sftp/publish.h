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
/// that can replace files, otherwise the old goes aside first. Used once, by one thread; blocks.
class Publication {
 public:
  using Writers = std::span<const std::unique_ptr<storage::Writer>>;
  Publication(Server& server, const Lookup& lookup, Writers writers,
              std::uint64_t growth_limit_bytes)
      : server_(server), lookup_(lookup), writers_(writers), limit_(growth_limit_bytes) {}

  Result<std::vector<storage::Published>> run();

 private:
  struct Step {
    SftpWriter* writer;
    std::string place = {};
    storage::Published published = {};
    std::string aside = {};  ///< Where the old file is kept until all are shown.
    bool is_shown = false;
  };

  Result<void> find_places(const Remote& remote);
  Result<void> plan(const Remote& remote);
  Result<void> show_all(const Remote& remote);
  Result<void> show(const Remote& remote, Step& step, bool is_last);
  Result<void> put_aside(const Remote& remote, Step& step) const;
  Result<void> move_in(const Remote& remote, Step& step) const;
  Result<bool> was_moved(const Step& step) const;
  void take_back();
  Result<void> take_back(const Remote& remote, Step& step) const;
  Result<void> hide(const Remote& remote, const Step& step) const;
  void forget_old() const;

  Server& server_;
  const Lookup& lookup_;
  const Writers writers_;
  const std::uint64_t limit_;
  std::vector<Step> steps_;
};

}  // namespace coffer::sftp
