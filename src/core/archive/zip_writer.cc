#include "core/archive/zip_writer.h"

#include <time.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <limits>
#include <new>
#include <stdexcept>
#include <utility>

#include "base/path.h"
#include "core/archive/zip_fields.h"

namespace coffer::core {
namespace {

/// Files with these extensions are compressed already.
constexpr std::array<std::string_view, 36> kPacked = {
    ".7z",   ".aac",  ".apk", ".avi",  ".avif", ".br",   ".bz2",  ".cbz",  ".docx",
    ".epub", ".flac", ".gif", ".gz",   ".heic", ".jar",  ".jpeg", ".jpg",  ".m4a",
    ".m4v",  ".mkv",  ".mov", ".mp3",  ".mp4",  ".odt",  ".ogg",  ".opus", ".png",
    ".pptx", ".rar",  ".tgz", ".webm", ".webp", ".xlsx", ".xz",   ".zip",  ".zst"};

bool is_packed(std::string_view name) {
  std::string extension(extension_of(name));
  std::ranges::transform(extension, extension.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return std::ranges::binary_search(kPacked, extension);
}

// The section numbers are those of APPNOTE.TXT (see zip_fields.h).
constexpr std::uint16_t kVersion = 20;       ///< 4.4.3: folders, and DEFLATE.
constexpr std::uint16_t kZip64Version = 45;  ///< 4.4.3
constexpr std::uint16_t kMadeByUnix = 3 << 8;
constexpr std::uint16_t kSizesFollow = 1 << 3;  ///< 4.4.4
constexpr std::uint16_t kUtf8Name = 1 << 11;
constexpr std::uint16_t kStored = 0;  ///< 4.4.5
constexpr std::uint16_t kDeflated = 8;
constexpr std::size_t kTimeFieldBytes = 9;
constexpr std::size_t kZip64FieldBytes = 4 + 3 * 8;

/// Deflated content of this size may have 4 GiB: what cannot be compressed becomes longer by less
/// than a two-thousandth.
constexpr std::uint64_t kMayHave4Gib = zip::kFourGiB - 2 * 1024 * 1024;

/// On their way archives are to keep up with lines: more would cost much and gain little.
constexpr int kFast = 1;
constexpr int kNotCompressed = 0;

/// A piece of the list of entries.
constexpr std::size_t kListPieceBytes = 64 * 1024;
/// The least room for a step of the compressor, which keeps back what it has made for a while.
constexpr std::size_t kLeastRoom = 32 * 1024;

std::int64_t seconds_of(Timestamp time) {
  return std::chrono::floor<std::chrono::seconds>(time.time_since_epoch()).count();
}

/// Local time from 1980 to 2107, in steps of two seconds (4.4.6).
std::uint32_t dos_time_of(Timestamp time) {
  constexpr std::uint32_t kFirst = 1 << 21 | 1 << 16;
  constexpr std::uint32_t kLast = 0xff9fbf7d;
  const std::time_t seconds = seconds_of(time);
  std::tm local{};
  if (!::localtime_r(&seconds, &local) || local.tm_year < 80) return kFirst;
  if (local.tm_year > 207) return kLast;
  const int date = (local.tm_year - 80) << 9 | (local.tm_mon + 1) << 5 | local.tm_mday;
  const int of_day = local.tm_hour << 11 | local.tm_min << 5 | local.tm_sec / 2;
  return static_cast<std::uint32_t>(date) << 16 | static_cast<std::uint32_t>(of_day);
}

/// Unix time where it is known and fits into 32 bits.
std::string time_field_of(Timestamp time) {
  const std::int64_t seconds = seconds_of(time);
  std::string field;
  if (!known(time) || !std::in_range<std::int32_t>(seconds)) return field;
  zip::FieldWriter(field).u16(zip::kUnixTime).u16(5).u8(1).u32(static_cast<std::uint64_t>(seconds));
  return field;
}

}  // namespace

struct ZipWriter::Entry {
  std::string name;
  bool is_directory = false;
  bool is_packed = false;
  bool sizes_follow = false;
  bool is_zip64 = false;  ///< Its sizes have 64 bits in front of its content and behind it.
  std::uint16_t method = kStored;
  std::uint32_t dos_time = 0;
  std::string time_field;
  std::uint64_t offset = 0;
  ::uLong crc = ::crc32(0, nullptr, 0);
  std::uint64_t size = 0;
  std::uint64_t packed_size = 0;

  void take(std::span<const std::byte> content) {
    crc = ::crc32_z(crc, reinterpret_cast<const ::Bytef*>(content.data()), content.size());
    size += content.size();
  }

