#include "core/archive/inflate64.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <exception>
#include <vector>

namespace coffer::core {
namespace {

constexpr std::size_t kWindowBytes = 64 * 1024;
constexpr unsigned kMostBits = 15;  ///< Of a code.
constexpr unsigned kShortBits = 9;  ///< Of codes that are found by one look.
constexpr unsigned kEndOfBlock = 256;
constexpr std::size_t kMostSymbols = 288;
constexpr std::size_t kMostDistances = 32;

/// What a stream that is damaged or cut off, or an end that the sink wants, leaves by.
struct Stop : std::exception {};

struct Extra {
  std::uint32_t base;
  unsigned bits;
};

/// From symbol 257 on. The last one differs from Deflate's.
constexpr std::array<Extra, 29> kLengths = {
    {{3, 0},  {4, 0},  {5, 0},  {6, 0},   {7, 0},   {8, 0},   {9, 0},   {10, 0},  {11, 1}, {13, 1},
     {15, 1}, {17, 1}, {19, 2}, {23, 2},  {27, 2},  {31, 2},  {35, 3},  {43, 3},  {51, 3}, {59, 3},
     {67, 4}, {83, 4}, {99, 4}, {115, 4}, {131, 5}, {163, 5}, {195, 5}, {227, 5}, {3, 16}}};

/// Each two have one more bit; Deflate lacks the last two.
constexpr auto make_distances() {
  std::array<Extra, kMostDistances> distances{};
  std::uint32_t base = 1;
  for (unsigned i = 0; i < kMostDistances; ++i) {
    distances.at(i) = {base, i < 2 ? 0 : i / 2 - 1};
    base += std::uint32_t{1} << distances.at(i).bits;
  }
  return distances;
}
constexpr auto kDistances = make_distances();
static_assert(kDistances[31].base == 49153 && kDistances[31].bits == 14);

class Bits {
 public:
  explicit Bits(const PackedSource& source) : source_(source) {}

  /// The next bits, without taking them; zeros stand behind the end.
  std::uint32_t peek(unsigned count) {
    while (count_ < count) {
      if (block_.empty()) block_ = source_();
      if (block_.empty()) break;
      held_ |= std::uint64_t{std::to_integer<std::uint8_t>(block_.front())} << count_;
      block_ = block_.subspan(1);
      count_ += 8;
    }
    return static_cast<std::uint32_t>(held_ & ((std::uint64_t{1} << count) - 1));
  }
  void drop(unsigned count) {
    if (count > count_) throw Stop();
    held_ >>= count;
    count_ -= count;
  }
  std::uint32_t take(unsigned count) {
    const std::uint32_t bits = peek(count);
    drop(count);
    return bits;
  }
  void go_to_byte() { drop(count_ % 8); }

 private:
  const PackedSource& source_;
  std::span<const std::byte> block_;
  std::uint64_t held_ = 0;
  unsigned count_ = 0;
};

/// The symbols of one Huffman code (RFC 1951, 3.2.2).
class Code {
 public:
  /// Takes each symbol's number of bits. Throws if they belong to no code.
  explicit Code(std::span<const std::uint8_t> lengths) {
    for (const std::uint8_t length : lengths) ++counts_.at(length);
    counts_[0] = 0;
    int left = 1;
    std::array<unsigned, kMostBits + 1> first{};  // The first symbol's place, for each length.
    std::array<std::uint32_t, kMostBits + 1> next{};
    for (unsigned length = 1; length <= kMostBits; ++length) {
      left = 2 * left - counts_[length];
      if (left < 0) throw Stop();
      if (length == kMostBits) break;
      first[length + 1] = first[length] + counts_[length];
      next[length + 1] = (next[length] + counts_[length]) << 1U;
    }
    for (unsigned symbol = 0; symbol < lengths.size(); ++symbol) {
      const unsigned length = lengths[symbol];
      if (length == 0) continue;
      symbols_.at(first[length]++) = static_cast<std::uint16_t>(symbol);
      const std::uint32_t code = next[length]++;
      if (length <= kShortBits) set_short(code, length, symbol);
    }
  }

  unsigned take(Bits& bits) const {
    const std::uint32_t ahead = bits.peek(kMostBits);
    const Short found = short_[ahead & ((1U << kShortBits) - 1)];
    if (found.bits > 0) {
      bits.drop(found.bits);
      return found.symbol;
    }
    std::uint32_t code = 0;
    std::uint32_t first = 0;
    unsigned index = 0;
    for (unsigned length = 1; length <= kMostBits; ++length) {
      code |= ahead >> (length - 1) & 1U;
      const unsigned count = counts_[length];
      if (code < first + count) {
        bits.drop(length);
        return symbols_.at(index + (code - first));
      }
      index += count;
      first = (first + count) << 1U;
      code <<= 1U;
    }
    throw Stop();
  }

