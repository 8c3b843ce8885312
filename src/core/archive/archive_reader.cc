#include "core/archive/archive_reader.h"

#include <archive.h>
#include <archive_entry.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "core/archive/item_name.h"
#include "core/archive/packed_item.h"
#include "core/archive/utf8_thread.h"
#include "core/archive/zip_reader.h"

namespace coffer::core {
namespace {

constexpr std::size_t kChunkBytes = 64 * 1024;

struct FreeReading {
  void operator()(::archive* archive) const { ::archive_read_free(archive); }
};

void require(int code) {
  if (code != ARCHIVE_OK) throw std::runtime_error("libarchive lacks something");
}

/// libarchive's view of the host.
class Source {
 public:
  Source(ArchiveHost& host, std::uint64_t most_stream_bytes)
      : host_(host),
        most_stream_bytes_(std::max(most_stream_bytes, host.size_bytes())),
        block_(kChunkBytes) {}

  void open(::archive* archive) {
    require(::archive_read_set_callback_data(archive, this));
    require(::archive_read_set_read_callback(archive, &read));
    require(::archive_read_set_skip_callback(archive, &skip));
    require(::archive_read_set_seek_callback(archive, &seek));
  }
  bool is_too_much() const { return is_too_much_; }
  /// Looks at what the filters have unpacked so far; false if that is too much.
  bool check(::archive* archive) {
    const la_int64_t unpacked = ::archive_filter_bytes(archive, 0);
    is_too_much_ = unpacked > 0 && static_cast<std::uint64_t>(unpacked) > most_stream_bytes_;
    return !is_too_much_;
  }

 private:
  static la_ssize_t read(::archive* archive, void* given, const void** bytes) {
    auto& source = *static_cast<Source*>(given);
    if (!source.check(archive)) return fail(archive);
    const auto got = source.host_.read(source.position_, source.block_);
    if (!got) return fail(archive);
    source.position_ += *got;
    *bytes = source.block_.data();
    return static_cast<la_ssize_t>(*got);
  }

  static la_ssize_t fail(::archive* archive) {
    ::archive_set_error(archive, EIO, "its bytes cannot be read");
    return ARCHIVE_FATAL;
  }

  /// A short way is read, which lets the host read on.
  static la_int64_t skip(::archive* /*archive*/, void* given, la_int64_t bytes) {
    auto& source = *static_cast<Source*>(given);
    const std::uint64_t left =
        source.host_.size_bytes() - std::min(source.position_, source.host_.size_bytes());
    const std::uint64_t skipped =
        std::min(static_cast<std::uint64_t>(std::max<la_int64_t>(bytes, 0)), left);
    if (skipped < 4 * kChunkBytes) return 0;
    source.position_ += skipped;
    return static_cast<la_int64_t>(skipped);
  }

  static la_int64_t seek(::archive* /*archive*/, void* given, la_int64_t offset, int whence) {
    auto& source = *static_cast<Source*>(given);
    const auto size = static_cast<la_int64_t>(source.host_.size_bytes());
    la_int64_t from = 0;
    if (whence == SEEK_CUR) from = static_cast<la_int64_t>(source.position_);
    if (whence == SEEK_END) from = size;
    la_int64_t to = 0;
    if (__builtin_add_overflow(from, offset, &to) || to < 0 || to > size) return ARCHIVE_FATAL;
    source.position_ = static_cast<std::uint64_t>(to);
    return to;
  }

