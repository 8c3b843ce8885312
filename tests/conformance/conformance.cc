#include "conformance/conformance.h"

#include <algorithm>
#include <array>

#include "storage/partial_name.h"

namespace coffer::conformance {
namespace {

Task<Result<std::unique_ptr<storage::Writer>>> write_out(storage::Backend& backend, Path target,
                                                         std::string_view content,
                                                         storage::WriteOptions options) {
  auto writer = co_await backend.create(target, options);
  if (!writer) co_return failure_of(writer);
  const auto wrote = co_await (*writer)->write(bytes_of(content));
  if (!wrote) co_return failure_of(wrote);
  co_return std::move(*writer);
}

Task<Result<std::string>> read_all(storage::Reader& reader) {
  std::string content;
  std::array<std::byte, 4096> buffer;
  for (;;) {
    const auto count = co_await reader.read(content.size(), buffer);
    if (!count) co_return failure_of(count);
    if (*count == 0) co_return content;
    content.append(reinterpret_cast<const char*>(buffer.data()), *count);
  }
}

}  // namespace

Path path_of(std::string_view text) {
  return Path::parse(text).value();
}

std::string name_of(const testing::TestParamInfo<Kind>& info) {
  return info.param.name;
}

std::span<const std::byte> bytes_of(std::string_view text) {
  return std::as_bytes(std::span(text.data(), text.size()));
}

Result<std::unique_ptr<storage::Writer>> finished_writer(storage::Backend& backend,
                                                         const Path& target,
                                                         std::string_view content,
                                                         storage::WriteOptions options) {
  auto writer = run(write_out(backend, target, content, options));
  if (!writer) return writer;
  if (const auto finished = run((*writer)->finish()); !finished) return failure_of(finished);
  return writer;
}

Result<std::vector<storage::Published>> upload(storage::Backend& backend, const Path& target,
                                               std::string_view content,
                                               storage::WriteOptions options,
                                               std::uint64_t growth_limit_bytes) {
  auto writer = run(write_out(backend, target, content, options));
  if (!writer) return failure_of(writer);
  return run(backend.publish(std::span(&*writer, 1), growth_limit_bytes));
}

Result<std::string> read_to_end(storage::Reader& reader) {
  return run(read_all(reader));
}

Result<std::string> download(storage::Backend& backend, const Path& file) {
  const auto reader = run(backend.open(file));
  if (!reader) return failure_of(reader);
  return read_to_end(**reader);
}

void BackendConformance::write(std::string_view path, std::string_view content) {
  const auto published = upload(backend(), path_of(path), content);
  ASSERT_TRUE(published) << published.error().message;
}

std::string BackendConformance::read(std::string_view path) {
  const auto content = download(backend(), path_of(path));
  return content ? *content : '[' + std::string(to_string(content.error().code)) + ']';
}

void BackendConformance::make_folder(std::string_view path) {
  const Path folder = path_of(path);
  const auto made = run(backend().make_folder(folder));
  ASSERT_TRUE(made) << made.error().message;
}

std::string BackendConformance::names(std::string_view path) {
  const Path folder = path_of(path);
  auto entries = run(backend().list(folder));
  if (!entries) return '[' + std::string(to_string(entries.error().code)) + ']';
  std::ranges::sort(*entries, {}, &storage::Entry::name);
  std::string joined;
  for (const auto& entry : *entries) {
    if (storage::is_partial_name(entry.name)) continue;
    if (!joined.empty()) joined += ' ';
    joined += entry.name + (entry.is_directory ? "/" : "");
  }
  return joined;
}

GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(BackendConformance);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(CopyConformance);

}  // namespace coffer::conformance
