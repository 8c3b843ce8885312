#pragma once

#include "backends/local/handle.h"
#include "backends/local/volume.h"
#include "storage/reader.h"

namespace coffer::local {

/// Reads one open file. The handle keeps the content alive after a replacement or a removal.
class LocalReader final : public storage::Reader {
 public:
  LocalReader(Volume& volume, Handle file, storage::Entry entry);
  ~LocalReader() override;

  const storage::Entry& entry() const override { return entry_; }
  Task<Result<std::size_t>> read(std::uint64_t offset, std::span<std::byte> out) override;
  std::optional<std::size_t> read_now(std::uint64_t offset, std::span<std::byte> out) override;
  std::optional<int> descriptor() const override { return file_.get(); }

 private:
  Result<std::size_t> read_waiting(std::uint64_t offset, std::span<std::byte> out) const;

  Volume& volume_;
  Handle file_;
  const storage::Entry entry_;
};

}  // namespace coffer::local
