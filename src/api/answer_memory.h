#pragma once

#include <cstdint>

#include "async/memory_room.h"
#include "base/error.h"
#include "http/message.h"

namespace coffer::api {

/// Answers of at most this size are not counted: each connection may cost so much.
inline constexpr std::uint64_t kSmallAnswerBytes = 16 * 1024;

/// Reserves memory for the body until the response has been sent. Does nothing if the body is not a
/// string, or is small. Returns the error of `Hold::grow`.
Result<void> hold_text(const MemoryRoom& room, MemoryHolder holder, http::Response& response);

/// Reserves memory for the buffers through which a file without a descriptor is sent, until the
/// response has been sent. Does nothing if the file has a descriptor, or the body is small. Returns
/// the error of `Hold::grow`.
Result<void> hold_buffers(const MemoryRoom& room, MemoryHolder holder, http::Response& response);

/// Keeps the hold until the response has been sent.
void keep_until_sent(MemoryRoom::Hold hold, http::Response& response);

}  // namespace coffer::api
