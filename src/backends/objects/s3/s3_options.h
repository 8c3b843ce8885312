#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

#include "backends/objects/s3/signing.h"
#include "base/clock.h"
#include "storage/remote.h"

namespace coffer::objects::s3 {

/// How requests name the bucket.
enum class BucketStyle : std::uint8_t {
  path,          ///< https://endpoint/bucket/key, which every store takes that is not Amazon's.
  virtual_host,  ///< https://bucket.endpoint/key, which needs such names in DNS.
};

/// The bucket that objects are kept in, and limits. Never log it: it holds secrets.
struct S3Options {
  /// `http://host`, `https://host` or either with a port; nothing else.
  std::string endpoint = {};
  std::string region = "us-east-1";
  /// It must not keep versions, or removed objects go on taking space.
  std::string bucket = {};
  BucketStyle style = BucketStyle::path;
  /// Stands before every key, followed by a slash; empty for none. For buckets that hold more.
  std::string prefix = {};
  Credentials credentials = {};
  std::string ca_file = {};  ///< A PEM file of trusted certificates; the system's if empty.
  /// Only these are used: `connect`; `reply`, for a request without what its contents add; `stall`,
  /// between bytes of contents; and `ending`.
  storage::Deadlines deadlines = {.connect = std::chrono::seconds(3),
                                  .reply = std::chrono::seconds(10),
                                  .stall = std::chrono::seconds(5)};
  /// The deadline of a request grows by a second for so many bytes of contents.
  std::uint64_t slowest_bytes_per_s = 256 * 1024;
  /// No attempt at a request begins later than this after the first one.
  std::chrono::milliseconds repeat_for = std::chrono::seconds(4);
  /// The maximum number of connections, each of which has a thread; at least one.
  std::size_t connections = 16;
  /// The time of this machine; tests give another.
  std::function<Timestamp()> now = &coffer::now;
};

}  // namespace coffer::objects::s3
