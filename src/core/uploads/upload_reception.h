#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "async/pool.h"
#include "async/task.h"
#include "base/error.h"
#include "catalog/uploads.h"
#include "storage/spool.h"

namespace coffer::core {

enum class DigestKind : std::uint8_t { sha1, sha256 };

/// How many bytes such a digest has.
std::size_t digest_bytes(DigestKind kind);

/// The digest of bytes that come in pieces. Not safe for concurrent calls.
class ContentDigest {
 public:
  explicit ContentDigest(DigestKind kind);
  ~ContentDigest();

  void add(std::span<const std::byte> data);
  /// Of all that was added. Last.
  std::string finish();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

/// Where the bytes of one request come from.
class UploadSource {
 public:
  virtual ~UploadSource() = default;
  /// The next bytes, valid until the next call; empty at the end only.
  virtual Task<Result<std::span<const std::byte>>> read() = 0;
  /// How many there are, where that is known.
  virtual std::optional<std::uint64_t> length() const = 0;
  /// Makes a read that waits fail, and all that follow. On the thread that reads.
  virtual void interrupt() = 0;
};

/// Why a request with bytes was not taken, where it is no failure.
enum class UploadRefusal : std::uint8_t {
  none,
  busy,      ///< Another request is at work on the upload.
  gone,      ///< It was not touched for too long, or its bytes are lost.
  differs,   ///< The bytes are not those of the checksum.
  too_long,  ///< There are more than the upload has left.
};

struct WantedChecksum {
  DigestKind kind = DigestKind::sha256;
  std::string bytes;
};

/// The bytes of one request on their way into an upload's spool file. Used once.
class UploadReception {
 public:
  /// The file has what was received before. The arguments outlive it.
  UploadReception(catalog::Uploads& uploads, const catalog::UploadRecord& upload,
                  storage::SpoolFile& file, std::optional<WantedChecksum> checksum, Pool& pool);

  /// Takes all that comes. What counts is on the disk and noted when it returns, whatever it
  /// returns; of a request with a checksum that is all or nothing. But for the last byte, which is
  /// noted when the upload is finished.
  Task<Result<UploadRefusal>> receive(UploadSource& source);
  bool is_complete() const { return file_.size_bytes() == upload_.length_bytes; }

 private:
  Task<Result<UploadRefusal>> collect(UploadSource& source);
  Task<Result<void>> store();
  Task<Result<void>> report();
  Task<Result<UploadRefusal>> keep(Result<UploadRefusal> end);
  Task<Result<UploadRefusal>> keep_checked(Result<UploadRefusal> end);
  std::uint64_t countable_bytes() const;

  catalog::Uploads& uploads_;
  const catalog::UploadRecord& upload_;
  storage::SpoolFile& file_;
  const std::optional<WantedChecksum> checksum_;
  Pool& pool_;
  std::optional<ContentDigest> digest_;
  std::vector<std::byte> collected_;
  std::uint64_t reported_bytes_;
};

}  // namespace coffer::core
