#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/character_set.h"
#include "base/error.h"
#include "core/archive/archive_host.h"
#include "core/archive/packed_item.h"

namespace coffer::core {

// The protocol between the server and the process that unpacks an archive for it. Each message is a
// frame: a head and a payload. Both sides run on this machine, so numbers have its byte order. The
// server does not trust the frames of the process: a malicious archive may control the process.

enum class FrameKind : char {
  // From the server.
  start = 's',     ///< The first frame (StartFrame).
  bytes = 'a',     ///< The answer to `read`: the bytes of the archive.
  no_bytes = 'n',  ///< The answer to `read`: the archive cannot be read.
  take = 't',      ///< The process must send the content of the item.
  pass = 'p',      ///< The process must skip the content of the item.
  // From the process.
  read = 'r',        ///< The process needs bytes of the archive (ReadFrame).
  item = 'i',        ///< The next item (PackedItem). The server answers with `take` or `pass`.
  content = 'c',     ///< A part of the item's content.
  item_end = 'e',    ///< The content of the item is complete.
  item_break = 'b',  ///< The item cannot be read to its end. The payload is an Error.
  failure = 'f',     ///< The archive cannot be read further. The payload is an Error.
  end = 'z',         ///< There are no more items.
};

struct FrameHead {
  FrameKind kind = FrameKind::end;
  std::uint32_t size_bytes = 0;  ///< The size of the payload, which follows the head.
};
inline constexpr std::size_t kFrameHeadBytes = 5;
/// The largest size of a payload.
inline constexpr std::uint32_t kMostFrameBytes = 64 * 1024;

void append_head(std::string& out, FrameHead head);
/// Decodes the head at the start of `bytes`, which must have at least kFrameHeadBytes bytes.
FrameHead head_of(std::string_view bytes);
void append_frame(std::string& out, FrameKind kind, std::string_view payload);

struct StartFrame {
  std::uint64_t size_bytes = 0;  ///< The size of the archive.
  ArchiveBounds bounds;
  std::optional<CharacterSet> names = {};  ///< Of names that are not UTF-8.
};
std::string encode(const StartFrame& frame);

struct ReadFrame {
  std::uint64_t offset = 0;
  std::uint32_t size_bytes = 0;
};
std::string encode(const ReadFrame& frame);
std::string encode(const PackedItem& item);
/// The code of the error must be `invalid`, `refused` or `failed`.
std::string encode(const Error& error);

// Each of these functions decodes a payload. It returns nullopt if the payload is malformed.
std::optional<StartFrame> decode_start(std::string_view payload);
std::optional<ReadFrame> decode_read(std::string_view payload);
std::optional<PackedItem> decode_item(std::string_view payload);
std::optional<Error> decode_failure(std::string_view payload);

}  // namespace coffer::core
