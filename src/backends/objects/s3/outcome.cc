#include "backends/objects/s3/outcome.h"

#include <algorithm>
#include <array>
#include <utility>

namespace coffer::objects::s3 {
namespace {

struct Meaning {
  Repeat repeat;
  ErrorCode code;
  const char* message;  ///< For clients.
  const char* explanation;
};

/// In the order of Outcome.
constexpr std::array<Meaning, kOutcomes> kMeanings{{
    {Repeat::never, ErrorCode::failed, "", "It works."},
    {Repeat::for_a_time, ErrorCode::unready, "The object store cannot be reached.",
     "The object store cannot be reached: look at the endpoint's name and port, and whether the "
     "store runs."},
    {Repeat::for_a_time, ErrorCode::unready, "The object store cannot be reached.",
     "No TLS connection to the object store comes about: look at whether the endpoint speaks "
     "https."},
    {Repeat::for_a_time, ErrorCode::unready, "The object store does not answer in time.",
     "The object store does not answer in time: look at its load, and at the network."},
    {Repeat::for_a_time, ErrorCode::unready, "The connection to the object store broke.",
     "The connection to the object store breaks: look at the store's log, and at the network."},
    {Repeat::for_a_time, ErrorCode::unready, "The object store is busy.",
     "The object store refuses for the moment: look at its load and its log."},
    {Repeat::briefly, ErrorCode::failed, "The object store's answer is damaged.",
     "The answer is not one of an S3 store, or bytes are damaged on their way: look at the "
     "endpoint, and at proxies before it."},
    {Repeat::never, ErrorCode::failed, "The object store refuses this server's clock.",
     "The object store refuses the time of the request: look at this machine's clock."},
    {Repeat::never, ErrorCode::failed, "Contents are missing in the object store.",
     "An object is missing in the bucket: look at who else removes objects from it, and whether "
     "it is an older copy."},
    {Repeat::never, ErrorCode::failed, "Contents in the object store are damaged.",
     "An object in the bucket is shorter than it was written."},
    {Repeat::never, ErrorCode::failed, "The object store does not send parts of objects.",
     "The object store ignores Range and sends whole objects: look at proxies before it; a store "
     "without ranges cannot be used."},
    {Repeat::never, ErrorCode::failed, "The object store refuses this server.",
     "The object store refuses the key: look at access key, secret key, their rights in the "
     "bucket, and the region."},
    {Repeat::never, ErrorCode::failed, "The object store refuses this server.",
     "The bucket is missing: look at its name, the endpoint and the region, or make the bucket."},
    {Repeat::never, ErrorCode::failed, "The object store refuses this server.",
     "The bucket is elsewhere: look at the endpoint and the region."},
    {Repeat::never, ErrorCode::failed, "The object store's certificate is not trusted.",
     "The certificate of the object store is not trusted: look at the endpoint's name, the "
     "certificate's date, and the file of certificates to trust."},
    {Repeat::never, ErrorCode::failed, "The certificates to trust cannot be read.",
     "The file of certificates to trust cannot be read."},
    {Repeat::never, ErrorCode::disk_full, "The object store is full.",
     "The object store has no space left, or the bucket's quota is reached."},
    {Repeat::never, ErrorCode::failed, "The object store refused the request.",
     "The object store refuses the request: look at the endpoint, and at the store's log."},
    {Repeat::never, ErrorCode::failed, "The object store refused the request.",
     "An object of that name is in the bucket already."},
    {Repeat::never, ErrorCode::failed, "The object store refused the request.",
     "The object store does not know the request: look at whether it speaks S3."},
    {Repeat::never, ErrorCode::unready, "The object store is not known to be the right one.",
     "The bucket is not known to be that of this catalog."},
    {Repeat::never, ErrorCode::overloaded, "", "This machine has no file descriptor left."},
    {Repeat::never, ErrorCode::unready, "This server is shutting down.",
     "This server is shutting down."},
}};

struct Code {
  std::string_view code;
  Outcome outcome;
};

std::optional<Outcome> outcome_of_code(std::string_view code) {
  using enum Outcome;
  static constexpr Code kCodes[] = {
      {"NoSuchKey", missing},
      {"NoSuchBucket", no_bucket},
      {"InvalidRange", too_short},
      {"RequestTimeTooSkewed", skewed},
      {"AccessDenied", key_refused},
      {"AllAccessDisabled", key_refused},
      {"ExpiredToken", key_refused},
      {"InvalidAccessKeyId", key_refused},
      {"InvalidToken", key_refused},
      {"SignatureDoesNotMatch", key_refused},
      {"UserSuspended", key_refused},
      {"XAdminUserNotFound", key_refused},  // Versity, with 404.
      {"AuthorizationHeaderMalformed", elsewhere},
      {"IllegalLocationConstraintException", elsewhere},
      {"PermanentRedirect", elsewhere},
      {"TemporaryRedirect", elsewhere},
      {"PreconditionFailed", taken},
      {"ConditionalRequestConflict", taken},
      {"NotImplemented", unknown},
      {"BadDigest", damaged},
      {"XAmzContentSHA256Mismatch", damaged},
      {"IncompleteBody", busy},
      {"InternalError", busy},
      {"OperationAborted", busy},
      {"RequestTimeout", busy},
      {"ServiceUnavailable", busy},
      {"SlowDown", busy},
      {"SlowDownRead", busy},
      {"SlowDownWrite", busy},
      {"Throttling", busy},
      {"TooManyRequests", busy},
      {"InsufficientStorage", full},
      {"QuotaExceeded", full},
      {"XMinioAdminBucketQuotaExceeded", full},
      {"XMinioStorageFull", full},
  };
  const auto* const known = std::ranges::find(kCodes, code, &Code::code);
  if (known == std::end(kCodes)) return std::nullopt;
  return known->outcome;
}

const Meaning& meaning_of(Outcome outcome) {
  return kMeanings.at(static_cast<std::size_t>(outcome));
}

Outcome outcome_of_status(long status) {
  using enum Outcome;
  switch (status) {
    case 401:
    case 403:
      return key_refused;
    case 408:
    case 429:
    case 500:
    case 502:
    case 503:
    case 504:
      return busy;
    case 412:
      return taken;
    case 501:
      return unknown;
    case 416:
      return too_short;
    case 507:
      return full;
    default:
      break;
  }
  if (status == 200 || status == 204) return done;
  if (status >= 200 && status < 300) return damaged;  // S3 has no others.
  return status >= 300 && status < 400 ? elsewhere : refused;
}

}  // namespace

Repeat repeat_after(Outcome outcome) {
  return meaning_of(outcome).repeat;
}

std::string_view explanation(Outcome outcome) {
  return meaning_of(outcome).explanation;
}

Outcome outcome_of(long status, std::string_view code) {
  return outcome_of_code(code).value_or(outcome_of_status(status));
}

Error error_of(const Attempt& attempt) {
  if (attempt.lack) return *attempt.lack;
  const Meaning& meaning = meaning_of(attempt.outcome);
  Error error{meaning.code, meaning.message};
  if (error.code == ErrorCode::unready) {
    error.retry_after = std::max(attempt.retry_after, std::chrono::seconds(1));
  }
  return error;
}

}  // namespace coffer::objects::s3
