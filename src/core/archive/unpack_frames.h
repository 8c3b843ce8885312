#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"
#include "core/archive/archive_reader.h"
#include "core/archive/packed_item.h"

namespace coffer::core {

// The protocol between a server and the process that unpacks an archive for it. Both are one
// program, so numbers are in this machine's format; but the process's frames may be an attacker's.

/// The type of a frame.
enum class FrameKind : char {
  // From the server.
  start = 's',  ///< StartFrame.
  bytes = 'a',  ///< A part of the archive.
  no_bytes = 'n',
  take = 't',  ///< The item's content is wanted.
  pass = 'p',  ///< The item's content is not wanted.
  // From the process.
  read = 'r',  ///< ReadFrame.
  item = 'i',
  content = 'c',
  item_end = 'e',
  item_break = 'b',  ///< With the reason.
  failure = 'f',
  end = 'z',
};

struct FrameHead {
  FrameKind kind = FrameKind::end;
  std::uint32_t size_bytes = 0;  ///< Of the payload, which follows.
};
inline constexpr std::size_t kFrameHeadBytes = 5;
/// The limit of a payload.
inline constexpr std::uint32_t kMostFrameBytes = 64 * 1024;

void append_head(std::string& out, FrameHead head);
/// Reads a head of kFrameHeadBytes bytes.
FrameHead head_of(std::string_view bytes);
void append_frame(std::string& out, FrameKind kind, std::string_view payload);

struct StartFrame {
  std::uint64_t size_bytes = 0;  ///< Of the archive.
  ArchiveBounds bounds;
};
std::string encode(const StartFrame& frame);

struct ReadFrame {
  std::uint64_t offset = 0;
  std::uint32_t size_bytes = 0;
};
std::string encode(const ReadFrame& frame);
std::string encode(const PackedItem& item);
/// The code is `invalid`, `refused` or `failed`.
std::string encode(const Error& error);

/// Each returns nullopt for a malformed payload.
std::optional<StartFrame> decode_start(std::string_view payload);
std::optional<ReadFrame> decode_read(std::string_view payload);
std::optional<PackedItem> decode_item(std::string_view payload);
std::optional<Error> decode_failure(std::string_view payload);

}  // namespace coffer::core
