#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/uploads/upload.h"

namespace coffer::api {

/// Pieces of content that are smaller than this are collected and written together.
inline constexpr std::size_t kLeastWriteBytes = 64 * 1024;

inline Task<Result<void>> write_some(core::Upload& upload, std::span<const std::byte> data) {
  if (data.empty()) co_return Result<void>{};
  co_return co_await upload.write(data);
}

/// Writes the content of `source` into the upload's file. `source.read()` returns the next piece;
/// an empty piece means the end. Small pieces are collected, because each write may cost a thread
/// switch, a system call or a packet.
template <class Source>
Task<Result<void>> store_content(Source& source, core::Upload& upload) {
  std::vector<std::byte> collected;
  while (true) {
    CO_TRY(const auto data, co_await source.read());
    const bool is_large = data.size() >= kLeastWriteBytes;
    if (!is_large) collected.insert(collected.end(), data.begin(), data.end());
    if (is_large || data.empty() || collected.size() >= kLeastWriteBytes) {
      auto written = co_await write_some(upload, collected);
      if (written && is_large) written = co_await write_some(upload, data);
      if (!written || data.empty()) co_return written;
      collected.clear();
    }
  }
}

}  // namespace coffer::api
