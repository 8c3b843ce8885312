#include "core/transfer/tree_fingerprint.h"

#include <sodium/crypto_shorthash_siphash24.h>

#include <cstring>
#include <span>
#include <string>

#include "base/random.h"

namespace coffer::core {
namespace {

static_assert(sizeof(TreeFingerprint::Key) == crypto_shorthash_siphashx24_KEYBYTES);
static_assert(2 * sizeof(std::uint64_t) == crypto_shorthash_siphashx24_BYTES);

}  // namespace

TreeFingerprint::Key TreeFingerprint::new_key() {
  Key key;
  fill_random(std::as_writable_bytes(std::span(key)));
  return key;
}

TreeFingerprint::Sum TreeFingerprint::hash(const Path& path, const storage::Entry& entry) const {
  std::string text = path.str();
  text += entry.is_directory ? "\nfolder" : "\nfile";
  if (!entry.is_directory) {
    text += ' ' + std::to_string(entry.size_bytes);
    text += ' ' + std::to_string(entry.modified_at.time_since_epoch().count());
    text += ' ' + std::to_string(entry.file_id);
  }
  std::array<unsigned char, crypto_shorthash_siphashx24_BYTES> out;
  crypto_shorthash_siphashx24(out.data(), reinterpret_cast<const unsigned char*>(text.data()),
                              text.size(), key_.data());
  Sum sum;
  std::memcpy(sum.data(), out.data(), out.size());
  return sum;
}

void TreeFingerprint::add(const Path& path, const storage::Entry& entry) {
  const Sum item = hash(path, entry);
  for (std::size_t i = 0; i < item.size(); ++i) sum_.at(i) += item.at(i);
}

void TreeFingerprint::remove(const Path& path, const storage::Entry& entry) {
  const Sum item = hash(path, entry);
  for (std::size_t i = 0; i < item.size(); ++i) sum_.at(i) -= item.at(i);
}

}  // namespace coffer::core
