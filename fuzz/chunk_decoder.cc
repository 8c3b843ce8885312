#include <algorithm>
#include <string>

#include "check.h"
#include "http/body_reader.h"

namespace {

using namespace coffer;
using State = http::ChunkDecoder::State;

struct Outcome {
  State state = State::more;
  std::string content;
  std::size_t consumed = 0;
  bool operator==(const Outcome&) const = default;
};

Outcome decode(std::string_view text, std::size_t piece_bytes) {
  http::ChunkDecoder decoder;
  Outcome outcome;
  while (outcome.consumed < text.size()) {
    const auto input = text.substr(outcome.consumed, piece_bytes);
    const auto step = decoder.step(input);
    fuzz::check(step.consumed > 0 && step.consumed <= input.size());
    outcome.consumed += step.consumed;
    outcome.content += step.data;
    outcome.state = step.state == State::data ? State::more : step.state;
    if (outcome.state == State::done || outcome.state == State::broken) break;
  }
  return outcome;
}

}  // namespace

/// Whole or byte by byte, a body decodes to the same.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto text = fuzz::to_text(data, size);
  fuzz::check(decode(text, text.size()) == decode(text, 1));
  return 0;
}
