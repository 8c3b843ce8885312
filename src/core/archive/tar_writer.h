#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "core/archive/archive_writer.h"

namespace coffer::core {

/// Creates a POSIX tar (pax) by libarchive.
class TarWriter final : public ArchiveWriter {
 public:
  enum class Packing : std::uint8_t { none, zstd };

  explicit TarWriter(Packing packing);
  ~TarWriter() override;

  Result<void> add(const ArchiveHeader& header, std::span<const std::byte> content) override;
  Result<void> begin(const ArchiveHeader& header) override;
  Result<void> write(std::span<const std::byte> content) override;
  Result<void> end_entry() override;
  Result<void> finish() override;
  bool needs_whole_entries() const override { return true; }
  std::uint64_t kept_bytes_of(const ArchiveHeader& /*header*/) const override { return 0; }
  std::size_t output_bytes() const override;
  void take_output(std::string& into) override;

 private:
  struct State;
  const std::unique_ptr<State> state_;
};

}  // namespace coffer::core
