#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "storage/backend.h"

namespace coffer::core {

/// A folder that shows one file of another backend, and nothing else: a file that another account
/// shares, as a location, which is a folder in every interface. The file can be read and its
/// content replaced; it keeps its name, and nothing can be added. As thread-safe as the other
/// backend.
class OneFile final : public storage::Backend {
 public:
  /// `folder` is the file's folder. Without a name there is no file.
  OneFile(std::shared_ptr<storage::Backend> folder, std::optional<std::string> name)
      : folder_(std::move(folder)), name_(std::move(name)) {}

  Task<Result<storage::Entry>> stat(const Path& path) override;
  Task<Result<storage::FolderListing>> read_folder(const Path& folder,
                                                   storage::ListingBound bound) override;
  bool is_remote() const override { return folder_->is_remote(); }
  Task<std::unique_ptr<storage::FolderWatch>> watch(const Path& folder,
                                                    storage::FolderListener listener) override;
  Task<Result<std::unique_ptr<storage::Reader>>> open(const Path& file) override;
  std::unique_ptr<storage::Reader> open_now(const Path& file) override;
  std::optional<storage::Entry> stat_now(const Path& path) override;
  Task<Result<std::unique_ptr<storage::Writer>>> create(const Path& target,
                                                        storage::WriteOptions options) override;
  Task<Result<std::vector<storage::Published>>> publish(
      std::span<const std::unique_ptr<storage::Writer>> writers, std::uint64_t growth_limit_bytes,
      storage::MayShow may_show) override;
  Task<Result<void>> make_folder(const Path& folder) override;
  Task<Result<void>> rename(const Path& from, const Path& to, storage::MayShow may_show) override;
  bool keeps_properties() const override { return folder_->keeps_properties(); }
  Task<std::vector<std::string>> properties(std::vector<Path> items) override;
  Task<Result<void>> set_properties(const Path& item, std::string text) override;
  Task<Result<void>> set_modified_at(const Path& item, Timestamp modified_at) override;
  bool copies() const override { return false; }
  Task<Result<storage::TreeSize>> copy(const Path& from, const Path& to,
                                       const storage::CopyOptions& options) override;
  Task<Result<storage::Removed>> remove(const Path& path) override;
  Task<Result<storage::TreeSize>> measure(const Path& path) override;
  Task<std::optional<std::uint64_t>> capacity() override { return folder_->capacity(); }
  Task<Result<Path>> canonical(const Path& path) override;
  std::unique_ptr<storage::Backend> beneath(const Path& folder) override;

 private:
  bool is_file(const Path& path) const {
    return path.depth() == 1 && name_ && path.name() == *name_;
  }
  Path file() const { return Path::parse(name_.value_or("")).value(); }

  const std::shared_ptr<storage::Backend> folder_;
  const std::optional<std::string> name_;
};

}  // namespace coffer::core
