#include "backends/local/crash_fixture.h"

#include "backends/local/log_file.h"
#include "backends/local/log_recovery.h"

namespace coffer::local {

namespace fs = std::filesystem;

void Logged::crash(const std::function<void()>& damage) {
  copy_logs();
  close();
  damage();
  begin_boot();
}

void Logged::copy_logs() {
  fs::create_directories(top() / "dead");
  for (const auto& own : fs::directory_iterator(staging())) {
    for (const char* name : kLogNames) {
      if (fs::exists(own.path() / name)) fs::copy(own.path() / name, top() / "dead" / name);
    }
  }
}

void Logged::close() {
  LocalFixture::close();
  if (fs::exists(top() / "dead")) fs::rename(top() / "dead", staging() / "dead");
}

void Logged::begin_boot() {
  options_.durable = true;
  options_.settle_after = std::chrono::hours(1);
  options_.boot = "boot-" + std::to_string(++boots_);
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
