#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace coffer::objects::s3 {

/// An error that a store tells of: of the request, or of one of many objects.
struct StoreError {
  std::string code;  ///< Such as `NoSuchKey`; letters and digits only, whatever was sent.
  std::string key;   ///< Of the object; empty if none is named.
};

/// What the body of an answer says: `Error` of a request that failed (section "Error responses" of
/// S3's API reference), `DeleteResult` of a removal of several objects (DeleteObjects), or
/// `ListBucketResult` of a listing (ListObjectsV2).
struct XmlAnswer {
  std::string root;  ///< The name of the root element, without its namespace.
  std::vector<StoreError> errors;
  std::vector<std::string> keys;  ///< Of the objects of a listing.
};

/// Parses an answer's body. Returns nullopt if it is not well-formed XML, has a document type
/// declaration (so no entities of its own), or is nested more deeply than any answer.
std::optional<XmlAnswer> parse_answer(std::string_view body);

}  // namespace coffer::objects::s3
