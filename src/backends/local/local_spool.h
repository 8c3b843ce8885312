#pragma once

#include <filesystem>
#include <memory>

#include "backends/local/handle.h"
#include "storage/spool.h"

namespace coffer::local {

/// A spool that keeps its files in one folder. A writer of a LocalBackend on the same file system
/// can use a spool file as its content without copying the bytes (Writer::adopt). It serves one
/// server: several have disks of their own, and none can go on with an upload of another, so turns
/// do not matter here.
class LocalSpool final : public storage::Spool {
 public:
  /// Opens the folder, and creates it if it is missing (mode 0700). If `is_durable`,
  /// SpoolFile::sync syncs the file to the disk; otherwise that call does nothing.
  static Result<std::unique_ptr<LocalSpool>> open(const std::filesystem::path& folder,
                                                  bool is_durable);

  Task<Result<std::unique_ptr<storage::SpoolFile>>> open(storage::UploadTurn turn,
                                                         std::uint64_t size_bytes,
                                                         Pool& pool) override;
  Task<Result<void>> remove(std::string name, Pool& pool) override;
  Task<Result<std::vector<std::string>>> names(Pool& pool) override;
  Task<Result<std::uint64_t>> free_bytes(Pool& pool) override;

 private:
  LocalSpool(Handle folder, bool is_durable)
      : folder_(std::move(folder)), is_durable_(is_durable) {}

  const Handle folder_;
  const bool is_durable_;
};

}  // namespace coffer::local