  /// What the header in front of the content and the record in the list have in common.
  void add_common(zip::FieldWriter& fields) const {
    fields.u16(is_zip64 ? kZip64Version : kVersion);
    fields.u16(kUtf8Name | (sizes_follow ? kSizesFollow : 0)).u16(method).u32(dos_time);
  }

  std::string local_header() const {
    std::string extra = time_field;
    if (is_zip64) zip::FieldWriter(extra).u16(zip::kLongNumbers).u16(16).u64(0).u64(0);
    const std::uint64_t unknown = is_zip64 ? zip::kIn64 : 0;
    std::string header;
    zip::FieldWriter fields(header);
    fields.u32(zip::kHeadMark);
    add_common(fields);
    fields.u32(sizes_follow ? 0 : crc);
    fields.u32(sizes_follow ? unknown : packed_size).u32(sizes_follow ? unknown : size);
    fields.u16(name.size()).u16(extra.size()).text(name).text(extra);
    return header;
  }

  std::string descriptor() const {
    std::string record;
    zip::FieldWriter fields(record);
    fields.u32(zip::kDescriptorMark).u32(crc);
    if (is_zip64) {
      fields.u64(packed_size).u64(size);
    } else {
      fields.u32(packed_size).u32(size);
    }
    return record;
  }

  std::string list_record() const {
    std::string large;
    for (const std::uint64_t number : {size, packed_size, offset}) {
      if (number >= zip::kIn64) zip::FieldWriter(large).u64(number);
    }
    std::string extra = time_field;
    if (!large.empty())
      zip::FieldWriter(extra).u16(zip::kLongNumbers).u16(large.size()).text(large);
    const std::uint32_t mode = is_directory ? 0040755 : 0100644;
    const std::uint32_t dos_attributes = is_directory ? 0x10 : 0;
    std::string record;
    zip::FieldWriter fields(record);
    fields.u32(zip::kItemMark).u16(kMadeByUnix | kZip64Version);
    add_common(fields);
    fields.u32(crc).u32(std::min(packed_size, zip::kIn64)).u32(std::min(size, zip::kIn64));
    fields.u16(name.size()).u16(extra.size()).u16(0).u16(0).u16(0);
    fields.u32(mode << 16 | dos_attributes)
        .u32(std::min(offset, zip::kIn64))
        .text(name)
        .text(extra);
    return record;
  }
};

/// Packs the contents of entries, one after the other.
class ZipWriter::Deflater {
 public:
  Deflater() {
    constexpr int kNoHeader = -15;
    const int begun = ::deflateInit2(&stream_, kFast, Z_DEFLATED, kNoHeader, 8, Z_DEFAULT_STRATEGY);
    if (begun == Z_MEM_ERROR) throw std::bad_alloc();
    check(begun == Z_OK);
  }
  ~Deflater() { ::deflateEnd(&stream_); }
  Deflater(const Deflater&) = delete;
  Deflater& operator=(const Deflater&) = delete;

  void begin(int level) {
    check(::deflateReset(&stream_) == Z_OK);
    check(::deflateParams(&stream_, level, Z_DEFAULT_STRATEGY) == Z_OK);
  }
  void add(std::span<const std::byte> content, std::string& out) {
    deflate(content, out, Z_NO_FLUSH);
  }
  void end(std::span<const std::byte> content, std::string& out) {
    deflate(content, out, Z_FINISH);
  }

 private:
  static void check(bool good) {
    if (!good) throw std::logic_error("zlib was called wrongly");
  }

  void deflate(std::span<const std::byte> content, std::string& out, int flush) {
    stream_.next_in = reinterpret_cast<::Bytef*>(const_cast<std::byte*>(content.data()));
    stream_.avail_in = static_cast<::uInt>(content.size());
    int code = Z_OK;
    do {
      const std::size_t made = out.size();
      const auto room =
          std::max<std::size_t>(::deflateBound(&stream_, stream_.avail_in), kLeastRoom);
      // GCC 12 gives the function the string's capacity, not the size that was asked for.
      out.resize_and_overwrite(made + room, [&](char* bytes, std::size_t /*capacity*/) {
        stream_.next_out = reinterpret_cast<::Bytef*>(bytes + made);
        stream_.avail_out = static_cast<::uInt>(room);
        code = ::deflate(&stream_, flush);
        return made + room - stream_.avail_out;
      });
    } while (stream_.avail_out == 0);
    check(stream_.avail_in == 0 && (flush != Z_FINISH || code == Z_STREAM_END));
  }

