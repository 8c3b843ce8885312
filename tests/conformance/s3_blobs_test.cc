#include "backends/objects/s3/s3_blobs.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sodium.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "async/run.h"
#include "backends/objects/s3/probe.h"
#include "base/random.h"
#include "base/testing/scratch_folder.h"
#include "base/text.h"
#include "servers/certificate.h"
#include "servers/faulty_line.h"
#include "servers/https_redirect.h"
#include "servers/s3_server.h"

namespace coffer::objects::s3 {
namespace {

using servers::S3Server;
using Bytes = std::vector<std::byte>;

constexpr std::size_t kMostBytes = 8 * 1024 * 1024;

/// One cluster for all tests, since it takes seconds to start.
const S3Server& server() {
  static const S3Server server;
  return server;
}

S3Options options() {
  return {.endpoint = server().url(),
          .bucket = S3Server::bucket(),
          .prefix = "tests/a b+c",  // With characters that are encoded.
          .credentials = {S3Server::access_key(), S3Server::secret_key()}};
}

std::shared_ptr<S3Client> client_of(const S3Options& options) {
  return S3Client::make(options).value();
}

ObjectId new_id() {
  return {random_hex(16)};
}

Bytes random_bytes(std::size_t size) {
  Bytes bytes(size);
  fill_random(bytes);
  return bytes;
}

Sha256 hash_of(std::span<const std::byte> bytes) {
  Sha256 hash;
  crypto_hash_sha256(reinterpret_cast<unsigned char*>(hash.data()),
                     reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size());
  return hash;
}

Result<void> put(Blobs& blobs, const ObjectId& id, std::span<const std::byte> bytes) {
  return run(blobs.put(id, bytes, hash_of(bytes)));
}

Result<Bytes> read(Blobs& blobs, const ObjectId& id, std::uint64_t offset, std::size_t size) {
  Bytes out(size);
  TRY_VOID(run(blobs.read(id, offset, out)));
  return out;
}

Bytes part_of(const Bytes& bytes, std::size_t offset, std::size_t size) {
  return {bytes.begin() + static_cast<std::ptrdiff_t>(offset),
          bytes.begin() + static_cast<std::ptrdiff_t>(offset + size)};
}

/// Whether the store has the object, asked without a line in the log.
bool is_there(const ObjectId& id) {
  static const auto client = client_of(options());
  Bytes out(1);
  const auto outcome =
      client->read(fmt::format("{}/{}", id.value.substr(0, 2), id.value), 0, out).outcome;
  EXPECT_TRUE(outcome == Outcome::done || outcome == Outcome::missing);
  return outcome == Outcome::done;
}

class S3BlobsOnCeph : public testing::Test {
 protected:
  S3Blobs blobs_{client_of(options())};
};

TEST_F(S3BlobsOnCeph, GivesBackWhatWasPut) {
  for (const std::size_t size : {std::size_t{1}, std::size_t{4096}, kMostBytes}) {
    const ObjectId id = new_id();
    const Bytes bytes = random_bytes(size);
    ASSERT_TRUE(put(blobs_, id, bytes)) << size;
    EXPECT_TRUE(read(blobs_, id, 0, size) == bytes) << size;
  }
}

TEST_F(S3BlobsOnCeph, ReadsRanges) {
  const ObjectId id = new_id();
  const Bytes bytes = random_bytes(5'000'000);
  ASSERT_TRUE(put(blobs_, id, bytes));
  for (const auto& [offset, size] : {std::pair{0UL, 1UL},
                                     {1UL, 4096UL},
                                     {4'194'303UL, 2UL},
                                     {4'999'999UL, 1UL},
                                     {2'000'000UL, 2'097'152UL},
                                     {7UL, 0UL}}) {
    EXPECT_TRUE(read(blobs_, id, offset, size) == part_of(bytes, offset, size))
        << offset << ' ' << size;
  }
  // Behind the end, across it, and of an object that is not there.
  EXPECT_EQ(read(blobs_, id, 4'999'999, 2).error().code, ErrorCode::failed);
  EXPECT_EQ(read(blobs_, id, 5'000'000, 1).error().code, ErrorCode::failed);
  EXPECT_EQ(read(blobs_, new_id(), 0, 1).error().code, ErrorCode::failed);
}

TEST_F(S3BlobsOnCeph, KeepsObjectsWithoutBytes) {
  const ObjectId id = new_id();
  ASSERT_TRUE(put(blobs_, id, {}));
  EXPECT_TRUE(read(blobs_, id, 0, 0));
  EXPECT_EQ(read(blobs_, id, 0, 1).error().code, ErrorCode::failed);
  EXPECT_TRUE(run(blobs_.remove(std::span(&id, 1))));
}

TEST_F(S3BlobsOnCeph, PutsTheSameTwice) {
  const ObjectId id = new_id();
  const Bytes bytes = random_bytes(4096);
  ASSERT_TRUE(put(blobs_, id, bytes));
  ASSERT_TRUE(put(blobs_, id, bytes));
  EXPECT_TRUE(read(blobs_, id, 0, bytes.size()) == bytes);
}

TEST_F(S3BlobsOnCeph, StoresNothingWithAWrongHash) {
  const ObjectId id = new_id();
  EXPECT_EQ(run(blobs_.put(id, random_bytes(4096), {})).error().code, ErrorCode::failed);
  EXPECT_EQ(client_of(options())->put("wrong", random_bytes(4096), sha256_hex("")).outcome,
            Outcome::damaged);
  EXPECT_EQ(read(blobs_, id, 0, 1).error().message, "Contents are missing in the object store.");
}

TEST_F(S3BlobsOnCeph, RemovesObjects) {
  const ObjectId id = new_id();
  const ObjectId stays = new_id();
  const Bytes bytes = random_bytes(10);
  ASSERT_TRUE(put(blobs_, id, bytes));
  ASSERT_TRUE(put(blobs_, stays, bytes));
  EXPECT_TRUE(run(blobs_.remove(std::span(&id, 1))));
  EXPECT_TRUE(run(blobs_.remove(std::span(&id, 1))));  // It is missing now.
  EXPECT_FALSE(read(blobs_, id, 0, 1));
  EXPECT_TRUE(read(blobs_, stays, 0, 1));
}

TEST_F(S3BlobsOnCeph, RemovesAThousandAtOnce) {
  const Bytes bytes = random_bytes(10);
  std::vector<ObjectId> ids(1000);
  std::ranges::generate(ids, &new_id);
  for (std::size_t index = 0; index < 300; ++index) ASSERT_TRUE(put(blobs_, ids[index], bytes));
  EXPECT_EQ(std::ranges::count_if(ids, is_there), 300);
  const auto removed = run(blobs_.remove(ids));
  ASSERT_TRUE(removed) << removed.error().message;
  EXPECT_TRUE(std::ranges::none_of(std::span(ids).first(300), is_there));
  EXPECT_TRUE(run(blobs_.remove(ids)));
}

using servers::FaultyLine;
using enum FaultyLine::Fault;
using enum FaultyLine::Way;

/// The store behind a line that fails.
class S3BlobsOverALine : public testing::Test {
 protected:
  S3Options line_options() const {
    S3Options changed = options();
    changed.endpoint = fmt::format("http://127.0.0.1:{}", line_.port());
    return changed;
  }

