#include "http/multipart.h"

#include "async/run.h"
#include "check.h"
#include "http/testing/memory_body.h"

namespace {

using namespace coffer;

struct Outcome {
  bool failed = false;
  std::string text;  ///< Names and contents, one behind the other.
  bool operator==(const Outcome&) const = default;
};

Task<Outcome> read_parts(http::Body& body) {
  http::MultipartReader reader(body, "b");
  Outcome outcome;
  for (;;) {
    const auto head = co_await reader.next_part();
    outcome.failed = !head;
    if (!head || !*head) co_return outcome;
    outcome.text += (*head)->name + '\0' + (*head)->file_name.value_or("-") + '\0';
    for (;;) {
      const auto bytes = co_await reader.read();
      outcome.failed = !bytes;
      if (!bytes) co_return outcome;
      if (bytes->empty()) break;
      outcome.text.append(reinterpret_cast<const char*>(bytes->data()), bytes->size());
    }
  }
}

/// How much of a part that fails was read before depends on the pieces.
Outcome parse(std::string_view text, std::size_t piece_bytes) {
  std::vector<std::string> pieces;
  for (std::size_t at = 0; at < text.size(); at += piece_bytes) {
    pieces.emplace_back(text.substr(at, piece_bytes));
  }
  http::MemoryBody body(std::move(pieces));
  Outcome outcome = run(read_parts(body));
  if (outcome.failed) outcome.text.clear();
  return outcome;
}

}  // namespace

/// However it is cut, a form has the same parts. The first byte says how.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const auto text = fuzz::to_text(data + 1, size - 1);
  (void)http::MultipartReader::boundary_of(text);
  const Outcome whole = parse(text, size);
  fuzz::check(whole == parse(text, 1 + data[0] % 16));
  return 0;
}
