#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "api/services.h"
#include "core/files/files.h"
#include "http/message.h"
#include "http/serve_content.h"

namespace coffer::api {

/// Returns a strong ETag (RFC 9110) made of the file's size, modification time and, on local disks,
/// inode number. The ETag thus changes when the file is written to or replaced.
std::string etag_of(const storage::FileVersion& version);

/// Returns the ContentInfo of the file for a download with `Content-Disposition: attachment`.
http::ContentInfo info_of(const storage::Entry& entry);

/// An open file as the body of a response. `prefetch` fills the page cache on a thread of `pool`.
class FileContent final : public http::Content {
 public:
  FileContent(core::OpenFile file, Pool& pool) : file_(std::move(file)), pool_(pool) {}

  const storage::Entry& entry() const { return file_.reader->entry(); }
  Task<Result<std::size_t>> read(std::uint64_t offset, std::span<std::byte> out) override;
  std::optional<std::size_t> read_now(std::uint64_t offset, std::span<std::byte> out) override;
  std::span<const std::byte> view(std::uint64_t offset) override {
    return file_.reader->view(offset);
  }
  std::optional<int> descriptor() const override { return file_.reader->descriptor(); }
  Task<void> prefetch(std::uint64_t offset, std::uint64_t length) override;
  /// Asks OpenFile::still_allowed, every two seconds at most.
  Task<Result<void>> may_go_on() override;

 private:
  core::OpenFile file_;
  Pool& pool_;
  core::RecheckTimer timer_;
};

}  // namespace coffer::api
