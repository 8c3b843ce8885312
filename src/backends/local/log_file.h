#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "backends/local/handle.h"

namespace coffer::local {

/// One step of a log: what is in it is there wholly or not at all after a crash.
struct LogFrame {
  std::uint64_t sequence = 0;  ///< Grows from frame to frame.
  std::vector<std::byte> payload;
};

/// What a log file held.
struct LogContent {
  std::string boot;  ///< The run of the machine that wrote it.
  int version = 0;   ///< Of its records' form.
  std::vector<LogFrame> frames;
};

/// A file of frames, each synced before the next is written. Its head holds a random key; a frame
/// counts if its SipHash under the key fits, so a new key makes all that was in the file void, and
/// the file's blocks are used again. Not safe for concurrent calls; all block.
class LogFile {
 public:
  /// A payload is given with this much room in front of it.
  static constexpr std::size_t kFrameHeadBytes = 24;
  static constexpr std::string_view kBootMark = "boot=";

  /// Makes the file, which must not exist; the errno otherwise. `boot` has at most 64 characters.
  static std::expected<std::unique_ptr<LogFile>, int> create(int folder, const char* name,
                                                             std::string_view boot);
  /// Nothing but the boot where the file is no log or its head was never written.
  static std::expected<LogContent, int> read(int folder, const char* name);

  /// The errno, or 0 when the frame is on the disk. After an error the next frame takes the same
  /// place. Fills in the frame's head, and fills it up to a whole block.
  int append(std::uint64_t sequence, std::vector<std::byte>& frame);
  /// Makes void all that was appended; the errno, or 0.
  int clear();
  /// How far it is filled.
  std::uint64_t used_bytes() const { return end_; }
  bool is_empty() const;

 private:
  LogFile(Handle file, std::string_view boot) : file_(std::move(file)), boot_(boot) {}
  int write_head();
  int write_at(std::uint64_t offset, std::span<const std::byte> bytes);
  int grow(std::uint64_t used_bytes);

  Handle file_;
  std::string boot_;
  std::array<unsigned char, 16> key_{};
  std::uint64_t end_ = 0;
  std::uint64_t size_ = 0;  ///< Of the file; what lies beyond the end is void.
};

}  // namespace coffer::local
