#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"

/// What tests of the places that know people find. They change nothing, and repeat no secret.
namespace coffer::core {

/// A step of a test.
struct ProbeStep {
  std::chrono::milliseconds took{};
  std::optional<Error> error = {};  ///< Absent: it works.
};

/// Calls `step()` and returns what came of it. Stores a value in `out`.
template <class T, class Step>
ProbeStep probe_step(T& out, Step step) {
  const auto begun = std::chrono::steady_clock::now();
  Result<T> result = step();
  const auto took = std::chrono::steady_clock::now() - begun;
  ProbeStep made{std::chrono::duration_cast<std::chrono::milliseconds>(took)};
  if (result) {
    out = *std::move(result);
  } else {
    made.error = std::move(result).error();
  }
  return made;
}

struct ProviderProbe {
  ProbeStep metadata;
  std::optional<ProbeStep> keys = {};  ///< Absent if there is no metadata.
  std::size_t usable_keys = 0;
  std::vector<std::string> algorithms = {};  ///< Of signatures that these keys are for.
};

}  // namespace coffer::core
