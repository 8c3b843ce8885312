#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "backends/objects/s3/s3_client.h"

namespace coffer::objects::s3 {

/// A bucket's mark says which catalog has its files there: an object `coffer-mark` of 32
/// hexadecimal digits. Both calls block. `foreign`, with a detail that says what to do, if the
/// bucket is not the one that `mark` is of; what else may come of a request if that is not known.
///
/// Looks whether the bucket has the mark.
Attempt check_mark(S3Client& client, const std::string& mark);
/// Gives the mark to a bucket that has none and is empty. Of several that do so at once, one alone
/// is told that it has the bucket: by a condition of the store, or, if the store knows none (see
/// S3Client::put_new), by what the mark is after `settling`: by default as long as a request may
/// take. `busy` if that has to be found out later.
Attempt take_bucket(S3Client& client, const std::string& mark,
                    std::optional<std::chrono::milliseconds> settling = std::nullopt);

}  // namespace coffer::objects::s3
