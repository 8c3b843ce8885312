#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "backends/objects/blobs.h"
#include "base/error.h"

namespace coffer::mounts {

/// Where the objects of own files are, and how to get there.
struct ObjectStoreOptions {
  std::string endpoint;  ///< The address of the service, such as `https://s3.example.org`.
  std::string bucket;
  std::string region;
  bool path_style = true;  ///< The bucket is named in the path, and not in the name of the host.
  /// Two lines: the id of the access key and the secret key. Empty: from the environment
  /// (`AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY`).
  std::filesystem::path credentials_file;
};

/// Returns a client of the store, which connects when it is used. `invalid`, with a message for the
/// administrator, if the options are incomplete or the credentials cannot be read.
Result<std::unique_ptr<objects::Blobs>> open_object_store(const ObjectStoreOptions& options);

}  // namespace coffer::mounts
