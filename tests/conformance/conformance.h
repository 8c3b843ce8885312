#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <ostream>
#include <string>
#include <string_view>

#include "async/run.h"
#include "storage/backend.h"

namespace coffer::conformance {

/// An empty tree to test with, and whatever serves it; destroyed after each test.
class Subject {
 public:
  virtual ~Subject() = default;
  virtual storage::Backend& backend() = 0;
  /// The same tree, of which nothing can be changed; null for a kind without such a backend.
  virtual storage::Backend* read_only() { return nullptr; }
};

/// One kind of backend, and what it can beyond the contract's least.
struct Kind {
  std::string name;  ///< Letters and digits: it becomes part of the tests' names.
  std::function<std::unique_ptr<Subject>()> make;
  bool answers_now = false;         ///< open_now and stat_now answer for what was just written.
  bool keeps_modified_at = false;   ///< To the second at least.
  bool stages_in_sight = false;     ///< A copy grows beside its target, under a partial name.
  bool keeps_open_content = false;  ///< A reader goes on after its file is replaced or removed.
  bool tells_blocks = true;         ///< A copy within it reports block by block.
  int large_folder = 300;           ///< So many items it is asked to list.
};

inline std::ostream& operator<<(std::ostream& out, const Kind& kind) {
  return out << kind.name;
}

/// `INSTANTIATE_TEST_SUITE_P(Name, BackendConformance, testing::Values(kind), name_of)` in a
/// program that links coffer_conformance holds a backend against the contract of storage::Backend.
class BackendConformance : public testing::TestWithParam<Kind> {
 protected:
  BackendConformance() : subject_(GetParam().make()) {}

  storage::Backend& backend() { return subject_->backend(); }

  /// Uploads in one step and expects it to work.
  void write(std::string_view path, std::string_view content);
  /// The whole content, or the error's code in brackets.
  std::string read(std::string_view path);
  void make_folder(std::string_view path);
  /// Names in a folder, sorted and joined by spaces, folders with a slash; or the error's code.
  std::string names(std::string_view path = "");

  Subject& subject() { return *subject_; }

 private:
  std::unique_ptr<Subject> subject_;
};

/// The same for a kind that copies within itself.
class CopyConformance : public BackendConformance {};

/// The same for a kind that also has a backend that changes nothing: what the other writes, this
/// one reads.
class ReadOnlyConformance : public BackendConformance {
 protected:
  storage::Backend& read_only() { return *subject().read_only(); }
};

/// Parses; a test with a bad path is broken and throws.
Path path_of(std::string_view text);
std::string name_of(const testing::TestParamInfo<Kind>& info);
std::span<const std::byte> bytes_of(std::string_view text);

/// The code that a result failed with, or nothing.
template <class T>
std::optional<ErrorCode> code_of(const Result<T>& result) {
  if (result) return std::nullopt;
  return result.error().code;
}

Result<std::vector<storage::Published>> upload(storage::Backend& backend, const Path& target,
                                               std::string_view content,
                                               storage::WriteOptions options = {},
                                               std::uint64_t growth_limit_bytes = UINT64_MAX);
/// A writer that is finished, but not published.
Result<std::unique_ptr<storage::Writer>> finished_writer(storage::Backend& backend,
                                                         const Path& target,
                                                         std::string_view content,
                                                         storage::WriteOptions options = {});
Result<std::string> download(storage::Backend& backend, const Path& file);
Result<std::string> read_to_end(storage::Reader& reader);

}  // namespace coffer::conformance