  FaultyLine line_{server().port()};
};

TEST_F(S3BlobsOverALine, SurvivesCuts) {
  S3Blobs blobs(client_of(line_options()));
  const Bytes bytes = random_bytes(100'000);
  const ObjectId first = new_id();
  ASSERT_TRUE(put(blobs, first, bytes));
  // The request arrives in part; the answer is lost, all of it or its end.
  for (const std::uint64_t after : {0, 1, 30, 200, 50'000}) {
    const std::uint64_t within_head = std::min<std::uint64_t>(after, 100);
    const ObjectId id = new_id();
    line_.fail_standing(cut, to_server, after);
    ASSERT_TRUE(put(blobs, id, bytes)) << after;
    line_.fail_standing(cut, to_client, within_head);
    ASSERT_TRUE(put(blobs, new_id(), bytes)) << after;
    line_.fail_standing(cut, to_client, after);
    EXPECT_TRUE(read(blobs, id, 1000, 90'000) == part_of(bytes, 1000, 90'000)) << after;
    line_.fail_standing(cut, to_client, within_head);
    ASSERT_TRUE(run(blobs.remove(std::vector{id, new_id()}))) << after;
    EXPECT_FALSE(is_there(id));
  }
  EXPECT_EQ(line_.connections(), 1 + 5 * 4);  // Each cut took one.
}

TEST_F(S3BlobsOverALine, EndsUploadsThatStopInTheirMiddle) {
  S3Options hasty = line_options();
  hasty.deadlines.stall = std::chrono::milliseconds(200);
  const auto client = client_of(hasty);
  const Bytes bytes = random_bytes(kMostBytes);
  line_.fail(stall, to_server, 1'000'000);
  const auto attempt = client->put("stalled", bytes, to_hex(hash_of(bytes)));
  EXPECT_EQ(attempt.outcome, Outcome::timed_out);
  EXPECT_EQ(attempt.detail, "the transfer stopped in its middle");
}

TEST_F(S3BlobsOnCeph, ServesManyThreads) {
  std::atomic<int> successes = 0;
  {
    std::vector<std::jthread> threads;
    for (int thread = 0; thread < 16; ++thread) {
      threads.emplace_back([&] {
        for (const std::size_t size : {100UL, 4096UL, 300'000UL}) {
          const ObjectId id = new_id();
          const Bytes bytes = random_bytes(size);
          if (put(blobs_, id, bytes) && read(blobs_, id, 0, size) == bytes &&
              run(blobs_.remove(std::span(&id, 1))) && !is_there(id)) {
            ++successes;
          }
        }
      });
    }
  }
  EXPECT_EQ(successes, 16 * 3);
}

TEST(S3ClientOnCeph, TellsAWrongKeyAndAMissingBucket) {
  const auto outcome_of = [](const auto& change) {
    S3Options changed = options();
    change(changed);
    return client_of(changed)->put("a", {}, sha256_hex("")).outcome;
  };
  EXPECT_EQ(outcome_of([](S3Options&) {}), Outcome::done);
  EXPECT_EQ(outcome_of([](S3Options& changed) { changed.credentials.secret_key = "wrong"; }),
            Outcome::key_refused);
  EXPECT_EQ(outcome_of([](S3Options& changed) { changed.credentials.access_key = "wrong"; }),
            Outcome::key_refused);
  EXPECT_EQ(outcome_of([](S3Options& changed) { changed.bucket = "not-there"; }),
            Outcome::no_bucket);
}

TEST(S3ClientOnCeph, GoesByTheStoresClock) {
  for (const auto offset : {std::chrono::minutes(40), std::chrono::minutes(-40)}) {
    S3Options changed = options();
    changed.now = [=] { return now() + offset; };
    const auto client = client_of(changed);
    EXPECT_TRUE(client->put("a", {}, sha256_hex("")).is_done());
    EXPECT_LE(std::chrono::abs(client->clock_offset() + offset), std::chrono::seconds(2));
  }
}

TEST(S3ClientOnCeph, TrustsTheCertificatesThatItShould) {
  const ScratchFolder scratch;
  const servers::Certificate certificate(scratch.path());
  const servers::HttpsRedirect redirect(certificate, server().url());
  const auto outcome_of = [&](const std::string& host, const std::string& ca_file) {
    S3Options changed = options();
    changed.endpoint = fmt::format("https://{}:{}", host, redirect.port());
    changed.ca_file = ca_file;
    Bytes out(1);
    return client_of(changed)->read("a", 0, out).outcome;
  };
  // That server answers every request by a redirect, which is not followed.
  EXPECT_EQ(outcome_of("127.0.0.1", certificate.certificate), Outcome::elsewhere);
  EXPECT_EQ(outcome_of("other.localhost", certificate.certificate), Outcome::untrusted);
  EXPECT_EQ(outcome_of("127.0.0.1", ""), Outcome::untrusted);
  EXPECT_EQ(outcome_of("127.0.0.1", scratch.path() / "missing.pem"), Outcome::bad_ca_file);
}

TEST(S3ClientOnCeph, TellsThatTheStoreSpeaksNoTls) {
  S3Options changed = options();
  changed.endpoint.replace(0, 4, "https");
  EXPECT_EQ(client_of(changed)->put("a", {}, sha256_hex("")).outcome, Outcome::no_tls);
}

TEST(ProbeOnCeph, TellsWhetherTheBucketCanBeUsed) {
  const auto problem_of = [](const auto& change) {
    S3Options changed = options();
    change(changed);
    const Probe result = probe(*client_of(changed));
    EXPECT_EQ(result.works, result.problem.empty());
    return result.problem;
  };
  EXPECT_EQ(problem_of([](S3Options&) {}), "");
  EXPECT_NE(problem_of([](S3Options& changed) {
              changed.credentials.secret_key = "wrong";
            }).find("secret key"),
            std::string::npos);
  EXPECT_NE(problem_of([](S3Options& changed) {
              changed.bucket = "not-there";
            }).find("bucket is missing"),
            std::string::npos);
}

}  // namespace
}  // namespace coffer::objects::s3
