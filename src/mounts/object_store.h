#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
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
  /// (`AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY`, `AWS_SESSION_TOKEN`).
  std::filesystem::path credentials_file;
};

/// A store that speaks S3.
struct ObjectStore {
  std::unique_ptr<objects::Blobs> blobs;
  /// Stores, reads and removes a small object, and looks at the bucket's mark, 32 hexadecimal
  /// digits: it must be `mark`, or, without one, is put there if there is none. Returns the mark;
  /// nullopt, with a warning in the log, if the store is away and may come back. `failed` if the
  /// store cannot be used, or has another mark or none, with a message that says what to look at.
  /// Blocks.
  std::function<Result<std::optional<std::string>>(const std::optional<std::string>& mark)> check;
};

/// Returns a client of the store, which connects when it is used. `invalid`, with a message for the
/// administrator, if the options are incomplete or the credentials cannot be read.
Result<ObjectStore> open_object_store(const ObjectStoreOptions& options);

}  // namespace coffer::mounts
