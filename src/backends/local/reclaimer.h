#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "backends/local/handle.h"

namespace coffer::local {

/// Deletes what lies in one folder, on a single thread of low priority. Trees are taken apart from
/// the top: sub-folders move up into the folder first, so no depth is too great, and whatever is
/// left after a stop lies there for the next start. Safe from any thread.
class Reclaimer {
 public:
  /// `folder` must stay open as long as this lives.
  explicit Reclaimer(int folder);
  ~Reclaimer() { stop(); }
  Reclaimer(const Reclaimer&) = delete;
  Reclaimer& operator=(const Reclaimer&) = delete;

  void add(std::string name);
  void close(Handle handle);
  /// Returns when nothing is left to do.
  void wait();
  /// Ends the thread soon, also in the middle of a tree.
  void stop();

 private:
  void work();
  void remove(const std::string& name);
  void empty_folder(const std::string& name);

  const int folder_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::string> names_;
  std::vector<Handle> handles_;
  bool busy_ = false;
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace coffer::local
