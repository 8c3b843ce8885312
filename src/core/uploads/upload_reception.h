#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
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

std::size_t digest_bytes(DigestKind kind);

/// Computes a digest of bytes that are added in pieces. Not safe for concurrent calls.
class ContentDigest {
 public:
  explicit ContentDigest(DigestKind kind);
  ~ContentDigest();

  void add(std::span<const std::byte> data);
  /// Returns the digest as bytes. This must be the last call.
  std::string finish();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

/// The body of one upload request.
class UploadSource {
 public:
  virtual ~UploadSource() = default;
  /// Returns the next bytes of the body, valid until the next call. An empty span means the end.
  virtual Task<Result<std::span<const std::byte>>> read() = 0;
  /// Returns the number of bytes in the body, if it is known.
  virtual std::optional<std::uint64_t> length() const = 0;
  /// Makes a waiting `read` and every later `read` fail. Call it on the thread that reads.
  virtual void interrupt() = 0;
};

/// The reason why an upload request was refused. Other failures are reported as an Error.
enum class UploadRefusal : std::uint8_t {
  none,
  busy,      ///< Another request still works on the upload.
  gone,      ///< The upload expired, or its bytes are lost.
  differs,   ///< The bytes do not match the checksum.
  too_long,  ///< The request has more bytes than the upload still needs.
};

/// The checksum that the body of a request must have.
struct WantedChecksum {
  DigestKind kind = DigestKind::sha256;
  std::string bytes;  ///< The digest as bytes, not as text.
};

/// Receives the bytes of one request into an upload's spool file. Call `receive` only once.
class UploadReception {
 public:
  /// Makes the upload hold what `bytes` bytes in its file need (see Uploads::hold).
  using Hold = std::function<Task<Result<void>>(std::uint64_t bytes)>;

  /// `file` contains the bytes of earlier requests. No byte is stored before `hold` has allowed it;
  /// an empty `hold` allows all. All references must outlive the reception.
  UploadReception(catalog::Uploads& uploads, const catalog::UploadRecord& upload,
                  storage::SpoolFile& file, std::optional<WantedChecksum> checksum, Pool& pool,
                  Hold hold = {});

  /// Receives the body of the request, writes its bytes to the disk and records their number in the
  /// catalog. The last byte of the upload is recorded only when the file is published. If the
  /// request breaks off or is refused, `checksum` determines which bytes are kept:
  /// - Without a checksum, the bytes received so far are kept and recorded.
  /// - With a checksum, no byte of the request is kept.
  Task<Result<UploadRefusal>> receive(UploadSource& source);
  bool is_complete() const { return file_.size_bytes() == upload_.length_bytes; }

 private:
  Task<Result<UploadRefusal>> collect(UploadSource& source);
  Task<Result<void>> store(std::span<const std::byte> bytes);
  Task<Result<void>> hold_for(std::uint64_t bytes);
  Task<Result<void>> hold_exactly(std::uint64_t bytes);
  Task<Result<void>> report();
  Task<Result<UploadRefusal>> keep(Result<UploadRefusal> end);
  Task<Result<UploadRefusal>> keep_checked(Result<UploadRefusal> end);
  std::uint64_t countable_bytes() const;

  catalog::Uploads& uploads_;
  const catalog::UploadRecord& upload_;
  storage::SpoolFile& file_;
  const std::optional<WantedChecksum> checksum_;
  Pool& pool_;
  const Hold hold_;
  std::uint64_t held_bytes_;
  std::optional<ContentDigest> digest_;
  std::vector<std::byte> collected_;
  std::uint64_t reported_bytes_;
};

}  // namespace coffer::core
