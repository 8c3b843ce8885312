#include "mounts/object_store.h"

#include <fmt/format.h>

#include <cstddef>
#include <cstdlib>
#include <fstream>
#include <span>
#include <string>
#include <utility>

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

using Mark = std::optional<std::string>;

constexpr const char* kMarkKey = "coffer-mark";
constexpr std::size_t kMarkBytes = 32;

/// The bucket's mark; nullopt if it has none.
Result<Mark> mark_of(objects::s3::S3Client& client) {
  std::string text(kMarkBytes, '\0');
  const auto read = client.read(kMarkKey, 0, std::as_writable_bytes(std::span(text)));
  if (read.is_done()) return Mark(std::move(text));
  if (read.outcome == objects::s3::Outcome::missing) return Mark();
  return std::unexpected(error_of(read));
}

Result<Mark> put_mark(objects::s3::S3Client& client) {
  std::string text = random_hex(kMarkBytes / 2);
  const auto put =
      client.put(kMarkKey, std::as_bytes(std::span(text)), objects::s3::sha256_hex(text));
  if (put.is_done()) return Mark(std::move(text));
  return std::unexpected(error_of(put));
}

Result<Mark> check(objects::s3::S3Client& client, const Mark& mark) {
  const auto probe = objects::s3::probe(client);
  if (!probe.works && !probe.may_pass) return fail(ErrorCode::failed, probe.problem);
  if (!probe.problem.empty()) spdlog::warn("{}", probe.problem);
  if (!probe.works) return Mark();
  TRY(auto found, mark_of(client));
  if (!mark && !found) return put_mark(client);
  if (!mark || found == mark) return found;
  return fail(ErrorCode::failed,
              fmt::format("The bucket of {} is not the one of this catalog ({}): look at "
                          "objects_endpoint and objects_bucket.",
                          client.place(), found ? "it has another mark" : "it has no mark"));
}

}  // namespace

Result<ObjectStore> open_object_store(const ObjectStoreOptions& options) {
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
  auto client = objects::s3::S3Client::make(std::move(of_client));
  if (!client) return wrong("The object store: " + client.error().message);
  return ObjectStore{std::make_unique<objects::s3::S3Blobs>(*client),
                     [client = *client](const Mark& mark) { return check(*client, mark); }};
}

}  // namespace coffer::mounts
