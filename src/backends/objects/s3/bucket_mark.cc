#include "backends/objects/s3/bucket_mark.h"

#include <fmt/format.h>

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "backends/objects/s3/signing.h"

namespace coffer::objects::s3 {
namespace {

constexpr std::string_view kMarkKey = "coffer-mark";
constexpr std::size_t kMarkBytes = 32;
/// What a probe that failed may have left (probe.h).
constexpr std::string_view kProbes = "probe/";
constexpr std::string_view kBehindProbes = "probe/~";

Attempt foreign(std::string detail) {
  return {.outcome = Outcome::foreign, .detail = std::move(detail)};
}

Attempt in_use() {
  return foreign(
      "it is in use by another catalog, whose files would be lost: take an empty one "
      "(objects_bucket)");
}

/// Sets `found` to the bucket's mark; nullopt if it has none.
Attempt read_mark(S3Client& client, std::optional<std::string>& found) {
  std::string text(kMarkBytes, '\0');
  Attempt read = client.read(kMarkKey, 0, std::as_writable_bytes(std::span(text)));
  found.reset();
  if (read.outcome == Outcome::missing) return {};
  if (read.outcome == Outcome::too_short) {
    found = "";
    return {};
  }
  if (read.is_done()) found = std::move(text);
  return read;
}

/// What a mark that was found says to a catalog that wants the bucket.
Attempt judged(const std::string& found, const std::string& mark) {
  return found == mark ? Attempt{} : in_use();
}

/// `taken` if the mark came meanwhile.
Attempt look_that_it_is_empty(S3Client& client) {
  std::optional<std::string> key;
  Attempt looked = client.find_key("", key);
  if (looked.is_done() && key && key->starts_with(kProbes)) {
    looked = client.find_key(kBehindProbes, key);
  }
  if (!looked.is_done() || !key) return looked;
  std::optional<std::string> found;
  if (Attempt read = read_mark(client, found); !read.is_done()) return read;
  if (found) return {.outcome = Outcome::taken};
  return foreign("it has objects, but no mark of a catalog: take an empty one (objects_bucket)");
}

/// Stores the mark where there is none. Sets `is_final` if no other can replace it.
Attempt put_mark(S3Client& client, const std::string& mark, bool& is_final) {
  const auto bytes = std::as_bytes(std::span(mark));
  const std::string sha256 = sha256_hex(mark);
  Attempt put = client.put_new(kMarkKey, bytes, sha256);
  if (put.outcome == Outcome::unknown) return client.put(kMarkKey, bytes, sha256);
  // Of two requests with the condition, a store that knows it takes one.
  is_final = put.is_done() && client.put_new(kMarkKey, bytes, sha256).outcome == Outcome::taken;
  return put;
}

/// False if the program is shutting down.
bool wait_for(const storage::Deadlines& deadlines, std::chrono::milliseconds time) {
  std::mutex mutex;
  std::condition_variable_any never;
  std::unique_lock lock(mutex);
  never.wait_for(lock, deadlines.ending, time, [] { return false; });
  return !deadlines.ending.stop_requested();
}

}  // namespace

Attempt check_mark(S3Client& client, const std::string& mark) {
  std::optional<std::string> found;
  if (Attempt read = read_mark(client, found); !read.is_done()) return read;
  if (found == mark) return {};
  if (found) return foreign("it has another mark: look at objects_endpoint and objects_bucket");
  return foreign(
      fmt::format("it has no mark: look at objects_endpoint and objects_bucket; if they are right, "
                  "store the text {} as the object {} there",
                  mark, kMarkKey));
}

Attempt take_bucket(S3Client& client, const std::string& mark,
                    std::optional<std::chrono::milliseconds> settling) {
  const storage::Deadlines& deadlines = client.options().deadlines;
  std::optional<std::string> found;
  if (Attempt read = read_mark(client, found); !read.is_done()) return read;
  if (found) return judged(*found, mark);
  Attempt step = look_that_it_is_empty(client);
  bool is_final = false;
  if (step.is_done()) step = put_mark(client, mark, is_final);
  if (is_final) return {};
  if (!step.is_done() && step.outcome != Outcome::taken) return step;
  // Another may be about to store the mark that it had found missing.
  const auto time =
      settling.value_or(deadlines.connect + deadlines.reply + std::chrono::seconds(1));
  if (step.is_done() && !wait_for(deadlines, time)) return {.outcome = Outcome::ending};
  if (Attempt read = read_mark(client, found); !read.is_done()) return read;
  if (found) return judged(*found, mark);
  return {.outcome = Outcome::busy, .detail = "another request was about to store the mark"};
}

}  // namespace coffer::objects::s3
