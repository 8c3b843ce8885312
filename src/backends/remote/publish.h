#pragma once

#include <span>
#include <utility>
#include <vector>

#include "backends/remote/adapter.h"
#include "base/path.h"
#include "storage/writer.h"

namespace coffer::remote {

/// A writer that stores new content under a partial name beside its target. If
/// WriteOptions::out_of_sight is set, it stores the content under the target's own name.
class PartialWriter : public storage::Writer {
 public:
  PartialWriter(Path target, ServerPath staged, const storage::WriteOptions& options)
      : target_(std::move(target)), staged_(std::move(staged)), options_(options) {}

  std::uint64_t written_bytes() const override { return written_bytes_; }
  std::string_view staged_name() const override { return name_of(staged_); }

  /// Returns the path of the target in the backend.
  const Path& target() const { return target_; }
  /// Returns the path on the server at which the content is stored until it is published.
  const ServerPath& staged() const { return staged_; }
  const storage::WriteOptions& options() const { return options_; }
  bool is_out_of_sight() const { return options_.out_of_sight; }
  /// Marks the content as published, so that the writer's destructor does not delete it.
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

inline ServerPath staged_for(const ServerPath& target, const storage::WriteOptions& options) {
  return options.out_of_sight ? target : partial_beside(target);
}

/// Publishes finished writers, all or none; see storage::Backend::publish. Publishes new files
/// before files that replace old ones. The last replacement is atomic if the server supports that.
/// Before each other replacement, the old file gets a backup name, which clients can see; the
/// target's name may be free for a moment. If a later step fails, old files get their names back.
Task<Result<std::vector<storage::Published>>> publish_all(Adapter& adapter,
                                                          std::span<PartialWriter* const> writers,
                                                          std::uint64_t growth_limit_bytes);
/// Marks the writers as published, and returns the results. The writers must have written directly
/// to the names of their targets. Sends no request to the server.
std::vector<storage::Published> published_in_place(std::span<PartialWriter* const> writers);

/// Returns the item at `place` that a new file would replace, or nullopt if the name is free.
/// `exists` if the item can never be replaced: a device, a folder, or a link to a folder. Fails
/// with the error of storage::check_taken if `options` forbid the replacement. For this check, the
/// size and time of a link to a file are those of the file.
Task<Result<std::optional<Item>>> find_replaced(Adapter& adapter, const Path& target,
                                                const ServerPath& place,
                                                const storage::WriteOptions& options);

}  // namespace coffer::remote
