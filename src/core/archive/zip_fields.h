#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

/// The fields of a zip, as APPNOTE.TXT of PKWARE has them. Its section numbers stand beside them.
namespace coffer::core::zip {

// The first four bytes of each record, and the size of its fixed part.
inline constexpr std::uint32_t kHeadMark = 0x04034b50;  ///< In front of a content (4.3.7).
inline constexpr std::size_t kHeadBytes = 30;
inline constexpr std::uint32_t kDescriptorMark = 0x08074b50;  ///< Behind a content (4.3.9).
inline constexpr std::uint32_t kItemMark = 0x02014b50;        ///< In the list at the end (4.3.12).
inline constexpr std::size_t kItemBytes = 46;
inline constexpr std::uint32_t kLongEndMark = 0x06064b50;  ///< Of Zip64 (4.3.14).
inline constexpr std::size_t kLongEndBytes = 56;
inline constexpr std::uint32_t kLocatorMark = 0x07064b50;  ///< Of the former (4.3.15).
inline constexpr std::size_t kLocatorBytes = 20;
inline constexpr std::uint32_t kEndMark = 0x06054b50;  ///< 4.3.16
inline constexpr std::size_t kEndBytes = 22;

// Extra fields of an item.
inline constexpr std::uint16_t kLongNumbers = 0x0001;  ///< Numbers of 64 bits (4.5.3).
inline constexpr std::uint16_t kNtfsTimes = 0x000a;    ///< 4.5.5
inline constexpr std::uint16_t kUnixTime = 0x5455;     ///< As Info-ZIP defines it.
inline constexpr std::uint16_t kUnicodeName = 0x7075;  ///< 4.6.9

/// Where numbers of 32 bits end.
inline constexpr std::uint64_t kFourGiB = std::uint64_t{1} << 32;
/// These stand for a number that is in kLongNumbers or in a record of Zip64.
inline constexpr std::uint64_t kIn64 = kFourGiB - 1;
inline constexpr std::uint64_t kCountIn64 = 0xFFFF;

inline std::string_view text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// Takes numbers, least byte first; zeros behind the end.
class FieldReader {
 public:
  explicit FieldReader(std::string_view bytes) : rest_(bytes) {}
  explicit FieldReader(std::span<const std::byte> bytes) : rest_(text_of(bytes)) {}

  template <class Number>
  Number take() {
    std::uint64_t number = 0;
    const std::size_t size = std::min(sizeof(Number), rest_.size());
    is_whole_ = is_whole_ && size == sizeof(Number);
    for (std::size_t i = 0; i < size; ++i) {
      number |= std::uint64_t{static_cast<unsigned char>(rest_[i])} << 8 * i;
    }
    rest_.remove_prefix(size);
    return static_cast<Number>(number);
  }
  void skip(std::size_t bytes) { rest_.remove_prefix(std::min(bytes, rest_.size())); }
  std::string_view rest() const { return rest_; }
  /// False if a number was cut off.
  bool is_whole() const { return is_whole_; }

 private:
  std::string_view rest_;
  bool is_whole_ = true;
};

/// Appends numbers, least byte first.
class FieldWriter {
 public:
  explicit FieldWriter(std::string& out) : out_(out) {}

  FieldWriter& u8(std::uint64_t number) { return add(number, 1); }
  FieldWriter& u16(std::uint64_t number) { return add(number, 2); }
  FieldWriter& u32(std::uint64_t number) { return add(number, 4); }
  FieldWriter& u64(std::uint64_t number) { return add(number, 8); }
  FieldWriter& text(std::string_view text) {
    out_ += text;
    return *this;
  }

 private:
  FieldWriter& add(std::uint64_t number, int bytes) {
    for (int i = 0; i < bytes; ++i) out_ += static_cast<char>(number >> (8 * i));
    return *this;
  }

  std::string& out_;
};

}  // namespace coffer::core::zip
