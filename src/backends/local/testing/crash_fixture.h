#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <string>
#include <string_view>

#include "backends/local/testing/local_fixture.h"

namespace coffer::local {

/// A durable backend whose files stay in the log until it is closed, and crashes of its machine.
class Logged : public LocalFixture {
 protected:
  Logged() { begin_boot(); }

  /// The machine stops now and starts again. `damage` does to the root what the crash did.
  void crash(const std::function<void()>& damage);
  /// The logs as they are now are what a later start finds of this run.
  void copy_logs();
  void close();
  void begin_boot();
  std::filesystem::path logs() const { return top() / "content-log"; }
  /// Where `copy_logs` puts them.
  std::filesystem::path dead_logs() const { return top() / "dead"; }

  void make_folder(std::string_view path);
  void rename(std::string_view from, std::string_view to);
  void remove(std::string_view path);
  void write(std::string_view path, std::string_view content);
  /// As a file is whose name reached the disk before its content.
  void tear(const std::string& path);

 private:
  int boots_ = 0;
};

}  // namespace coffer::local
