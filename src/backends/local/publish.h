#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "backends/local/lookup.h"
#include "storage/writer.h"

namespace coffer::local {

class LocalWriter;

/// Showing writers under their names; see Backend::publish. `show`, then `keep` or `take_back`.
/// Every call may block.
class Publication {
 public:
  Publication(const Lookup& lookup, std::uint64_t growth_limit_bytes)
      : lookup_(lookup), staging_(*lookup.volume().staging), limit_(growth_limit_bytes) {}

  /// Completes the writers and shows all of them or none.
  using Writers = std::span<const std::unique_ptr<storage::Writer>>;
  Result<void> show(Writers writers);
  /// Makes what was shown safe from a crash, then calls `done`.
  using Done = std::move_only_function<void(Result<void>)>;
  void sync(Done done);
  /// Undoes `show`.
  void take_back();
  /// Lets go of the writers, and reclaims what was replaced.
  std::vector<storage::Published> keep();

 private:
  struct Step {
    LocalWriter* writer;
    int folder;  ///< One of `folders_`.
    std::string name;
    storage::Published published;
    bool shown = false;
  };
  /// False, and nothing was changed, if something is replaced although not `replaces`.
  Result<bool> try_to_show(Writers writers, bool replaces);
  /// Finds out what would change, without changing anything.
  Result<void> plan(LocalWriter& writer);
  Result<void> check_growth() const;
  Result<void> show_all();
  Result<void> show_one(Step& step);
  static bool is_still_shown(const Step& step);
  void hide_all();
  void sync_folders(std::vector<int> folders, Done done);

  /// The folder's handle, shared by the steps in a row that are in it: an upload may have more
  /// files than a process may have descriptors.
  Result<int> folder_of(const Path& target);

  const Lookup& lookup_;
  Staging& staging_;
  const std::uint64_t limit_;
  std::vector<Step> steps_;
  std::vector<Handle> folders_;
};

/// `exists` if the name is a folder's, or taken at all where `if_taken` is `refuse`, or taken by
/// something that is neither file nor link. A link to a folder counts as a folder. Otherwise what a
/// new file would replace, nothing if the name is free.
Result<std::optional<Status>> replaceable(const Lookup& lookup, int folder, const Path& target,
                                          storage::IfTaken if_taken);

}  // namespace coffer::local
