#include "api/dav/body.h"

#include "async/memory_room.h"

namespace coffer::api::dav {
namespace {

/// The memory that a parsed body takes at most, for each of its bytes, about.
constexpr std::uint64_t kTimes = 8;

std::string_view text_in(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace

Task<Result<std::optional<XmlElement>>> read_xml(const Call& call, std::size_t most_bytes) {
  http::Body& body = *call.request.body;
  const auto length = body.length();
  if (length == 0) co_return std::nullopt;
  if (length && *length > most_bytes) co_return fail(ErrorCode::invalid, "The body is too long.");
  MemoryRoom::Hold hold = call.services.memory.begin(core::holder_of(call.principal));
  std::string text;
  while (true) {
    CO_TRY(const auto bytes, co_await body.read());
    if (bytes.empty()) break;
    if (text.size() + bytes.size() > most_bytes) {
      co_return fail(ErrorCode::invalid, "The body is too long.");
    }
    CO_TRY_VOID(hold.grow(bytes.size() * kTimes));
    text += text_in(bytes);
  }
  if (text.empty()) co_return std::nullopt;
  // All at once: with each piece, expat looks at a name or text that has not ended from its
  // beginning again.
  XmlParser parser({.bytes = most_bytes});
  CO_TRY_VOID(parser.add(text));
  CO_TRY(auto root, parser.finish());
  co_return std::optional(std::move(root));
}

bool has_body(const http::Request& request) {
  return request.body->length() != std::uint64_t{0};
}

}  // namespace coffer::api::dav
