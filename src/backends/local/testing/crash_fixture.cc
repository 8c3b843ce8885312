#include "backends/local/testing/crash_fixture.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>
#include <utility>

#include "backends/local/log_file.h"
#include "backends/local/log_recovery.h"

namespace coffer::local {

namespace {

namespace fs = std::filesystem;

/// Copies a log if there is one; its bytes.
std::string copy_log(const fs::path& from, const fs::path& to) {
  std::error_code missing;
  fs::copy(from, to, fs::copy_options::overwrite_existing, missing);
  std::ifstream file(to, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

void Logged::crash(const std::function<void()>& damage) {
  copy_logs();
  close();
  damage();
  begin_boot();
}

/// As they were at one moment: while they are copied, what one says may be settled, and then what
/// the other says of it.
void Logged::copy_logs() {
  fs::create_directories(dead_logs());
  const auto copy = [&](const char* name) { return copy_log(logs() / name, dead_logs() / name); };
  const auto [first, second] = kLogNames;
  std::string before;
  std::string after = copy(first);
  do {
    before = std::exchange(after, {});
    copy(second);
    after = copy(first);
  } while (after != before);
}

void Logged::close() {
  LocalFixture::close();
  if (!fs::exists(dead_logs())) return;
  for (const auto& log : fs::directory_iterator(dead_logs())) {
    fs::rename(log.path(), logs() / log.path().filename());
  }
}

void Logged::begin_boot() {
  options_.durable = true;
  store_options_.checkpoint_after = std::chrono::hours(1);
  store_options_.boot = "boot-" + std::to_string(++boots_);
  reopen();
}

void Logged::make_folder(std::string_view path) {
  const Path folder = path_of(path);
  ASSERT_TRUE(run(backend().make_folder(folder)));
}

void Logged::rename(std::string_view from, std::string_view to) {
  const Path old_path = path_of(from);
  const Path new_path = path_of(to);
  ASSERT_TRUE(run(backend().rename(old_path, new_path)));
}

void Logged::remove(std::string_view path) {
  const Path gone = path_of(path);
  ASSERT_TRUE(run(backend().remove(gone)));
}

void Logged::write(std::string_view path, std::string_view content) {
  ASSERT_TRUE(upload(backend(), path_of(path), content));
}

void Logged::tear(const std::string& path) {
  fs::resize_file(root() / path, 0);
  fs::last_write_time(root() / path, fs::file_time_type::clock::now() - std::chrono::hours(1));
}

}  // namespace coffer::local
