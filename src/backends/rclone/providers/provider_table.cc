#include "backends/rclone/providers/provider_table.h"

#include <algorithm>

#include "backends/rclone/providers/option_tables.h"

// Left out are providers
// - that read this machine or wrap another remote: local, alias, cache, chunker, combine, compress,
//   crypt, hasher, memory, union;
// - that are no clouds, or have their own connector: ftp, sftp, smb, http, hdfs (which also logs in
//   with the machine's Kerberos tickets), sia;
// - that need files or the machine's identity: oracleobjectstorage;
// - that are shut down: amazon cloud drive, uptobox;
// - that can neither move nor copy on the server, so that no upload could be published in one step:
//   google photos (which tells no sizes either), netstorage;
// - that Debian's rclone is built without, so that nothing of them was tried: mega, qingstor,
// storj.
//
// Left out everywhere are options that name a file or a command, take the machine's environment or
// identity, cost much memory (chunk_size, upload_concurrency, memory_pool_*, copy_cutoff), weaken
// what Coffer relies on (encoding, disable_checksum, no_head*, decompress, might_gzip, versions,
// batch_*, size_as_quota), or concern what Coffer does not do (link_*, pacer_*, list_chunk).

namespace coffer::rclone {
namespace {

using namespace tables;

constexpr bool kAuthorized = true;
constexpr Login kToken[] = {{"token"}};
constexpr Login kAzureBlobLogins[] = {{"account", "key"}, {"sas_url"}};
constexpr Login kBoxLogins[] = {{"token"}, {"access_token"}};
constexpr Login kDriveLogins[] = {{"token"}, {"service_account_credentials"}};
// Without one of them rclone takes the machine's own identity.
constexpr Login kGoogleCloudLogins[] = {{"token"}, {"service_account_credentials"}, {"anonymous"}};
constexpr Login kPremiumizeLogins[] = {{"token"}, {"api_key"}};
constexpr Login kSeafileLogins[] = {{"pass"}, {"auth_token"}};
constexpr Login kSwiftLogins[] = {
    {"auth", "key"}, {"auth", "application_credential_secret"}, {"storage_url", "auth_token"}};

constexpr Provider kProviders[] = {
    {"azureblob", kAzureBlob, kAzureBlobLogins},
    {"b2", kB2},
    {"box", kBox, kBoxLogins, kAuthorized},
    {"drive", kDrive, kDriveLogins, kAuthorized},
    {"dropbox", kDropbox, kToken, kAuthorized},
    {"fichier", kFichier},
    {"filefabric", kFileFabric},
    {"google cloud storage", kGoogleCloud, kGoogleCloudLogins, kAuthorized},
    {"hidrive", kHiDrive, kToken, kAuthorized},
    {"internetarchive", kInternetArchive},
    {"jottacloud", kJottacloud, kToken},
    {"koofr", kKoofr},
    {"mailru", kMailru},
    {"onedrive", kOneDrive, kToken, kAuthorized},
    {"opendrive", kOpenDrive},
    {"pcloud", kPcloud, kToken, kAuthorized},
    {"premiumizeme", kPremiumize, kPremiumizeLogins, kAuthorized},
    {"putio", kPutio, kToken, kAuthorized},
    {"s3", kS3},
    {"seafile", kSeafile, kSeafileLogins},
    {"sharefile", kShareFile, kToken, kAuthorized},
    {"sugarsync", kSugarSync},
    {"swift", kSwift, kSwiftLogins},
    {"webdav", kWebDav},
    {"yandex", kYandex, kToken, kAuthorized},
    {"zoho", kZoho, kToken, kAuthorized},
};
static_assert(std::ranges::is_sorted(kProviders, {}, &Provider::type));

}  // namespace

std::span<const Provider> provider_table() {
  return kProviders;
}

const Provider* find_provider(std::string_view type) {
  const auto* const found = std::ranges::find(kProviders, type, &Provider::type);
  return found == std::ranges::end(kProviders) ? nullptr : found;
}

const Option* find_option(const Provider& provider, std::string_view name) {
  const auto found = std::ranges::find(provider.options, name, &Option::name);
  return found == provider.options.end() ? nullptr : &*found;
}

}  // namespace coffer::rclone
