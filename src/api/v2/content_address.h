#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "api/v2/body.h"
#include "api/v2/body_schema.h"
#include "api/v2/file_parameters.h"

/// What the calls about signed addresses take and answer.
namespace coffer::api::v2 {

inline constexpr std::uint64_t kLongestLifetime = 3'600;

/// How long an address stands: 1 to 3,600 seconds.
struct Lifetime {
  std::uint64_t value = 0;
};

inline Result<void> from_json(const boost::json::value& json, Lifetime& out) {
  auto read = from_json(json, out.value);
  if (!read) return read;
  if (out.value >= 1 && out.value <= kLongestLifetime) return {};
  return fail(ErrorCode::invalid, "must be from 1 to 3600");
}

template <>
struct BodySchema<Lifetime> {
  static boost::json::object make() {
    return {{"type", "integer"}, {"minimum", 1}, {"maximum", kLongestLifetime}};
  }
};

struct WantedAddress {
  NonEmpty<ItemPath> path;
  std::optional<Disposition> disposition;
  std::optional<Lifetime> expiresInSeconds;
};
BOOST_DESCRIBE_STRUCT(WantedAddress, (), (path, disposition, expiresInSeconds))

struct AddressDetails {
  std::string address;
  Timestamp expiresAt;
};
BOOST_DESCRIBE_STRUCT(AddressDetails, (), (address, expiresAt))

struct AddressParameters {
  NonEmpty<std::string> address;
};
BOOST_DESCRIBE_STRUCT(AddressParameters, (), (address))

}  // namespace coffer::api::v2

namespace coffer::api {

template <>
struct Docs<v2::WantedAddress> {
  static constexpr std::array<FieldDoc, 3> fields{{
      {"path", "The file.", R"("holiday/film.mp4")"},
      {"disposition", "attachment, the default, or inline.", R"("inline")"},
      {"expiresInSeconds", "1 to 3600, which it is where it is missing.", "3600"},
  }};
};

template <>
struct Docs<v2::AddressDetails> {
  static constexpr std::string_view name = "ContentAddress";
  static constexpr std::array<FieldDoc, 2> fields{{
      {"address", "From the server's root; to be kept from those who may not read the file.",
       R"("/api/v2/content/AAAA")"},
      {"expiresAt", "UTC.", R"("2026-11-21T07:14:09")"},
  }};
};

template <>
struct Docs<v2::AddressParameters> {
  static constexpr std::array<FieldDoc, 1> fields{{
      {"address", "As the call that made it answered.", R"("AAAA")"},
  }};
};

}  // namespace coffer::api