  ArchiveHost& host_;
  const std::uint64_t most_stream_bytes_;
  std::uint64_t position_ = 0;
  std::vector<std::byte> block_;
  bool is_too_much_ = false;
};

bool is_of_format(::archive* archive, int format) {
  return (::archive_format(archive) & ARCHIVE_FORMAT_BASE_MASK) == format;
}

/// True where items can be passed over without unpacking them.
bool is_listed_cheaply(::archive* archive) {
  return is_of_format(archive, ARCHIVE_FORMAT_TAR) && ::archive_filter_count(archive) == 1;
}

/// True where what is passed over is unpacked on the way.
bool is_packed_stream(::archive* archive) {
  return is_of_format(archive, ARCHIVE_FORMAT_TAR) && ::archive_filter_count(archive) > 1;
}

std::string name_of(::archive_entry* entry, CharacterSet names) {
  const char* name = ::archive_entry_pathname(entry);
  if (!name) name = ::archive_entry_pathname_utf8(entry);
  return name ? name_of_bytes(name, names) : std::string();
}

PackedItem::Kind kind_of(::archive_entry* entry) {
  using Kind = PackedItem::Kind;
  if (::archive_entry_hardlink(entry)) return Kind::link;
  switch (::archive_entry_filetype(entry)) {
    case AE_IFDIR:
      return Kind::folder;
    case AE_IFLNK:
      return Kind::link;
    case AE_IFREG:
    case 0:
      return ::archive_entry_is_encrypted(entry) != 0 ? Kind::encrypted : Kind::file;
    default:
      return Kind::special;
  }
}

PackedItem item_of(::archive* archive, ::archive_entry* entry, CharacterSet names) {
  PackedItem item;
  item.kind = kind_of(entry);
  item.name = name_of(entry, names);
  const la_int64_t size = ::archive_entry_size(entry);
  if (::archive_entry_size_is_set(entry) && size >= 0) {
    item.size_bytes = static_cast<std::uint64_t>(size);
  }
  if (::archive_entry_mtime_is_set(entry)) {
    item.modified_at =
        known(timestamp_of(::archive_entry_mtime(entry), ::archive_entry_mtime_nsec(entry)));
  }
  item.is_listed_cheaply = is_listed_cheaply(archive);
  return item;
}

/// libarchive's message, which may contain text from the archive.
std::string reason_of(::archive* archive) {
  const char* const why = ::archive_error_string(archive);
  if (!why || !is_utf8(why) || has_control_character(why)) return "It is damaged.";
  return fmt::format("It is damaged ({}).", cut_utf8(why, 200));
}

bool tells_of_encryption(::archive* archive) {
  const char* const why = ::archive_error_string(archive);
  const std::string_view text = why ? why : "";
  return text.contains("ncrypt") || text.contains("Crypto") || text.contains("assphrase");
}

std::unexpected<Error> encrypted() {
  return fail(ErrorCode::invalid, "It is encrypted. Encrypted archives cannot be unpacked here.");
}

std::unexpected<Error> too_much() {
  return fail(ErrorCode::refused, "Its unpacked size is more than the limit.");
}

class Reading {
 public:
  Reading(ArchiveHost& host, const ArchiveBounds& bounds, CharacterSet names)
      : host_(host),
        bounds_(bounds),
        names_(names),
        source_(host, bounds.stream_bytes),
        block_(kChunkBytes) {}

  /// True after a failure if the bytes have no format that is known.
  bool is_unknown() const { return is_unknown_; }

  Result<void> run() {
    const Utf8Thread utf8;
    ::archive* const archive = archive_.get();
    support(archive);
    source_.open(archive);
    if (::archive_read_open1(archive) != ARCHIVE_OK) return failure();
    ::archive_entry* entry = nullptr;
    for (std::uint64_t count = 0;; ++count) {
      const int code = ::archive_read_next_header(archive, &entry);
      if (code == ARCHIVE_EOF) return {};
      if (code != ARCHIVE_OK && code != ARCHIVE_WARN) return failure();
      if (count == bounds_.items) {
        return fail(ErrorCode::refused,
                    fmt::format("It has more than {} items, which is too much.", bounds_.items));
      }
      // The last one is none; two multiply what little can unpack to.
      if (::archive_filter_count(archive) > 2) {
        return fail(ErrorCode::refused, "It is compressed more than once.");
      }
      TRY_VOID(pass_on(archive, item_of(archive, entry, names_)));
      if (!source_.check(archive)) return too_much();
    }
  }

 private:
  static void support(::archive* archive) {
    require(::archive_read_support_filter_gzip(archive));
    require(::archive_read_support_filter_bzip2(archive));
    require(::archive_read_support_filter_xz(archive));
    require(::archive_read_support_filter_zstd(archive));
    require(::archive_read_support_filter_lz4(archive));
    require(::archive_read_support_format_tar(archive));
    require(::archive_read_support_format_7zip(archive));
  }

