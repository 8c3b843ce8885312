#include "core/archive/zip_reader.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <vector>

#include "core/archive/item_name.h"
#include "core/archive/zip_directory.h"
#include "core/archive/zip_fields.h"
#include "core/archive/zip_methods.h"

namespace coffer::core {
namespace {

constexpr std::size_t kReadBytes = 64 * 1024;

std::unexpected<Error> damaged(std::string_view why) {
  return fail(ErrorCode::invalid, fmt::format("It is damaged: {}", why));
}

class ZipReading {
 public:
  ZipReading(ArchiveHost& host, const ArchiveBounds& bounds, ZipDirectory directory)
      : host_(host), bounds_(bounds), directory_(std::move(directory)), block_(kReadBytes) {}

  Result<void> run() {
    for (std::uint64_t count = 0;; ++count) {
      TRY(const auto item, directory_.next());
      if (!item) return {};
      if (count == bounds_.items) {
        return fail(ErrorCode::refused,
                    fmt::format("It has more than {} items, which is too much.", bounds_.items));
      }
      if (!host_.wants(item->item) || item->item.kind != PackedItem::Kind::file) continue;
      ++unpacked_;
      const auto done = unpack(*item);
      if (!is_readable_) return fail(ErrorCode::invalid, "Its bytes cannot be read.");
      if (overlap()) return fail(ErrorCode::refused, "Its items overlap.");
      if (done) {
        host_.end_item();
      } else {
        host_.break_item(done.error().message);
      }
    }
  }

 private:
  Result<void> unpack(const ZipItem& item) {
    TRY(const std::uint64_t begin, find_content(item));
    at_ = begin;
    end_ = end_of(item, begin);
    std::uint64_t bytes = 0;
    bool is_too_long = false;
    uLong checksum = 0;
    const ContentSink sink = [&](std::span<const std::byte> block) {
      bytes += block.size();
      is_too_long = !directory_.is_cut() && bytes > item.content_bytes;
      if (is_too_long) return false;
      checksum = ::crc32_z(checksum, reinterpret_cast<const Bytef*>(block.data()), block.size());
      host_.add(block);
      return true;
    };
    const PackedSource source = [this] { return next_block(); };
    const auto done = unpack_content(item.method, item.content_bytes, source, sink);
    const std::uint64_t lacking = directory_.is_cut() ? bytes % zip::kFourGiB : bytes;
    if (is_too_long || (done && lacking != item.content_bytes)) {
      return damaged("its size differs from the size in the archive.");
    }
    if (done && checksum != item.checksum) return damaged("its checksum differs.");
    return done;
  }

  std::uint64_t end_of(const ZipItem& item, std::uint64_t begin) const {
    // All other contents have an end of their own.
    if (directory_.is_cut() && item.method != ZipMethod::stored) return directory_.begin();
    const std::uint64_t all = host_.size_bytes();
    return begin + std::min(item.packed_bytes, all - std::min(begin, all));
  }

  /// Behind the item's head, whose lengths may differ from those in the list.
  Result<std::uint64_t> find_content(const ZipItem& item) {
    for (std::uint64_t at = item.offset; at < directory_.begin(); at += zip::kFourGiB) {
      std::array<std::byte, zip::kHeadBytes> head{};
      const auto got = read_whole(host_, at, head);
      is_readable_ = got.has_value();
      if (!is_readable_) break;
      const std::span<const std::byte> told(head.data(), *got);
      zip::FieldReader fields(told);
      if (fields.take<std::uint32_t>() == zip::kHeadMark) {
        fields.skip(22);
        const std::uint64_t name_bytes = fields.take<std::uint16_t>();
        const std::uint64_t extra_bytes = fields.take<std::uint16_t>();
        if (fields.is_whole()) return at + zip::kHeadBytes + name_bytes + extra_bytes;
      }
      if (!directory_.is_cut()) break;
    }
    return damaged("it is not where it should be in the archive.");
  }

  /// True if the contents have more bytes than the archive, which is made to keep a reader busy.
  bool overlap() const {
    // Where an item's end is not known, a block goes beyond it.
    const std::uint64_t beyond = directory_.is_cut() ? unpacked_ * kReadBytes : 0;
    return packed_bytes_ > host_.size_bytes() + beyond;
  }

  std::span<const std::byte> next_block() {
    const auto most =
        static_cast<std::size_t>(std::min<std::uint64_t>(kReadBytes, end_ - std::min(at_, end_)));
    if (most == 0 || !is_readable_ || overlap()) return {};
    const auto got = host_.read(at_, std::span(block_).first(most));
    is_readable_ = got.has_value();
    at_ += got.value_or(0);
    packed_bytes_ += got.value_or(0);
    return std::span(block_).first(got.value_or(0));
  }

  ArchiveHost& host_;
  const ArchiveBounds bounds_;
  ZipDirectory directory_;
  std::vector<std::byte> block_;
  std::uint64_t at_ = 0;            ///< Of the next block of the item,
  std::uint64_t end_ = 0;           ///< and where its last one ends.
  std::uint64_t unpacked_ = 0;      ///< The number of items whose content was wanted,
  std::uint64_t packed_bytes_ = 0;  ///< and what was read of their contents.
  bool is_readable_ = true;
};

}  // namespace

std::optional<Result<void>> read_zip(ArchiveHost& host, const ArchiveBounds& bounds,
                                     std::optional<CharacterSet> names) {
  auto directory = ZipDirectory::find(host, names.value_or(kNamesOfZips));
  if (!directory) return failure_of(directory);
  if (!*directory) return std::nullopt;
  return ZipReading(host, bounds, **std::move(directory)).run();
}

}  // namespace coffer::core
