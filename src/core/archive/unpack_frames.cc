#include "core/archive/unpack_frames.h"

#include <cstring>
#include <type_traits>
#include <utility>

#include "base/text.h"

namespace coffer::core {
namespace {

constexpr std::size_t kLongestNameBytes = 32 * 1024;
constexpr std::size_t kLongestReasonBytes = 1024;

template <class Number>
void append(std::string& out, Number number) {
  static_assert(std::is_integral_v<Number>);
  out.append(reinterpret_cast<const char*>(&number), sizeof number);
}

/// Takes numbers from the front of a payload.
class Numbers {
 public:
  explicit Numbers(std::string_view payload) : rest_(payload) {}

  template <class Number>
  Number take() {
    Number number{};
    is_good_ = is_good_ && rest_.size() >= sizeof number;
    if (!is_good_) return {};
    std::memcpy(&number, rest_.data(), sizeof number);
    rest_.remove_prefix(sizeof number);
    return number;
  }
  bool is_good() const { return is_good_; }
  bool is_at_end() const { return is_good_ && rest_.empty(); }
  std::string_view rest() const { return rest_; }

 private:
  std::string_view rest_;
  bool is_good_ = true;
};

}  // namespace

void append_head(std::string& out, FrameHead head) {
  out += static_cast<char>(head.kind);
  append(out, head.size_bytes);
}

FrameHead head_of(std::string_view bytes) {
  Numbers numbers(bytes);
  FrameHead head;
  head.kind = static_cast<FrameKind>(numbers.take<char>());
  head.size_bytes = numbers.take<std::uint32_t>();
  return head;
}

void append_frame(std::string& out, FrameKind kind, std::string_view payload) {
  append_head(out, {kind, static_cast<std::uint32_t>(payload.size())});
  out += payload;
}

std::string encode(const StartFrame& frame) {
  std::string out;
  append(out, frame.size_bytes);
  append(out, frame.bounds.items);
  append(out, frame.bounds.stream_bytes);
  if (frame.names) out += word_of(*frame.names);
  return out;
}

std::string encode(const ReadFrame& frame) {
  std::string out;
  append(out, frame.offset);
  append(out, frame.size_bytes);
  return out;
}

std::string encode(const PackedItem& item) {
  std::string out;
  append(out, static_cast<std::uint8_t>(item.kind));
  append(out, static_cast<std::uint8_t>(item.is_listed_cheaply));
  append(out, static_cast<std::uint8_t>(item.size_bytes.has_value()));
  append(out, item.size_bytes.value_or(0));
  append(out, static_cast<std::uint8_t>(item.modified_at.has_value()));
  append(out, std::int64_t{item.modified_at.value_or(Timestamp()).time_since_epoch().count()});
  // Such a long one is refused for that, wherever it ends.
  out += std::string_view(item.name).substr(0, kLongestNameBytes);
  return out;
}

std::string encode(const Error& error) {
  std::string out;
  append(out, static_cast<std::uint8_t>(error.code));
  out += cut_utf8(error.message, kLongestReasonBytes);
  return out;
}

std::optional<StartFrame> decode_start(std::string_view payload) {
  Numbers numbers(payload);
  StartFrame frame;
  frame.size_bytes = numbers.take<std::uint64_t>();
  frame.bounds.items = numbers.take<std::uint64_t>();
  frame.bounds.stream_bytes = numbers.take<std::uint64_t>();
  if (!numbers.is_good()) return std::nullopt;
  if (numbers.is_at_end()) return frame;
  frame.names = enum_from<CharacterSet>(numbers.rest());
  if (!frame.names) return std::nullopt;
  return frame;
}

std::optional<ReadFrame> decode_read(std::string_view payload) {
  Numbers numbers(payload);
  ReadFrame frame;
  frame.offset = numbers.take<std::uint64_t>();
  frame.size_bytes = numbers.take<std::uint32_t>();
  if (!numbers.is_at_end() || frame.size_bytes > kMostFrameBytes) return std::nullopt;
  return frame;
}

std::optional<PackedItem> decode_item(std::string_view payload) {
  Numbers numbers(payload);
  const auto kind = numbers.take<std::uint8_t>();
  PackedItem item;
  item.is_listed_cheaply = numbers.take<std::uint8_t>() != 0;
  const bool has_size = numbers.take<std::uint8_t>() != 0;
  const auto size = numbers.take<std::uint64_t>();
  const bool has_time = numbers.take<std::uint8_t>() != 0;
  const auto time = numbers.take<std::int64_t>();
  constexpr auto kLast = static_cast<std::uint8_t>(PackedItem::Kind::of_unknown_method);
  if (!numbers.is_good() || kind > kLast) return std::nullopt;
  item.kind = static_cast<PackedItem::Kind>(kind);
  if (has_size) item.size_bytes = size;
  if (has_time) item.modified_at = known(Timestamp(std::chrono::nanoseconds(time)));
  item.name = numbers.rest();
  return item;
}

std::optional<Error> decode_failure(std::string_view payload) {
  Numbers numbers(payload);
  const auto code = static_cast<ErrorCode>(numbers.take<std::uint8_t>());
  const std::string_view text = numbers.rest();
  const bool is_known =
      code == ErrorCode::invalid || code == ErrorCode::refused || code == ErrorCode::failed;
  const bool is_sentence = is_utf8(text) && !has_control_character(text);
  if (!numbers.is_good() || !is_known || !is_sentence || text.size() > kLongestReasonBytes) {
    return std::nullopt;
  }
  return Error{code, std::string(text)};
}

}  // namespace coffer::core
