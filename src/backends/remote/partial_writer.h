#pragma once

#include <utility>

#include "backends/remote/server_path.h"
#include "base/path.h"
#include "storage/writer.h"

namespace coffer::remote {

/// A writer that sends new content to a partial name beside its target, or to the target's own
/// where that is out of sight.
class PartialWriter : public storage::Writer {
 public:
  PartialWriter(Path target, ServerPath staged, const storage::WriteOptions& options)
      : target_(std::move(target)), staged_(std::move(staged)), options_(options) {}

  std::uint64_t written_bytes() const override { return written_bytes_; }
  std::string_view staged_name() const override { return name_of(staged_); }

  /// In the backend.
  const Path& target() const { return target_; }
  /// Where it is kept on the server.
  const ServerPath& staged() const { return staged_; }
  const storage::WriteOptions& options() const { return options_; }
  /// It has its target's name already.
  bool is_out_of_sight() const { return options_.out_of_sight; }
  /// It is under its target's name now, and no more the writer's to delete.
  void set_shown() { is_shown_ = true; }

 protected:
  bool is_shown() const { return is_shown_; }

  std::uint64_t written_bytes_ = 0;

 private:
  const Path target_;
  const ServerPath staged_;
  const storage::WriteOptions options_;
  bool is_shown_ = false;
};

/// The place that a writer begins with for content that is to stand at `target`.
inline ServerPath staged_for(const ServerPath& target, const storage::WriteOptions& options) {
  return options.out_of_sight ? target : partial_beside(target);
}

}  // namespace coffer::remote
