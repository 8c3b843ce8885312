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

/// Deletes what lies in staging folders, on a single thread of low priority. Trees are taken apart
/// from the top: sub-folders move up into the folder first, so no depth is too great, and whatever
/// is left after a stop lies there for the next start. Safe from any thread.
class Reclaimer {
 public:
  /// Throws std::system_error if there is no thread to be had. What is added later needs none,
  /// since readers and writers do that when they end.
  Reclaimer();
  /// Ends the thread soon, also in the middle of a tree.
  ~Reclaimer();
  Reclaimer(const Reclaimer&) = delete;
  Reclaimer& operator=(const Reclaimer&) = delete;

  /// The folder must stay open until `leave`.
  void add(int folder, std::string name);
  void close(Handle handle);
  /// Returns when nothing is left to do.
  void wait();
  /// Lets be what is left in the folder; returns soon, when nothing more is done there.
  void leave(int folder);

 private:
  struct Item {
    int folder;
    std::string name;
  };
  static constexpr int kNoFolder = -1;

  void work();
  void remove(const Item& item);
  void empty_folder(const Item& item);

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Item> items_;
  std::vector<Handle> handles_;
  bool is_busy_ = false;
  int working_in_ = kNoFolder;
  bool is_interrupted_ = false;  ///< The item under way is to be left as it is.
  bool is_stopping_ = false;
  std::thread thread_;
};

}  // namespace coffer::local
