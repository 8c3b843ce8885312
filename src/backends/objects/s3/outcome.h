#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace coffer::objects::s3 {

/// What came of one request to the store.
enum class Outcome : std::uint8_t {
  done,
  // A later attempt may succeed:
  unreachable,
  no_tls,
  timed_out,
  cut,      ///< The connection broke. The request may have been carried out.
  busy,     ///< The store, or a proxy before it, refuses for the moment.
  damaged,  ///< The answer makes no sense, or the store received other bytes than were sent.
  // It will not, unless something else changes:
  skewed,       ///< The clocks differ too much, and the store did not tell its time.
  missing,      ///< No such object.
  too_short,    ///< The object ends before the bytes that were asked for.
  no_ranges,    ///< A part was asked for, and all came.
  key_refused,  ///< Access key, secret key, or a right of theirs.
  no_bucket,
  elsewhere,  ///< A redirect: another endpoint or region.
  untrusted,  ///< The certificate.
  bad_ca_file,
  full,
  refused,  ///< Anything else.
  taken,    ///< An object is there, where none was to be, or another request stores it now.
  unknown,  ///< The store does not know such requests.
  foreign,  ///< The bucket is not known to be the right one (BucketMark).
  lack,     ///< This machine has no descriptor left.
  ending,   ///< This program is shutting down.
};
inline constexpr std::size_t kOutcomes = static_cast<std::size_t>(Outcome::ending) + 1;

/// How often a request is sent again after an outcome.
enum class Repeat : std::uint8_t {
  never,
  briefly,  ///< A few times: it may be an accident, but hardly passes by waiting.
  for_a_time,
};

Repeat repeat_after(Outcome outcome);

/// Returns a whole sentence for the log and for who set the store up: what is wrong, and what to
/// look at. Names no secret.
std::string_view explanation(Outcome outcome);

/// Returns the outcome that an answer tells of: by the error's code (section "List of error codes"
/// of S3's API reference, and those of Ceph and others), else by the status. `code` is empty if the
/// answer had none.
Outcome outcome_of(long status, std::string_view code);

/// One request, and what came of it.
struct Attempt {
  Outcome outcome = Outcome::done;
  std::string detail = {};              ///< For the log: status, code, object. No secrets.
  std::chrono::seconds retry_after{0};  ///< As the store told; 0 if it did not.
  std::optional<Error> lack = {};       ///< Set for Outcome::lack.
  /// Set for a removal of several objects that the store carried out but for these keys.
  std::vector<std::string> refused = {};

  bool is_done() const { return outcome == Outcome::done; }
};

/// Returns the error for the caller of Blobs; `attempt` is not done. Error::retry_after is set for
/// `unready`.
Error error_of(const Attempt& attempt);

}  // namespace coffer::objects::s3
