#include "async/pool.h"

namespace coffer {

Pool::Pool(std::size_t threads) : threads_(threads) {}

Pool::~Pool() {
  threads_.join();
}

}  // namespace coffer
