#include "core/testing/transfer_fixture.h"

#include <array>
#include <random>
#include <stdexcept>
#include <utility>
#include <vector>

namespace coffer::core {
namespace {

template <class T>
T need(Result<T> result) {
  if (!result) throw std::runtime_error(result.error().message);
  if constexpr (!std::is_void_v<T>) return *std::move(result);
}

std::string read_all(storage::Backend& backend, const Path& file) {
  const auto reader = need(run(backend.open(file)));
  std::vector<std::byte> content(reader->entry().size_bytes);
  const std::size_t count = need(run(reader->read(0, content)));
  return {reinterpret_cast<const char*>(content.data()), count};
}

}  // namespace

Path path_of(std::string_view text) {
  return Path::parse(text).value();
}

void put(storage::Backend& backend, std::string_view path, std::string_view content,
         std::optional<Timestamp> modified_at) {
  const Path target = path_of(path);
  storage::WriteOptions options;
  options.modified_at = modified_at;
  const auto writer = need(run(backend.create(target, options)));
  need(run(writer->write(std::as_bytes(std::span(content)))));
  need(run(backend.publish({&writer, 1}, UINT64_MAX)));
}

void put_folder(storage::Backend& backend, std::string_view path) {
  const Path folder = path_of(path);
  need(run(backend.make_folder(folder)));
}

void erase(storage::Backend& backend, std::string_view path) {
  const Path item = path_of(path);
  need(run(backend.remove(item)));
}

Contents contents_of(storage::Backend& backend) {
  Contents contents;
  std::vector<Path> folders{Path()};
  while (!folders.empty()) {
    const Path folder = std::move(folders.back());
    folders.pop_back();
    for (const storage::Entry& entry : need(run(backend.list(folder)))) {
      const Path path = folder / path_of(entry.name);
      if (entry.is_directory) {
        contents[path.str() + "/"];
        folders.push_back(path);
      } else {
        contents[path.str()] = read_all(backend, path);
      }
    }
  }
  return contents;
}

std::string noise(std::size_t bytes) {
  std::minstd_rand random(static_cast<unsigned>(bytes));
  std::string content(bytes, '\0');
  for (char& c : content) c = static_cast<char>(random());
  return content;
}

Task<Result<void>> done_with(Result<void> result) {
  co_return result;
}

Result<storage::TreeSize> TransferTest::copy(std::string_view from, std::string_view to) {
  TransferEnd source{from_, path_of(from)};
  TransferEnd target{to_, path_of(to)};
  return run(transfer(std::move(source), std::move(target), options_, progress_));
}

Result<storage::TreeSize> TransferTest::move(std::string_view from, std::string_view to) {
  TransferEnd source{from_, path_of(from)};
  TransferEnd target{to_, path_of(to)};
  return run(transfer_move(std::move(source), std::move(target), options_, progress_));
}

}  // namespace coffer::core
