#pragma once

#include <string>

#include "backends/objects/s3/s3_client.h"

namespace coffer::objects::s3 {

struct Probe {
  bool works = false;
  bool may_pass = false;  ///< It does not, but a later probe may find that it does.
  /// A whole sentence: what is wrong, and what to look at; if the store works, a warning. Empty if
  /// nothing is wrong. Names no secret.
  std::string problem = {};
};

/// Tries whether the bucket can be used: stores a small object below the prefix, reads it whole and
/// in part, removes it alone and together with another that is missing, and looks that it is gone.
/// Sends each request once, so a store that is starting may fail. Blocks, at most for the deadlines
/// of S3Options a request. If it fails, its object of 44 bytes may be left below `probe/`.
Probe probe(S3Client& client);

}  // namespace coffer::objects::s3
