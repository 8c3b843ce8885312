#include "mounts/object_store.h"

#include <fmt/format.h>

#include <cstdlib>
#include <fstream>
#include <string>
#include <utility>

#include "backends/objects/s3/probe.h"
#include "backends/objects/s3/s3_blobs.h"
#include "base/log.h"
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

Result<void> check(objects::s3::S3Client& client) {
  const auto probe = objects::s3::probe(client);
  if (!probe.works && !probe.may_pass) return fail(ErrorCode::failed, probe.problem);
  if (!probe.problem.empty()) spdlog::warn("{}", probe.problem);
  return {};
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
                     [client = *client] { return check(*client); }};
}

}  // namespace coffer::mounts
