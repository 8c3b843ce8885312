#include "http/head_parser.h"

#include "check.h"

using namespace coffer;

/// A head that is found is read or refused; what is read holds nothing that could split a line.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto text = fuzz::to_text(data, size);
  http::Request request;
  http::Framing framing;
  (void)http::parse_head(text, request, framing);

  http::HeadScanner scanner;
  const auto state = scanner.scan(text);
  http::HeadScanner slow;
  auto slow_state = http::HeadScanner::State::incomplete;
  for (std::size_t i = 1; i <= size && slow_state == http::HeadScanner::State::incomplete; ++i) {
    slow_state = slow.scan(text.substr(0, i));
  }
  fuzz::check(state == slow_state);
  if (state != http::HeadScanner::State::complete) return 0;
  fuzz::check(scanner.size() == slow.size());
  if (http::parse_head(text.substr(0, scanner.size()), request, framing)) return 0;
  fuzz::check(!request.path.empty());
  fuzz::check(!framing.chunked || framing.content_length == 0);
  for (const auto& header : request.headers) {
    fuzz::check(!header.name.empty());
    fuzz::check(header.value.find_first_of(std::string_view("\r\n\0", 3)) ==
                std::string_view::npos);
  }
  return 0;
}
