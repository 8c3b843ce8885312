#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <span>
#include <string_view>
#include <utility>

namespace coffer::http {

/// Bytes received and not yet used. What was consumed stays where it is until `make_room`, so that
/// views of it last as long as the request they belong to.
class InputBuffer {
 public:
  /// Where `data` begins, to change it.
  char* front() { return bytes_.get() + begin_; }
  std::string_view data() const { return {bytes_.get() + begin_, end_ - begin_}; }
  bool empty() const { return begin_ == end_; }
  std::size_t capacity() const { return capacity_; }
  std::span<char> space() { return {bytes_.get() + end_, capacity_ - end_}; }
  void commit(std::size_t count) { end_ += count; }
  void consume(std::size_t count) { begin_ += count; }

  /// Makes the whole buffer at least `capacity` large, moving what is left in it to the front.
  void make_room(std::size_t capacity) {
    if (capacity > capacity_) {
      replace(capacity);
    } else if (begin_ > 0) {
      std::memmove(bytes_.get(), bytes_.get() + begin_, end_ - begin_);
      end_ -= begin_;
      begin_ = 0;
    }
  }
  /// Forgets what is in the buffer and gives it exactly this capacity.
  void reset(std::size_t capacity) {
    begin_ = end_ = 0;
    if (capacity_ != capacity) replace(capacity);
  }

 private:
  void replace(std::size_t capacity) {
    auto bytes = std::make_unique_for_overwrite<char[]>(capacity);
    if (!empty()) std::memcpy(bytes.get(), bytes_.get() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
    bytes_ = std::move(bytes);
    capacity_ = capacity;
  }

  std::unique_ptr<char[]> bytes_;
  std::size_t capacity_ = 0;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
};

}  // namespace coffer::http