 private:
  struct Short {
    std::uint16_t symbol = 0;
    std::uint16_t bits = 0;
  };
  /// Codes stand in the stream with their first bit first.
  void set_short(std::uint32_t code, unsigned length, unsigned symbol) {
    std::uint32_t reversed = 0;
    for (unsigned i = 0; i < length; ++i) reversed |= (code >> i & 1U) << (length - 1 - i);
    for (std::uint32_t at = reversed; at < short_.size(); at += 1U << length) {
      short_.at(at) = {static_cast<std::uint16_t>(symbol), static_cast<std::uint16_t>(length)};
    }
  }

  std::array<std::uint16_t, kMostBits + 1> counts_{};
  std::array<std::uint16_t, kMostSymbols> symbols_{};
  std::array<Short, std::size_t{1} << kShortBits> short_{};
};

struct Codes {
  Code lengths;
  Code distances;
};

class Inflation {
 public:
  Inflation(const PackedSource& source, const ContentSink& sink)
      : bits_(source), sink_(sink), window_(kWindowBytes) {}

  void run() {
    for (bool is_last = false; !is_last;) {
      is_last = bits_.take(1) == 1;
      switch (bits_.take(2)) {
        case 0:
          copy_stored();
          break;
        case 1:
          unpack(fixed_codes());
          break;
        case 2:
          unpack(read_codes());
          break;
        default:
          throw Stop();
      }
    }
    flush();
  }

 private:
  static Codes fixed_codes() {
    std::array<std::uint8_t, kMostSymbols> lengths{};
    for (std::size_t i = 0; i < lengths.size(); ++i) {
      lengths.at(i) = i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8;
    }
    std::array<std::uint8_t, kMostDistances> distances{};
    distances.fill(5);
    return {Code(lengths), Code(distances)};
  }

  Codes read_codes() {
    const std::size_t lengths = bits_.take(5) + 257;
    const std::size_t distances = bits_.take(5) + 1;
    const std::size_t meta = bits_.take(4) + 4;
    if (lengths > kMostSymbols) throw Stop();
    constexpr std::array<std::uint8_t, 19> kOrder = {16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                                     11, 4,  12, 3, 13, 2, 14, 1, 15};
    std::array<std::uint8_t, 19> meta_lengths{};
    for (std::size_t i = 0; i < meta; ++i) {
      meta_lengths.at(kOrder.at(i)) = static_cast<std::uint8_t>(bits_.take(3));
    }
    const Code code(meta_lengths);
    std::array<std::uint8_t, kMostSymbols + kMostDistances> all{};
    for (std::size_t filled = 0; filled < lengths + distances;) {
      const unsigned symbol = code.take(bits_);
      std::uint8_t value = 0;
      std::size_t times = 1;
      if (symbol < 16) value = static_cast<std::uint8_t>(symbol);
      if (symbol == 16) {
        if (filled == 0) throw Stop();
        value = all.at(filled - 1);
        times = 3 + bits_.take(2);
      }
      if (symbol == 17) times = 3 + bits_.take(3);
      if (symbol == 18) times = 11 + bits_.take(7);
      if (times > lengths + distances - filled) throw Stop();
      std::fill_n(all.begin() + static_cast<std::ptrdiff_t>(filled), times, value);
      filled += times;
    }
    const auto whole = std::span(all).first(lengths + distances);
    return {Code(whole.first(lengths)), Code(whole.subspan(lengths))};
  }

  void copy_stored() {
    bits_.go_to_byte();
    const std::uint32_t size = bits_.take(16);
    if (bits_.take(16) != (size ^ 0xFFFFU)) throw Stop();
    for (std::uint32_t i = 0; i < size; ++i) put(static_cast<std::byte>(bits_.take(8)));
  }

  void unpack(const Codes& codes) {
    for (;;) {
      const unsigned symbol = codes.lengths.take(bits_);
      if (symbol == kEndOfBlock) return;
      if (symbol < kEndOfBlock) {
        put(static_cast<std::byte>(symbol));
        continue;
      }
      if (symbol - 257 >= kLengths.size()) throw Stop();
      const std::uint32_t length = number(kLengths.at(symbol - 257));
      const std::uint32_t distance = number(kDistances.at(codes.distances.take(bits_)));
      if (distance > written_) throw Stop();
      for (std::uint32_t i = 0; i < length; ++i) {
        put(window_[(at_ + kWindowBytes - distance) % kWindowBytes]);
      }
    }
  }

  std::uint32_t number(Extra extra) { return extra.base + bits_.take(extra.bits); }

  void put(std::byte byte) {
    window_[at_++] = byte;
    if (written_ < kWindowBytes) ++written_;
    if (at_ == kWindowBytes) flush();
  }

  /// Gives what the window holds and begins it anew.
  void flush() {
    if (at_ > 0 && !sink_(std::span(window_).first(at_))) throw Stop();
    at_ = 0;
  }

  Bits bits_;
  const ContentSink& sink_;
  std::vector<std::byte> window_;
  std::size_t at_ = 0;
  std::size_t written_ = 0;  ///< How much of the window has been written once.
};

}  // namespace

bool inflate64(const PackedSource& source, const ContentSink& sink) {
  try {
    Inflation(source, sink).run();
    return true;
  } catch (const Stop&) {
    return false;
  }
}

}  // namespace coffer::core
