#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace coffer::http {

/// Follows the frames that a client sends (RFC 9113, section 4.1), to tell whether one with a part
/// of a head, or a head, is incomplete.
class H2FrameScanner {
 public:
  /// Must be called with all bytes of the client, in any pieces.
  void scan(std::string_view bytes);
  /// Returns true if the head of a request has begun and not ended.
  bool is_in_head() const { return is_in_head_; }
  /// Returns how many heads have ended.
  std::uint64_t heads_ended() const { return heads_ended_; }

 private:
  void begin_frame();

  std::size_t left_ = 24;  ///< Of the frame; at first of the connection's preface.
  std::array<unsigned char, 9> header_{};
  std::size_t header_bytes_ = 0;
  bool ends_head_ = true;
  bool is_in_head_ = false;
  std::uint64_t heads_ended_ = 0;
};

}  // namespace coffer::http
