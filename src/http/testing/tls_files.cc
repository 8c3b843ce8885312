#include "http/testing/tls_files.h"

#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

#include <cstdio>
#include <memory>
#include <stdexcept>

namespace coffer::http {
namespace {

template <auto kFree>
struct Freeing {
  template <class Object>
  void operator()(Object* object) const {
    kFree(object);
  }
};
using Key = std::unique_ptr<EVP_PKEY, Freeing<&EVP_PKEY_free>>;
using Certificate = std::unique_ptr<X509, Freeing<&X509_free>>;
using File = std::unique_ptr<std::FILE, Freeing<&std::fclose>>;

void check(bool works) {
  if (!works) throw std::runtime_error("no certificate could be made");
}

Certificate certificate_of(EVP_PKEY* key, std::chrono::seconds valid_for) {
  Certificate made(X509_new());
  X509_set_version(made.get(), X509_VERSION_3);
  ASN1_INTEGER_set(X509_get_serialNumber(made.get()), static_cast<long>(::time(nullptr)));
  X509_gmtime_adj(X509_getm_notBefore(made.get()), -2 * 24 * 3600);
  X509_gmtime_adj(X509_getm_notAfter(made.get()), static_cast<long>(valid_for.count()));
  X509_NAME* const name = X509_get_subject_name(made.get());
  const auto* const host = reinterpret_cast<const unsigned char*>("localhost");
  check(X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, host, -1, -1, 0) == 1);
  X509_set_issuer_name(made.get(), name);
  X509_EXTENSION* const names =
      X509V3_EXT_conf_nid(nullptr, nullptr, NID_subject_alt_name, "DNS:localhost,IP:127.0.0.1");
  check(names != nullptr && X509_add_ext(made.get(), names, -1) == 1);
  X509_EXTENSION_free(names);
  check(X509_set_pubkey(made.get(), key) == 1 && X509_sign(made.get(), key, EVP_sha256()) > 0);
  return made;
}

}  // namespace

TlsOptions make_tls_files(const std::filesystem::path& folder, const std::string& name,
                          std::chrono::seconds valid_for) {
  TlsOptions made{folder / (name + ".crt"), folder / (name + ".key")};
  const Key key(EVP_EC_gen("P-256"));
  check(key != nullptr);
  const Certificate certificate = certificate_of(key.get(), valid_for);
  const File of_certificate(std::fopen(made.certificate.c_str(), "w"));
  const File of_key(std::fopen(made.key.c_str(), "w"));
  check(of_certificate && PEM_write_X509(of_certificate.get(), certificate.get()) == 1);
  check(of_key &&
        PEM_write_PrivateKey(of_key.get(), key.get(), nullptr, nullptr, 0, nullptr, nullptr) == 1);
  return made;
}

}  // namespace coffer::http