  ::z_stream stream_{};
};

ZipWriter::ZipWriter() : deflater_(std::make_unique<Deflater>()) {}

ZipWriter::~ZipWriter() = default;

Result<ZipWriter::Entry> ZipWriter::entry_of(const ArchiveHeader& header) const {
  Entry entry;
  entry.name = header.name;
  if (header.is_directory && !entry.name.ends_with('/')) entry.name += '/';
  if (entry.name.size() > std::numeric_limits<std::uint16_t>::max()) {
    return fail(ErrorCode::invalid, "Its name is too long for a zip.");
  }
  entry.is_directory = header.is_directory;
  entry.is_packed = is_packed(header.name);
  entry.dos_time = dos_time_of(header.modified_at);
  entry.time_field = time_field_of(header.modified_at);
  entry.offset = position();
  return entry;
}

Result<void> ZipWriter::add(const ArchiveHeader& header, std::span<const std::byte> content) {
  TRY(Entry entry, entry_of(header));
  entry.take(content);
  const std::size_t begin = output_.size();
  const std::string draft = entry.local_header();
  if (!content.empty() && !entry.is_packed) {
    output_ += draft;
    deflater_->begin(kFast);
    deflater_->end(content, output_);
    entry.packed_size = output_.size() - begin - draft.size();
    entry.method = kDeflated;
  }
  if (entry.method == kDeflated && entry.packed_size < entry.size) {
    output_.replace(begin, draft.size(), entry.local_header());
  } else {
    entry.method = kStored;
    entry.packed_size = entry.size;
    output_.resize(begin);
    output_ += entry.local_header();
    output_.append(reinterpret_cast<const char*>(content.data()), content.size());
  }
  note(entry);
  return {};
}

Result<void> ZipWriter::begin(const ArchiveHeader& header) {
  TRY(Entry entry, entry_of(header));
  entry.sizes_follow = true;
  entry.is_zip64 = header.size_bytes >= kMayHave4Gib;
  entry.method = kDeflated;
  output_ += entry.local_header();
  deflater_->begin(entry.is_packed ? kNotCompressed : kFast);
  open_ = std::make_unique<Entry>(std::move(entry));
  return {};
}

Result<void> ZipWriter::write(std::span<const std::byte> content) {
  const std::size_t before = output_.size();
  open_->take(content);
  deflater_->add(content, output_);
  open_->packed_size += output_.size() - before;
  return {};
}

Result<void> ZipWriter::end_entry() {
  const std::size_t before = output_.size();
  deflater_->end({}, output_);
  open_->packed_size += output_.size() - before;
  output_ += open_->descriptor();
  note(*open_);
  open_.reset();
  return {};
}

void ZipWriter::note(const Entry& entry) {
  add_to_list(entry.list_record());
  ++entries_;
}

void ZipWriter::add_to_list(std::string_view bytes) {
  if (list_.empty() || list_.back().size() + bytes.size() > kListPieceBytes) {
    list_.emplace_back().reserve(std::max(bytes.size(), kListPieceBytes));
  }
  list_.back() += bytes;
  list_bytes_ += bytes.size();
}

/// What stands behind the list of entries (4.3.14 to 4.3.16).
std::string ZipWriter::end_records() const {
  const std::uint64_t list_at = position();
  std::string records;
  zip::FieldWriter fields(records);
  if (entries_ >= zip::kCountIn64 || list_bytes_ >= zip::kIn64 || list_at >= zip::kIn64) {
    fields.u32(zip::kLongEndMark).u64(44).u16(kMadeByUnix | kZip64Version).u16(kZip64Version);
    fields.u32(0).u32(0).u64(entries_).u64(entries_).u64(list_bytes_).u64(list_at);
    fields.u32(zip::kLocatorMark).u32(0).u64(list_at + list_bytes_).u32(1);
  }
  const std::uint64_t entries = std::min(entries_, zip::kCountIn64);
  fields.u32(zip::kEndMark).u16(0).u16(0).u16(entries).u16(entries);
  fields.u32(std::min(list_bytes_, zip::kIn64)).u32(std::min(list_at, zip::kIn64)).u16(0);
  return records;
}

Result<void> ZipWriter::finish() {
  const std::string records = end_records();
  add_to_list(records);
  is_finished_ = true;
  return {};
}

std::uint64_t ZipWriter::kept_bytes_of(const ArchiveHeader& header) const {
  return zip::kItemBytes + header.name.size() + 1 + kTimeFieldBytes + kZip64FieldBytes;
}

void ZipWriter::take_output(std::string& into) {
  into.clear();
  std::swap(into, output_);
  taken_bytes_ += into.size();
  if (!into.empty() || !is_finished_ || list_.empty()) return;
  into = std::move(list_.front());
  list_.pop_front();
}

}  // namespace coffer::core
