#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "async/task.h"
#include "base/error.h"
#include "http/part_head.h"
#include "http/request.h"

namespace coffer::http {

/// Reads a multipart/form-data body part by part as it streams in, in constant memory, wherever
/// the network has cut it.
class MultipartReader {
 public:
  /// The boundary of a Content-Type header; `invalid` when it is not multipart/form-data or its
  /// boundary is missing or not 1 to 70 characters of RFC 2046.
  static Result<std::string> boundary_of(std::string_view content_type);

  MultipartReader(Body& body, std::string boundary);
  ~MultipartReader();

  /// The next part's head, skipping what is left of the part before; nothing after the closing
  /// boundary (the epilogue is read and dropped). `invalid` for a malformed body, a part without a
  /// form-data disposition, part headers over 16 KiB, or a body that ends early.
  Task<Result<std::optional<PartHead>>> next_part();
  /// The next bytes of the current part, valid until the next call; empty at its end only.
  Task<Result<std::span<const std::byte>>> read();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace coffer::http
