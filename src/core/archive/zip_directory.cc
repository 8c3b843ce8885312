#include "core/archive/zip_directory.h"

#include <algorithm>
#include <array>
#include <ctime>
#include <utility>

#include "core/archive/item_name.h"
#include "core/archive/zip_fields.h"

namespace coffer::core {
namespace {

using zip::FieldReader;

constexpr std::size_t kMostCommentBytes = 65535;
constexpr std::size_t kListBytes = 64 * 1024;
/// More marks of an end, without a list in front of them, are made to keep a reader busy.
constexpr int kMostEnds = 16;

/// An extra field of an item; empty if it does not have it.
std::string_view extra_field(std::string_view extra, std::uint16_t id) {
  while (extra.size() >= 4) {
    FieldReader fields(extra);
    const auto found = fields.take<std::uint16_t>();
    const std::size_t size = fields.take<std::uint16_t>();
    if (size > fields.rest().size()) return {};
    if (found == id) return fields.rest().substr(0, size);
    extra = fields.rest().substr(size);
  }
  return {};
}

/// In the time zone of its maker, which nothing tells. Without a day there is none.
std::optional<Timestamp> time_of_dos(std::uint16_t date, std::uint16_t time) {
  if ((date >> 5 & 0xF) == 0 || (date & 0x1F) == 0) return std::nullopt;
  std::tm parts{};
  parts.tm_year = (date >> 9) + 80;
  parts.tm_mon = (date >> 5 & 0xF) - 1;
  parts.tm_mday = date & 0x1F;
  parts.tm_hour = time >> 11;
  parts.tm_min = time >> 5 & 0x3F;
  parts.tm_sec = (time & 0x1F) * 2;
  parts.tm_isdst = -1;
  return known(timestamp_of(::mktime(&parts)));
}

/// The time of NTFS, in steps of 100 ns since 1601, or that of Unix, where there is one.
std::optional<Timestamp> time_of_extra(std::string_view extra) {
  constexpr std::int64_t kSecondsTo1970 = 11'644'473'600;
  constexpr std::int64_t kSteps = 10'000'000;
  const std::string_view ntfs = extra_field(extra, zip::kNtfsTimes);
  if (ntfs.size() >= 16) {
    const std::string_view times = extra_field(ntfs.substr(4), 1);
    const auto steps = FieldReader(times).take<std::uint64_t>();
    if (times.size() >= 8 && steps > 0 && steps < INT64_MAX) {
      const auto signed_steps = static_cast<std::int64_t>(steps);
      return known(timestamp_of(signed_steps / kSteps - kSecondsTo1970,
                                static_cast<long>(signed_steps % kSteps * 100)));
    }
  }
  FieldReader of_unix(extra_field(extra, zip::kUnixTime));
  const bool has_modified = (of_unix.take<std::uint8_t>() & 1U) != 0;
  const auto seconds = of_unix.take<std::int32_t>();
  if (has_modified && of_unix.is_whole()) return known(timestamp_of(seconds));
  return std::nullopt;
}

bool is_of_dos(unsigned maker) {
  return maker == 0 || maker == 10 || maker == 11 || maker == 14;
}

PackedItem::Kind kind_of(unsigned maker, std::uint32_t attributes, std::string_view name) {
  using Kind = PackedItem::Kind;
  constexpr std::uint32_t kFolderOfDos = 0x10;
  if (name.ends_with('/')) return Kind::folder;
  if (is_of_dos(maker)) return (attributes & kFolderOfDos) != 0 ? Kind::folder : Kind::file;
  switch (attributes >> 28) {
    case 0:
    case 010:
      return Kind::file;
    case 004:
      return Kind::folder;
    case 012:
      return Kind::link;
    default:
      return maker == 3 || maker == 19 ? Kind::special : Kind::file;
  }
}

PackedItem::Kind kind_of_file(ZipMethod method, std::uint16_t flags) {
  constexpr auto kEncrypted = static_cast<ZipMethod>(99);
  if ((flags & 1U) != 0 || method == kEncrypted) return PackedItem::Kind::encrypted;
  return is_known(method) ? PackedItem::Kind::file : PackedItem::Kind::of_unknown_method;
}

/// Numbers from 4 GiB on stand in the field of Zip64, one behind the other.
void take_long_numbers(ZipItem& item, std::string_view extra) {
  FieldReader fields(extra_field(extra, zip::kLongNumbers));
  for (std::uint64_t* const number : {&item.content_bytes, &item.packed_bytes, &item.offset}) {
    if (*number == zip::kIn64 && fields.rest().size() >= 8) *number = fields.take<std::uint64_t>();
  }
}

std::unexpected<Error> broken_list() {
  return fail(ErrorCode::invalid, "It is damaged: the list of its items is not whole.");
}

std::unexpected<Error> unreadable() {
  return fail(ErrorCode::invalid, "Its bytes cannot be read.");
}

}  // namespace

std::optional<std::size_t> read_whole(ArchiveHost& host, std::uint64_t offset,
                                      std::span<std::byte> out) {
  std::size_t filled = 0;
  while (filled < out.size() && offset + filled < host.size_bytes()) {
    const auto got = host.read(offset + filled, out.subspan(filled));
    if (!got) return std::nullopt;
    if (*got == 0) break;
    filled += *got;
  }
  return filled;
}

Result<std::optional<ZipDirectory>> ZipDirectory::find(ArchiveHost& host, CharacterSet names) {
  const std::uint64_t size = host.size_bytes();
  std::vector<std::byte> tail(
      static_cast<std::size_t>(std::min<std::uint64_t>(size, zip::kEndBytes + kMostCommentBytes)));
  const std::uint64_t tail_at = size - tail.size();
  const auto got = read_whole(host, tail_at, tail);
  if (!got) return unreadable();
  if (*got < zip::kEndBytes) return std::nullopt;
  int ends = 0;
  for (std::size_t at = *got - zip::kEndBytes + 1; at-- > 0 && ends < kMostEnds;) {
    const auto end = std::span(tail).subspan(at, zip::kEndBytes);
    if (FieldReader(end).take<std::uint32_t>() != zip::kEndMark) continue;
    ++ends;
    ZipDirectory directory(host, names);
    if (!directory.take_end(end, tail_at + at)) continue;
    if (directory.is_split_) {
      return fail(ErrorCode::invalid, "It is a part of an archive that has several files.");
    }
    return directory;
  }
  return std::nullopt;
}

/// False where there is no list in front of it.
bool ZipDirectory::take_end(std::span<const std::byte> end, std::uint64_t end_at) {
  FieldReader fields(end);
  fields.skip(4);
  const auto disk = fields.take<std::uint16_t>();
  const auto first_disk = fields.take<std::uint16_t>();
  fields.skip(2);
  count_ = fields.take<std::uint16_t>();
  std::uint64_t size = fields.take<std::uint32_t>();
  begin_ = fields.take<std::uint32_t>();
  end_ = end_at;
  if (take_long_end(end_at)) {
    size = end_ - begin_;
  } else {
    is_split_ = disk != first_disk || (disk != 0 && disk != 0xFFFF);
    if (is_split_) return true;
    if (size > end_) return false;
    shift_ = end_ - size;  // Where the list lies,
    if (shift_ < begin_) return false;
    shift_ -= begin_;  // and how far that is from where it should.
    begin_ += shift_;
    is_cut_ = shift_ > 0 && shift_ % zip::kFourGiB == 0;
    if (is_cut_) shift_ = 0;
  }
  at_ = begin_;
  std::array<std::byte, 4> mark{};
  if (begin_ == end_) return count_ == 0;
  const auto got = read_whole(*host_, begin_, mark);
  return got == mark.size() && FieldReader(mark).take<std::uint32_t>() == zip::kItemMark;
}

/// That of Zip64, which stands in front of the other; the members then are its own.
bool ZipDirectory::take_long_end(std::uint64_t end_at) {
  if (end_at < zip::kLocatorBytes + zip::kLongEndBytes) return false;
  std::array<std::byte, zip::kLocatorBytes> locator{};
  if (read_whole(*host_, end_at - zip::kLocatorBytes, locator) != locator.size()) return false;
  FieldReader located(locator);
  if (located.take<std::uint32_t>() != zip::kLocatorMark) return false;
  located.skip(4);
  const auto told = located.take<std::uint64_t>();
  // Nothing but the locator stands behind it, unless its maker has added something.
  for (const std::uint64_t at : {end_at - zip::kLocatorBytes - zip::kLongEndBytes, told}) {
    std::array<std::byte, zip::kLongEndBytes> bytes{};
    if (at > end_at - zip::kLocatorBytes - zip::kLongEndBytes) continue;
    if (read_whole(*host_, at, bytes) != bytes.size()) continue;
    FieldReader fields(bytes);
    if (fields.take<std::uint32_t>() != zip::kLongEndMark) continue;
    fields.skip(28);
    const auto count = fields.take<std::uint64_t>();
    const auto size = fields.take<std::uint64_t>();
    const auto begin = fields.take<std::uint64_t>();
    if (size > at || at - size < begin) continue;
    count_ = count;
    count_mask_ = UINT64_MAX;
    shift_ = at - size - begin;
    begin_ = at - size;
    end_ = at;
    return true;
  }
  return false;
}

/// Reads so many bytes of the list at least.
Result<void> ZipDirectory::fill(std::size_t bytes) {
  if (bytes > end_ - at_) return broken_list();
  if (ahead().size() >= bytes) return {};
  ahead_.erase(0, std::exchange(used_, 0));
  const std::size_t had = ahead_.size();
  const std::uint64_t left = end_ - at_ - had;
  const std::uint64_t more = std::min<std::uint64_t>(left, std::max(kListBytes, bytes));
  ahead_.resize(had + static_cast<std::size_t>(more));
  const auto space = std::as_writable_bytes(std::span(ahead_)).subspan(had);
  const auto got = read_whole(*host_, at_ + had, space);
  if (!got) return unreadable();
  return *got < space.size() ? Result<void>(broken_list()) : Result<void>();
}

/// The text stays until the next call of `fill` or `take`.
Result<std::string_view> ZipDirectory::take(std::size_t bytes) {
  TRY_VOID(fill(bytes));
  const std::string_view taken = ahead().substr(0, bytes);
  used_ += bytes;
  at_ += bytes;
  return taken;
}

/// The number of items is cut off above 65,535 by many programs, so the list goes on while there
/// are items in it.
Result<bool> ZipDirectory::has_more() {
  const bool is_right = ((taken_ ^ count_) & count_mask_) == 0;
  if (end_ - at_ >= zip::kItemBytes) {
    TRY_VOID(fill(zip::kItemBytes));
    if (FieldReader(ahead()).take<std::uint32_t>() == zip::kItemMark) return true;
  }
  if (!is_right) return broken_list();
  return false;
}

Result<std::optional<ZipItem>> ZipDirectory::next() {
  TRY(const bool goes_on, has_more());
  if (!goes_on) return std::nullopt;
  TRY(const std::string_view head, take(zip::kItemBytes));
  FieldReader fields(head);
  fields.skip(4);
  ++taken_;
  fields.skip(1);
  const unsigned maker = fields.take<std::uint8_t>();
  fields.skip(2);
  const auto flags = fields.take<std::uint16_t>();
  ZipItem found;
  found.method = static_cast<ZipMethod>(fields.take<std::uint16_t>());
  const auto time = fields.take<std::uint16_t>();
  const auto date = fields.take<std::uint16_t>();
  found.checksum = fields.take<std::uint32_t>();
  found.packed_bytes = fields.take<std::uint32_t>();
  found.content_bytes = fields.take<std::uint32_t>();
  const std::size_t name_bytes = fields.take<std::uint16_t>();
  const std::size_t extra_bytes = fields.take<std::uint16_t>();
  const std::size_t comment_bytes = fields.take<std::uint16_t>();
  fields.skip(4);
  const auto attributes = fields.take<std::uint32_t>();
  found.offset = fields.take<std::uint32_t>();
  TRY(const std::string_view rest, take(name_bytes + extra_bytes + comment_bytes));
  const std::string_view name = rest.substr(0, name_bytes);
  const std::string_view extra = rest.substr(name_bytes, extra_bytes);

  take_long_numbers(found, extra);
  found.offset += shift_;
  PackedItem& item = found.item;
  item.name = name_of_zip(name, extra_field(extra, zip::kUnicodeName), names_);
  item.kind = kind_of(maker, attributes, item.name);
  if (item.kind == PackedItem::Kind::file) item.kind = kind_of_file(found.method, flags);
  if (!is_cut_) item.size_bytes = found.content_bytes;
  item.modified_at = time_of_extra(extra);
  if (!item.modified_at) item.modified_at = time_of_dos(date, time);
  item.is_listed_cheaply = true;
  return found;
}

}  // namespace coffer::core
