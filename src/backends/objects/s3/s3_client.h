#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "backends/objects/s3/http_handles.h"
#include "backends/objects/s3/outcome.h"
#include "backends/objects/s3/s3_options.h"
#include "base/error.h"

namespace coffer::objects::s3 {

/// The requests to one bucket, each sent once and signed by AWS Signature Version 4. Methods block.
/// Keys are those of the bucket, without S3Options::prefix. Safe from any thread.
///
/// If the store refuses a request since the clocks differ, the client goes by the store's clock
/// from then on, and sends the request once more.
class S3Client {
 public:
  /// Connects to nothing. `invalid` if the options are wrong, with a message that says which one.
  static Result<std::shared_ptr<S3Client>> make(S3Options options);

  /// Stores the bytes under the key (PutObject). The store checks the SHA-256, given in lower-case
  /// hexadecimal digits: other bytes are `damaged`.
  Attempt put(std::string_view key, std::span<const std::byte> bytes, const std::string& sha256);
  /// Stores the bytes as `put` does, but only if the bucket has no such object (`If-None-Match`):
  /// `taken` if it has, or may get it from another request that is under way. A store that does not
  /// know the condition may ignore it, or answer `unknown`.
  Attempt put_new(std::string_view key, std::span<const std::byte> bytes,
                  const std::string& sha256);
  /// Reads exactly `out.size()` bytes, at least one, from `offset` (GetObject).
  Attempt read(std::string_view key, std::uint64_t offset, std::span<std::byte> out);
  /// Removes an object (DeleteObject). `done` if it was missing.
  Attempt remove(std::string_view key);
  /// Removes objects, at most 1,000 (DeleteObjects). `done` if they are gone or were missing; else
  /// the outcome of the first one that was not removed. Attempt::refused are those that were not;
  /// if it is empty, any may be gone.
  Attempt remove(std::span<const std::string> keys);

  /// Finds the first key behind `after` in the order of their bytes (ListObjectsV2); nullopt if
  /// there is none.
  Attempt find_key(std::string_view after, std::optional<std::string>& key);

  /// The store's clock minus this machine's; zero as long as the store takes this machine's.
  std::chrono::seconds clock_offset() const { return std::chrono::seconds(clock_offset_); }
  /// Endpoint and bucket, for the log.
  std::string place() const;
  const S3Options& options() const { return options_; }

 private:
  /// The parts of the endpoint.
  struct Address {
    std::string scheme;
    std::string authority;  ///< Host, and port unless it is the scheme's.
  };
  struct Request {
    std::string method;
    std::string path;  ///< Not percent-encoded.
    Fields query = {};
    Fields headers = {};
    std::string payload_hash;
    std::span<const std::byte> body = {};
    std::span<std::byte> out = {};
    std::chrono::milliseconds more_time = {};  ///< What it may take besides.
  };

  S3Client(S3Options options, Address address);
  static Result<Address> address_of(const S3Options& options);
  Request put_request(std::string_view key, std::span<const std::byte> bytes,
                      const std::string& sha256) const;
  std::string full_key(std::string_view key) const;
  std::string path_of(std::string_view key) const;
  std::string bucket_path() const;
  std::string host() const;
  HttpRequest signed_request(const Request& request) const;
  /// `judge` makes an Attempt of an answer that tells of no clock.
  template <class Judge>
  Attempt send(const Request& request, Judge judge);
  bool learn_clock(const HttpAnswer& answer);
  std::chrono::seconds retry_after(const HttpAnswer& answer) const;
  Attempt attempt_of(const HttpAnswer& answer) const;
  Attempt read_outcome(const HttpAnswer& answer, std::uint64_t offset, std::uint64_t size) const;
  Attempt removal_outcome(const HttpAnswer& answer, std::span<const std::string> keys) const;

  const S3Options options_;
  const Address address_;
  HttpHandles handles_;
  std::atomic<std::int64_t> clock_offset_ = 0;  ///< In seconds.
};

}  // namespace coffer::objects::s3
