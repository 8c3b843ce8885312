#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "core/archive/archive_host.h"

namespace coffer::core {

/// An item that a test puts into an archive, as libarchive makes it: also such as nothing sound
/// has.
struct ItemToPack {
  std::string name = {};
  std::string content = {};
  unsigned file_type = 0100000;  ///< As in `st_mode`.
  std::string link_target = {};  ///< Of a symbolic link, or with `is_hard_link`.
  bool is_hard_link = false;
  std::string passphrase = {};  ///< Of the whole archive.
  std::int64_t modified_s = 1'600'000'000;
};

enum class PackedAs : std::uint8_t { zip, stored_zip, tar, tar_gz, tar_bz2, tar_xz, seven_zip };
std::string pack(PackedAs format, const std::vector<ItemToPack>& items);

/// Gives the bytes of an archive in memory, and notes what is in it.
class NotingHost final : public ArchiveHost {
 public:
  struct Noted {
    PackedItem item;
    std::string content = {};
    bool is_whole = false;
    std::string reason = {};  ///< Why it is not.
  };

  explicit NotingHost(std::string_view archive) : archive_(archive) {}

  std::uint64_t size_bytes() const override { return archive_.size(); }
  std::optional<std::size_t> read(std::uint64_t offset, std::span<std::byte> out) override;
  bool wants(const PackedItem& item) override;
  void add(std::span<const std::byte> content) override;
  void end_item() override { items.back().is_whole = true; }
  void break_item(std::string_view reason) override { items.back().reason = reason; }

  std::vector<Noted> items;
  bool wants_all = true;
  std::uint64_t fails_at = UINT64_MAX;  ///< Reads from there on.
  std::uint64_t read_bytes = 0;
  std::size_t most_content_bytes = SIZE_MAX;  ///< What is more is counted alone.
  std::uint64_t content_bytes = 0;

 private:
  std::string_view archive_;
};

}  // namespace coffer::core
