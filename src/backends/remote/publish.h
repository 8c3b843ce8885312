#pragma once

#include <span>
#include <utility>
#include <vector>

#include "backends/remote/adapter.h"
#include "base/path.h"
#include "storage/writer.h"

namespace coffer::remote {

/// A writer that sends new content to a partial name beside its target, or to the target's own if
/// that is out of sight.
class PartialWriter : public storage::Writer {
 public:
  PartialWriter(Path target, ServerPath staged, const storage::WriteOptions& options)
      : target_(std::move(target)), staged_(std::move(staged)), options_(options) {}

  std::uint64_t written_bytes() const override { return written_bytes_; }
  std::string_view staged_name() const override { return name_of(staged_); }

  /// The target's path in the backend.
  const Path& target() const { return target_; }
  /// The place of the content on the server until it is published.
  const ServerPath& staged() const { return staged_; }
  const storage::WriteOptions& options() const { return options_; }
  /// The content is written under its target's own name.
  bool is_out_of_sight() const { return options_.out_of_sight; }
  /// Marks the content as published: the writer does not delete it any more.
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

/// Returns the place where a writer collects content for `target`.
inline ServerPath staged_for(const ServerPath& target, const storage::WriteOptions& options) {
  return options.out_of_sight ? target : partial_beside(target);
}

/// Publishes finished writers, all or none; see storage::Backend::publish. The last one replaces
/// its target in one step, if the server can. For the others the old file is renamed to a backup
/// name first, which is shown, so that for a moment the name may be free; the old file is restored
/// when a later step fails.
Task<Result<std::vector<storage::Published>>> publish_all(Adapter& adapter,
                                                          std::span<PartialWriter* const> writers,
                                                          std::uint64_t growth_limit_bytes);
/// The same for writers whose content is out of sight, without a request to the server.
std::vector<storage::Published> published_in_place(std::span<PartialWriter* const> writers);

/// Returns the item that a new file at `place` would replace, or nullopt if the name is free.
/// `exists` for an item that must not be replaced (a folder, a link to a folder, a device),
/// otherwise what storage::check_taken says, with the state of its target for a link to a file.
Task<Result<std::optional<Item>>> find_replaced(Adapter& adapter, const Path& target,
                                                const ServerPath& place,
                                                const storage::WriteOptions& options);

}  // namespace coffer::remote