  Result<void> pass_on(::archive* archive, const PackedItem& item) {
    const bool is_wanted = host_.wants(item) && item.kind == PackedItem::Kind::file;
    if (!is_wanted && is_of_format(archive, ARCHIVE_FORMAT_7ZIP)) {
      const std::uint64_t size = item.size_bytes.value_or(0);
      if (size > bounds_.stream_bytes - passed_bytes_) return too_much();
      passed_bytes_ += size;
    }
    if (!is_wanted && is_packed_stream(archive)) return pass_over(archive);
    for (std::uint64_t bytes = 0; is_wanted;) {
      const la_ssize_t got = ::archive_read_data(archive, block_.data(), block_.size());
      if (got == ARCHIVE_FATAL) return failure();
      if (got < 0) {
        host_.break_item(reason_of(archive));
        return {};
      }
      if (got == 0) {
        end(item, bytes);
        return {};
      }
      bytes += static_cast<std::uint64_t>(got);
      host_.add(std::span(block_).first(static_cast<std::size_t>(got)));
    }
    return {};
  }

  /// Block by block: a little of a packed stream may unpack to no end.
  Result<void> pass_over(::archive* archive) {
    const void* block = nullptr;
    std::size_t size = 0;
    la_int64_t offset = 0;
    for (;;) {
      const int code = ::archive_read_data_block(archive, &block, &size, &offset);
      if (code == ARCHIVE_FATAL || !source_.check(archive)) return failure();
      // Errors in a skipped item do not matter.
      if (code != ARCHIVE_OK) return {};
    }
  }

  void end(const PackedItem& item, std::uint64_t bytes) {
    if (!item.size_bytes || *item.size_bytes == bytes) return host_.end_item();
    host_.break_item("It is damaged: its size differs from the size in the archive.");
  }

  std::unexpected<Error> failure() {
    ::archive* const archive = archive_.get();
    if (source_.is_too_much()) return too_much();
    if (tells_of_encryption(archive)) return encrypted();
    if (::archive_errno(archive) == ENOMEM) {
      return fail(ErrorCode::refused, "Unpacking it takes more memory than one archive may use.");
    }
    if (::archive_format(archive) == 0) is_unknown_ = true;
    return fail(ErrorCode::invalid, reason_of(archive));
  }

  ArchiveHost& host_;
  const ArchiveBounds bounds_;
  const CharacterSet names_;
  Source source_;  // Outlives the archive.
  std::vector<std::byte> block_;
  bool is_unknown_ = false;
  std::uint64_t passed_bytes_ = 0;  ///< Of items that were not wanted.
  std::unique_ptr<::archive, FreeReading> archive_{::archive_read_new()};
};

/// Before anything else, since a tar may end with a zip.
bool begins_as_zip(ArchiveHost& host) {
  std::array<std::byte, 4> first{};
  const auto got = host.read(0, first);
  if (got != first.size()) return false;
  const std::string_view mark(reinterpret_cast<const char*>(first.data()), first.size());
  constexpr std::array<std::string_view, 4> kMarks{"PK\3\4", "PK\5\6", "PK\7\x08", "PK00"};
  return std::ranges::find(kMarks, mark) != kMarks.end();
}

}  // namespace

Result<void> read_archive(ArchiveHost& host, const ArchiveBounds& bounds,
                          std::optional<CharacterSet> names) {
  if (begins_as_zip(host)) {
    if (auto done = read_zip(host, bounds, names)) return *std::move(done);
    return fail(ErrorCode::invalid,
                "It is a zip that is damaged: the list of its items at its end is missing.");
  }
  Reading reading(host, bounds, names.value_or(kNamesOfTars));
  auto done = reading.run();
  if (!reading.is_unknown()) return done;
  // A zip may stand behind a program that unpacks it.
  if (auto zip = read_zip(host, bounds, names)) return *std::move(zip);
  return fail(ErrorCode::invalid,
              "It is no archive that can be unpacked, or is damaged: there are zip, 7z and tar, "
              "which may be packed by gzip, bzip2, xz, zstd or lz4.");
}

}  // namespace coffer::core
