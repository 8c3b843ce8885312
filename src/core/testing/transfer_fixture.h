#pragma once

#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "async/run.h"
#include "core/testing/hooked_backend.h"
#include "core/transfer/transfer.h"
#include "storage/testing/memory_backend.h"

namespace coffer::core {

/// What a backend holds: paths, folders with a slash, to contents.
using Contents = std::map<std::string, std::string>;

Path path_of(std::string_view text);
void put(storage::Backend& backend, std::string_view path, std::string_view content,
         std::optional<Timestamp> modified_at = std::nullopt);
void put_folder(storage::Backend& backend, std::string_view path);
void erase(storage::Backend& backend, std::string_view path);
Contents contents_of(storage::Backend& backend);
/// Bytes without a period, so that a block in the wrong place shows.
std::string noise(std::size_t bytes);
Task<Result<void>> done_with(Result<void> result);
/// The code that a result failed with, or nothing.
template <class T>
std::optional<ErrorCode> code_of(const Result<T>& result) {
  if (result) return std::nullopt;
  return result.error().code;
}

/// Two backends in memory with hooks in front.
class TransferTest : public testing::Test {
 protected:
  Result<storage::TreeSize> copy(std::string_view from, std::string_view to);
  Result<storage::TreeSize> move(std::string_view from, std::string_view to);

  storage::MemoryBackend source_;
  storage::MemoryBackend target_;
  HookedBackend from_{source_};
  HookedBackend to_{target_};
  TransferOptions options_;
  TransferProgress progress_;
};

}  // namespace coffer::core
