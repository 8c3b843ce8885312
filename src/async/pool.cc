#include "async/pool.h"

namespace coffer {

Pool::Pool(std::size_t threads)
    : own_(std::make_unique<SharedThreads>(threads)),
      threads_(*own_),
      queue_(std::make_shared<SharedThreads::Queue>(threads)) {}

Pool::Pool(SharedThreads& threads, std::size_t most)
    : threads_(threads), queue_(std::make_shared<SharedThreads::Queue>(most)) {}

}  // namespace coffer
