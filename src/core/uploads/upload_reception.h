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

/// The length of a digest.
std::size_t digest_bytes(DigestKind kind);

/// Computes a digest of bytes that come in pieces. Not safe for concurrent calls.
class ContentDigest {
 public:
  explicit ContentDigest(DigestKind kind);
  ~ContentDigest();

  void add(std::span<const std::byte> data);
  /// Returns the digest. The last call.
  std::string finish();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

/// The body of one request.
class UploadSource {
 public:
  virtual ~UploadSource() = default;
  /// The next bytes, valid until the next call; empty at the end only.
  virtual Task<Result<std::span<const std::byte>>> read() = 0;
  /// The number of bytes, if it is known.
  virtual std::optional<std::uint64_t> length() const = 0;
  /// Makes a waiting read and all later ones fail. Called on the thread that reads.
  virtual void interrupt() = 0;
};

/// The reason for refusing a request, if it is not an error.
enum class UploadRefusal : std::uint8_t {
  none,
  busy,      ///< Another request works on the upload.
  gone,      ///< The upload expired, or its bytes are lost.
  differs,   ///< The bytes do not match the checksum.
  too_long,  ///< There are more bytes than the upload has left.
};

struct WantedChecksum {
  DigestKind kind = DigestKind::sha256;
  std::string bytes;
};

/// Receives the bytes of one request into an upload's spool file. Used once.
class UploadReception {
 public:
  /// `file` holds the bytes received before. The references must outlive it.
  UploadReception(catalog::Uploads& uploads, const catalog::UploadRecord& upload,
                  storage::SpoolFile& file, std::optional<WantedChecksum> checksum, Pool& pool);

  /// Receives the whole request. Whatever it returns, the received bytes are on the disk and
  /// recorded then; with a checksum all of them or none. The last byte of the upload is recorded
  /// only when the upload is finished.
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
