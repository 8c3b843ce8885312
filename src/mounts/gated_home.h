#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "mounts/gated_versions.h"
#include "mounts/write_gate.h"
#include "storage/backend.h"

namespace coffer::mounts {

/// The own files of an account behind a WriteGate: while the gate is closed, all that would change
/// them fails with `unready`, and reads go on. A write that began before may still collect its
/// content, and is refused when it would be published. As thread-safe as the inner backend.
class GatedHome final : public storage::Backend {
 public:
  GatedHome(std::shared_ptr<storage::Backend> inner, std::shared_ptr<WriteGate> gate)
      : inner_(std::move(inner)), gate_(std::move(gate)) {
    if (auto* const versions = inner_->versions()) versions_.emplace(*versions, gate_);
  }

  Task<Result<storage::Entry>> stat(const Path& path) override { return inner_->stat(path); }
  Task<Result<storage::FolderListing>> read_folder(const Path& folder,
                                                   storage::ListingBound bound) override {
    return inner_->read_folder(folder, std::move(bound));
  }
  std::unique_ptr<storage::FolderParts> read_in_parts(const Path& folder) override {
    return inner_->read_in_parts(folder);
  }
  bool is_remote() const override { return inner_->is_remote(); }
  Task<std::optional<storage::FolderStamp>> stamp(const Path& folder) override {
    return inner_->stamp(folder);
  }
  Task<std::unique_ptr<storage::FolderWatch>> watch(const Path& folder,
                                                    storage::FolderListener listener) override {
    return inner_->watch(folder, std::move(listener));
  }
  Task<Result<std::unique_ptr<storage::Reader>>> open(const Path& file) override {
    return inner_->open(file);
  }
  bool opens_together() const override { return inner_->opens_together(); }
  Task<std::vector<std::unique_ptr<storage::Reader>>> open_together(
      const Path& folder, std::span<const storage::Entry> files,
      const storage::CopyWatch& watch) override {
    return inner_->open_together(folder, files, watch);
  }
  std::unique_ptr<storage::Reader> open_now(const Path& file) override {
    return inner_->open_now(file);
  }
  std::optional<storage::Entry> stat_now(const Path& path) override {
    return inner_->stat_now(path);
  }
  bool renames_in_one_step() const override { return inner_->renames_in_one_step(); }
  Task<Result<std::unique_ptr<storage::TreeSearch>>> search(const Path& folder,
                                                            storage::TreeQuery query) override {
    return inner_->search(folder, std::move(query));
  }
  storage::Versions* versions() override { return versions_ ? &*versions_ : nullptr; }
  bool copies() const override { return inner_->copies(); }
  std::uint64_t most_copied() const override { return inner_->most_copied(); }
  bool keeps_properties() const override { return inner_->keeps_properties(); }
  Task<std::vector<std::string>> properties(std::vector<Path> items) override {
    return inner_->properties(std::move(items));
  }
  Task<Result<storage::TreeSize>> measure(const Path& path) override {
    return inner_->measure(path);
  }
  Task<std::optional<std::uint64_t>> capacity() override { return inner_->capacity(); }
  Task<Result<Path>> canonical(const Path& path) override { return inner_->canonical(path); }

  Task<Result<std::unique_ptr<storage::Writer>>> create(const Path& target,
                                                        storage::WriteOptions options) override;
  Task<Result<std::vector<storage::Published>>> publish(
      std::span<const std::unique_ptr<storage::Writer>> writers, std::uint64_t growth_limit_bytes,
      storage::MayShow may_show) override;
  Task<Result<void>> make_folder(const Path& folder) override;
  Task<Result<void>> set_times(const Path& folder, Timestamp created_at,
                               Timestamp modified_at) override;
  Task<Result<void>> set_properties(const Path& item, std::string text) override;
  Task<Result<void>> set_modified_at(const Path& item, Timestamp modified_at) override;
  Task<Result<void>> rename(const Path& from, const Path& to, storage::MayShow may_show) override;
  Task<Result<storage::TreeSize>> copy(const Path& from, const Path& to,
                                       const storage::CopyOptions& options) override;
  Task<Result<storage::Removed>> remove(const Path& path) override;
  std::unique_ptr<storage::Backend> beneath(const Path& folder) override;

 private:
  const std::shared_ptr<storage::Backend> inner_;
  const std::shared_ptr<WriteGate> gate_;
  std::optional<GatedVersions> versions_;  ///< Absent if the inner backend keeps none.
};

}  // namespace coffer::mounts
