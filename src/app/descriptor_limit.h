#pragma once

#include <cstddef>

namespace coffer::app {

/// How many files may be open (RLIMIT_NOFILE), after it was raised as far as it can be. Says in the
/// log when it cannot.
std::size_t raise_descriptor_limit();

/// How many connections `descriptors` suffice for, and no more than `most`: a third is kept back
/// for the files that requests open, so that connections without a request never take what those
/// with one need.
std::size_t connections_within(std::size_t descriptors, std::size_t most);

}  // namespace coffer::app
