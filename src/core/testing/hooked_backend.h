#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "storage/backend.h"

namespace coffer::core {

/// What a test does to the calls of a HookedBackend. An error that a hook returns is what the call
/// fails with.
struct Hooks {
  /// Folders that hold more than their listings tell.
  std::function<bool(const Path& folder)> hides;
  using OnCall = std::function<std::optional<Error>(std::string_view call, const Path& path)>;

  OnCall before;  ///< Instead of the call.
  OnCall after;   ///< Although the call took place.
  /// Before bytes are read; it may shorten what is asked for.
  std::function<std::optional<Error>(const Path& file, std::uint64_t offset,
                                     std::span<std::byte>& out)>
      read;
  /// Before bytes are written.
  std::function<std::optional<Error>(std::uint64_t offset)> write;
  std::function<void(const Path& item, storage::Entry& entry)> show;  ///< Each entry, everywhere.
  std::function<void(const Path& folder, std::vector<storage::Entry>& entries)> list;
  /// Set: files are opened together, those that it says yes to.
  std::function<bool(const Path& file)> together;
  bool renames_in_steps = false;
  std::uint64_t most_copied = UINT64_MAX;
  bool is_remote = false;      ///< As on a server.
  bool stats_at_once = false;  ///< As files on this machine are looked at.
};

/// What a HookedBackend saw.
struct Seen {
  std::map<std::string, int, std::less<>> calls;
  int readers = 0;
  int most_readers = 0;  ///< At once.
  int writes = 0;        ///< Under way now.
  int abandoned = 0;     ///< Writers.
  int lists = 0;
  int most_lists = 0;
  std::vector<std::size_t> together;           ///< How many files were opened at once, each time.
  std::vector<storage::WriteOptions> options;  ///< Of writers, in order.
  std::set<const std::byte*> blocks;           ///< Where was read to.
  std::size_t largest_read_bytes = 0;
};

/// For tests: another backend with hooks in front. Every call lets other coroutines go first, as a
/// slow one would. For one thread.
class HookedBackend : public storage::Backend {
 public:
  explicit HookedBackend(storage::Backend& inner) : inner_(inner) {}

  Task<Result<storage::Entry>> stat(const Path& path) override;
  Task<Result<storage::FolderListing>> read_folder(const Path& folder,
                                                   storage::ListingBound bound = {}) override;
  bool is_remote() const override { return hooks.is_remote || inner_.is_remote(); }
  Task<Result<std::unique_ptr<storage::Reader>>> open(const Path& file) override;
  bool opens_together() const override { return static_cast<bool>(hooks.together); }
  bool renames_in_one_step() const override { return !hooks.renames_in_steps; }
  std::uint64_t most_copied() const override { return hooks.most_copied; }
  Task<std::vector<std::unique_ptr<storage::Reader>>> open_together(
      const Path& folder, std::span<const storage::Entry> files,
      const storage::CopyWatch& watch) override;
  std::unique_ptr<storage::Reader> open_now(const Path& /*file*/) override { return nullptr; }
  std::optional<storage::Entry> stat_now(const Path& path) override {
    return hooks.stats_at_once ? inner_.stat_now(path) : std::nullopt;
  }
  Task<Result<std::unique_ptr<storage::Writer>>> create(const Path& target,
                                                        storage::WriteOptions options) override;
  Task<Result<std::vector<storage::Published>>> publish(
      std::span<const std::unique_ptr<storage::Writer>> writers, std::uint64_t growth_limit_bytes,
      storage::MayShow may_show = {}) override;
  Task<Result<void>> make_folder(const Path& folder) override;
  Task<Result<void>> rename(const Path& from, const Path& to,
                            storage::MayShow may_show = {}) override;
  Task<Result<storage::TreeSize>> copy(const Path& from, const Path& to,
                                       const storage::CopyOptions& options) override;
  Task<Result<storage::Removed>> remove(const Path& path) override;
  Task<Result<storage::TreeSize>> measure(const Path& path) override;
  Task<Result<Path>> canonical(const Path& path) override;
  std::unique_ptr<storage::Backend> beneath(const Path& folder) override;

  Hooks hooks;
  Seen seen;

 private:
  template <class T>
  Task<Result<T>> call(std::string_view name, const Path& path, Task<Result<T>> inner);

  storage::Backend& inner_;
};

}  // namespace coffer::core
