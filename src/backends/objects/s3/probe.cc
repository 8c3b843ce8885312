#include "backends/objects/s3/probe.h"

#include <fmt/format.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "base/random.h"

namespace coffer::objects::s3 {
namespace {

constexpr std::string_view kText = "Coffer tries whether it can keep files here.";
constexpr std::size_t kPartOffset = 7;
constexpr std::size_t kPartBytes = 5;

std::string sentence(const S3Client& client, const char* step, const Attempt& attempt) {
  return fmt::format("{} ({} at {}; {})", explanation(attempt.outcome), step, client.place(),
                     attempt.detail);
}

Attempt read_part(S3Client& client, const std::string& key, std::size_t offset, std::size_t size) {
  std::vector<std::byte> out(size);
  Attempt attempt = client.read(key, offset, out);
  if (attempt.is_done() && std::memcmp(out.data(), kText.data() + offset, size) != 0) {
    attempt = {.outcome = Outcome::damaged, .detail = "other bytes than were stored"};
  }
  return attempt;
}

Attempt look_that_it_is_gone(S3Client& client, const std::string& key) {
  Attempt attempt = read_part(client, key, 0, kPartBytes);
  if (attempt.outcome == Outcome::missing) return {};
  if (!attempt.is_done()) return attempt;
  return {.outcome = Outcome::refused, .detail = "a removed object can still be read"};
}

std::string clock_warning(std::chrono::seconds offset) {
  const auto minutes = std::chrono::round<std::chrono::minutes>(std::chrono::abs(offset));
  return fmt::format("The clock of this machine is {} minutes {} the object store's.",
                     minutes.count(), offset.count() > 0 ? "behind" : "ahead of");
}

}  // namespace

Probe probe(S3Client& client) {
  const std::string name = random_hex(8);
  const std::array keys{fmt::format("probe/{}", name), fmt::format("probe/{}-missing", name)};
  const auto put = [&](const std::string& key) {
    return client.put(key, std::as_bytes(std::span(kText)), sha256_hex(kText));
  };
  const auto steps = std::array<std::pair<const char*, std::function<Attempt()>>, 7>{{
      {"storing", [&] { return put(keys[0]); }},
      {"reading", [&] { return read_part(client, keys[0], 0, kText.size()); }},
      {"reading a part", [&] { return read_part(client, keys[0], kPartOffset, kPartBytes); }},
      {"removing", [&] { return client.remove(keys[0]); }},
      {"reading what was removed", [&] { return look_that_it_is_gone(client, keys[0]); }},
      {"storing again", [&] { return put(keys[0]); }},
      {"removing several", [&] { return client.remove(keys); }},
  }};
  for (const auto& [step, run] : steps) {
    const Attempt attempt = run();
    if (!attempt.is_done()) {
      return {.may_pass = repeat_after(attempt.outcome) == Repeat::for_a_time,
              .problem = sentence(client, step, attempt)};
    }
  }
  Probe result{.works = true};
  if (client.clock_offset().count() != 0) result.problem = clock_warning(client.clock_offset());
  return result;
}

}  // namespace coffer::objects::s3
