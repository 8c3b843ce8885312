#include "mounts/object_store.h"

namespace coffer::mounts {

// The one place where the client of S3 (backends/objects/s3/) is chosen and configured.
Result<std::unique_ptr<objects::Blobs>> open_object_store(const ObjectStoreOptions& options) {
  if (options.endpoint.empty() || options.bucket.empty()) {
    return fail(ErrorCode::invalid,
                "With home_store = \"objects\", objects_endpoint and objects_bucket must be set.");
  }
  return fail(ErrorCode::invalid, "This program was built without a client for S3.");
}

}  // namespace coffer::mounts
