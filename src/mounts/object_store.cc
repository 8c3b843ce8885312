#include "mounts/object_store.h"

#include <fmt/format.h>

#include <cstddef>
#include <cstdlib>
#include <fstream>
#include <span>
#include <stop_token>
#include <string>
#include <utility>

#include "backends/objects/s3/bucket_mark.h"
#include "backends/objects/s3/probe.h"
#include "backends/objects/s3/s3_blobs.h"
#include "backends/objects/s3/s3_client.h"
#include "backends/objects/s3/signing.h"
#include "base/log.h"
#include "base/random.h"
#include "storage/remote.h"

namespace coffer::mounts {
namespace {

using objects::s3::Credentials;

std::unexpected<Error> wrong(std::string message) {
  return fail(ErrorCode::invalid, std::move(message));
}

std::string variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

Result<Credentials> credentials_in(const std::filesystem::path& file) {
  Credentials credentials;
  std::ifstream in(file);
  std::getline(in, credentials.access_key);
  std::getline(in, credentials.secret_key);
  if (!credentials.access_key.empty() && !credentials.secret_key.empty()) return credentials;
  return wrong(
      fmt::format("The file {} of objects_credentials_file must have the id of the access "
                  "key on its first line and the secret key on its second.",
                  file.string()));
}

Result<Credentials> credentials_of(const ObjectStoreOptions& options) {
  if (!options.credentials_file.empty()) return credentials_in(options.credentials_file);
  Credentials credentials{variable("AWS_ACCESS_KEY_ID"), variable("AWS_SECRET_ACCESS_KEY"),
                          variable("AWS_SESSION_TOKEN")};
  if (!credentials.access_key.empty() && !credentials.secret_key.empty()) return credentials;
  return wrong(
      "The object store needs a key: set objects_credentials_file, or AWS_ACCESS_KEY_ID and "
      "AWS_SECRET_ACCESS_KEY in the environment.");
}

objects::s3::Attempt unknown(const Error& error) {
  return {.outcome = objects::s3::Outcome::foreign, .detail = error.message, .lack = error};
}

/// Finds out whose the bucket is.
objects::s3::Attempt admit(objects::s3::S3Client& client, const BucketClaim& claim) {
  const auto mark = claim.mark();
  if (!mark) return unknown(mark.error());
  if (mark->is_taken) return objects::s3::check_mark(client, mark->text);
  auto taken = objects::s3::take_bucket(client, mark->text);
  if (!taken.is_done()) return taken;
  const auto noted = claim.note_taken(*mark);
  return noted ? taken : unknown(noted.error());
}

Result<void> check(objects::s3::S3Client& client, objects::s3::S3Blobs& blobs) {
  const auto probe = objects::s3::probe(client);
  if (!probe.works && !probe.may_pass) return fail(ErrorCode::failed, probe.problem);
  if (!probe.problem.empty()) spdlog::warn("{}", probe.problem);
  if (!probe.works) return {};
  const auto admitted = blobs.admit();
  if (admitted.is_done()) return {};
  if (admitted.lack) return std::unexpected(*admitted.lack);
  const std::string problem =
      fmt::format("{} ({}; {})", explanation(admitted.outcome), client.place(), admitted.detail);
  if (repeat_after(admitted.outcome) == objects::s3::Repeat::never) {
    return fail(ErrorCode::failed, problem);
  }
  spdlog::warn("{}", problem);
  return {};
}

}  // namespace

Result<ObjectStore> open_object_store(const ObjectStoreOptions& options, BucketClaim claim) {
  if (options.endpoint.empty() || options.bucket.empty()) {
    return wrong("With home_store = \"objects\", objects_endpoint and objects_bucket must be set.");
  }
  objects::s3::S3Options of_client;
  of_client.endpoint = options.endpoint;
  of_client.bucket = options.bucket;
  of_client.region = options.region;
  of_client.style =
      options.path_style ? objects::s3::BucketStyle::path : objects::s3::BucketStyle::virtual_host;
  of_client.ca_file = storage::trusted_certificates().value_or("");
  TRY(of_client.credentials, credentials_of(options));
  std::stop_source ending;
  of_client.deadlines.ending = ending.get_token();
  auto client = objects::s3::S3Client::make(std::move(of_client));
  if (!client) return wrong("The object store: " + client.error().message);
  auto blobs = std::make_unique<objects::s3::S3Blobs>(
      *client, [claim = std::move(claim)](auto& of_bucket) { return admit(of_bucket, claim); });
  objects::s3::S3Blobs* const seen = blobs.get();
  return ObjectStore{std::move(blobs), [client = *client, seen] { return check(*client, *seen); },
                     [ending = std::move(ending)]() mutable { ending.request_stop(); }};
}

}  // namespace coffer::mounts
