#include "backends/local/testing/local_fixture.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>

#include "storage/partial_name.h"

namespace coffer::local {
namespace fs = std::filesystem;

LocalFixture::LocalFixture() {
  fs::create_directories(root());
  reopen();
}

LocalFixture::~LocalFixture() {
  close();
}

void LocalFixture::reopen() {
  close();
  store_ = LocalStore::open(store_options(), pool_).value();
  backend_ = LocalBackend::open(options(), *store_).value();
}

void LocalFixture::put(const fs::path& relative, std::string_view content) {
  std::ofstream(root() / relative, std::ios::binary) << content;
}

std::string LocalFixture::content_of(const fs::path& relative) const {
  std::ifstream file(root() / relative, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::size_t LocalFixture::staged_items() const {
  std::size_t count = 0;
  for (auto item = fs::recursive_directory_iterator(staging());
       item != fs::recursive_directory_iterator(); ++item) {
    if (item.depth() > 0) ++count;
  }
  return count;
}

fs::path LocalFixture::plant_left(const fs::path& staging) {
  const fs::path folder = staging / storage::partial_name();
  fs::create_directories(folder / "tree/deep");
  std::ofstream(folder / "tree/deep/file") << "x";
  std::ofstream(folder / "file") << "x";
  return folder;
}

testing::internal::ParamGenerator<KindOfDisk> kinds_of_disks() {
  return testing::Values(
      KindOfDisk{"All", {}}, KindOfDisk{"Named", {.unnamed_files = false}},
      KindOfDisk{"NoRenameFlags", {.noreplace = false, .exchange = false}},
      KindOfDisk{"LinksAlone", {.unnamed_files = false, .noreplace = false, .exchange = false}},
      KindOfDisk{"NoExchange", {.unnamed_files = false, .exchange = false}},
      KindOfDisk{"NoReplaceAlone",
                 {.unnamed_files = false, .exchange = false, .hard_links = false}},
      KindOfDisk{
          "PlainRenameAlone",
          {.unnamed_files = false, .noreplace = false, .exchange = false, .hard_links = false}});
}

Path path_of(std::string_view text) {
  return Path::parse(text).value();
}

std::unique_ptr<storage::Writer> begin(storage::Backend& backend, const Path& target,
                                       std::string_view content) {
  auto writer = run(backend.create(target, {})).value();
  run(writer->write(std::as_bytes(std::span(content.data(), content.size())))).value();
  return writer;
}

std::unique_ptr<storage::Writer> finished(storage::Backend& backend, const Path& target,
                                          std::string_view content) {
  auto writer = begin(backend, target, content);
  run(writer->finish()).value();
  return writer;
}

Result<std::vector<storage::Published>> publish(storage::Backend& backend,
                                                std::unique_ptr<storage::Writer>& writer,
                                                std::uint64_t growth_limit_bytes) {
  return run(backend.publish(std::span(&writer, 1), growth_limit_bytes));
}

namespace {

Task<Result<std::vector<storage::Published>>> upload_task(storage::Backend& backend,
                                                          const Path& target,
                                                          std::string_view content,
                                                          std::uint64_t growth_limit_bytes) {
  storage::WriteOptions options;
  auto writer = co_await backend.create(target, std::move(options));
  if (!writer) co_return failure_of(writer);
  const auto bytes = std::as_bytes(std::span(content.data(), content.size()));
  if (const auto wrote = co_await (*writer)->write(bytes); !wrote) co_return failure_of(wrote);
  co_return co_await backend.publish(std::span(&*writer, 1), growth_limit_bytes);
}

}  // namespace

Result<std::vector<storage::Published>> upload(storage::Backend& backend, const Path& target,
                                               std::string_view content,
                                               std::uint64_t growth_limit_bytes) {
  return run(upload_task(backend, target, content, growth_limit_bytes));
}

Result<std::string> download(storage::Backend& backend, const Path& file) {
  const auto reader = run(backend.open(file));
  if (!reader) return failure_of(reader);
  std::string content;
  std::array<std::byte, 4096> buffer;
  for (;;) {
    const auto count = run((*reader)->read(content.size(), buffer));
    if (!count) return failure_of(count);
    if (*count == 0) return content;
    content.append(reinterpret_cast<const char*>(buffer.data()), *count);
  }
}

std::vector<std::string> names(storage::Backend& backend, std::string_view folder) {
  const Path path = path_of(folder);
  std::vector<std::string> result;
  const auto entries = run(backend.list(path)).value();
  for (const auto& entry : entries) {
    result.push_back(entry.name + (entry.is_directory ? "/" : ""));
  }
  std::ranges::sort(result);
  return result;
}

}  // namespace coffer::local
