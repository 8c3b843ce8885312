#pragma once

#include <span>
#include <utility>
#include <vector>

#include "backends/remote/adapter.h"
#include "base/path.h"
#include "storage/writer.h"

namespace coffer::remote {

/// A writer that sends new content to a partial name beside its target, or directly to the target's
/// name if its folder is not visible yet (WriteOptions::out_of_sight).
class PartialWriter : public storage::Writer {
 public:
  PartialWriter(Path target, ServerPath staged, const storage::WriteOptions& options)
      : target_(std::move(target)), staged_(std::move(staged)), options_(options) {}

  std::uint64_t written_bytes() const override { return written_bytes_; }
  std::string_view staged_name() const override { return name_of(staged_); }

  /// Returns the path of the target in the backend.
  const Path& target() const { return target_; }
  /// Returns the path of the content on the server until it is published.
  const ServerPath& staged() const { return staged_; }
  const storage::WriteOptions& options() const { return options_; }
  /// True if the content is written directly to the target's name.
  bool is_out_of_sight() const { return options_.out_of_sight; }
  /// Marks the content as published, so that the writer does not delete it.
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

/// Returns the path at which a writer for `target` collects the content.
inline ServerPath staged_for(const ServerPath& target, const storage::WriteOptions& options) {
  return options.out_of_sight ? target : partial_beside(target);
}

/// Publishes finished writers, all or none; see storage::Backend::publish. Files with new names
/// come first. The last old file is replaced atomically, if the server can. Every other old file is
/// first renamed to a backup name, which is visible, so its own name may be free for a moment. If a
/// later step fails, the old files get their names back.
Task<Result<std::vector<storage::Published>>> publish_all(Adapter& adapter,
                                                          std::span<PartialWriter* const> writers,
                                                          std::uint64_t growth_limit_bytes);
/// Marks writers as published whose content was written directly to their targets' names, and
/// returns the results. Sends no request to the server.
std::vector<storage::Published> published_in_place(std::span<PartialWriter* const> writers);

/// Returns the item at `place` that a new file would replace, or nullopt if the name is free.
/// `exists` if the item must not be replaced: a folder, a link to a folder, a device. Fails as
/// storage::check_taken does if the options forbid it; a link to a file has the state of its
/// target.
Task<Result<std::optional<Item>>> find_replaced(Adapter& adapter, const Path& target,
                                                const ServerPath& place,
                                                const storage::WriteOptions& options);

}  // namespace coffer::remote
