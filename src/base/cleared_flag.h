#pragma once

namespace coffer {

/// Clears a flag when the scope ends, by an exception too: work that is begun only while its flag
/// is clear would else never begin again. The flag must outlive this object.
class ClearedFlag {
 public:
  explicit ClearedFlag(bool& flag) : flag_(flag) {}
  ~ClearedFlag() { flag_ = false; }
  ClearedFlag(const ClearedFlag&) = delete;
  ClearedFlag& operator=(const ClearedFlag&) = delete;

 private:
  bool& flag_;
};

}  // namespace coffer
