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

/// What a catalog knows of its bucket. Calls block, and come from any thread.
struct BucketClaim {
  /// The mark that the bucket must have, 32 hexadecimal digits.
  struct Mark {
    std::string text;
    bool is_taken;  ///< If not, a bucket that has none and is empty may be given it.
  };
  std::function<Result<Mark>()> mark;
  std::function<Result<void>(const Mark&)> note_taken;
};

/// A store that speaks S3.
struct ObjectStore {
  /// Its calls fail with `unready` as long as the bucket is not known to be that of the claim.
  std::unique_ptr<objects::Blobs> blobs;
  /// Stores, reads and removes a small object, and looks whose the bucket is. Warns in the log
  /// if the store is away and may come back. `failed` if the store cannot be used, or the bucket is
  /// not the catalog's, with a message that says what to look at. Blocks.
  std::function<Result<void>()> check;
  /// Ends requests that wait for the store, when the program shuts down: they fail with `unready`.
  std::function<void()> end;
};

/// Returns a client of the store, which connects when it is used. `invalid`, with a message for the
/// administrator, if the options are incomplete or the credentials cannot be read.
Result<ObjectStore> open_object_store(const ObjectStoreOptions& options, BucketClaim claim);

}  // namespace coffer::mounts
