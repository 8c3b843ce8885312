#include "backends/rclone/providers/provider_table.h"

#include <algorithm>
#include <array>
#include <cstddef>

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

constexpr Option text(std::string_view name) {
  Option option;
  option.name = name;
  return option;
}

constexpr Option secret(Option option) {
  option.is_secret = true;
  return option;
}

constexpr Option secret(std::string_view name) {
  return secret(text(name));
}

constexpr Option choice(std::string_view name, std::string_view choices) {
  Option option = text(name);
  option.kind = OptionKind::choice;
  option.choices = choices;
  return option;
}

constexpr Option boolean(std::string_view name) {
  return choice(name, "true|false");
}
constexpr Option tristate(std::string_view name) {
  return choice(name, "true|false|unset");
}

constexpr Option address(Option option) {
  option.is_address = true;
  return option;
}

constexpr Option address(std::string_view name, OptionKind kind = OptionKind::url) {
  Option option = address(text(name));
  option.kind = kind;
  return option;
}

constexpr Option required(Option option) {
  option.is_required = true;
  return option;
}

constexpr Option together(Option option, std::string_view partner) {
  option.partner = partner;
  return option;
}

/// `rclone authorize`, or the dialogue after it, gives this option with the token.
constexpr Option found_at_login(Option option) {
  option.is_found_at_login = true;
  return option;
}

/// `config/providers` of 1.60 does not tell of it, though the provider reads it.
constexpr Option unlisted(Option option, std::string_view help) {
  option.help = help;
  return option;
}

constexpr Option token() {
  Option option = secret("token");
  option.kind = OptionKind::token;
  return option;
}

constexpr Option service_account() {
  Option option = secret("service_account_credentials");
  option.kind = OptionKind::service_account;
  return option;
}

/// Options of an OAuth login, before a provider's own. The addresses where tokens come from and are
/// renewed are among them, since a person's own application may need them.
template <std::size_t N>
constexpr std::array<Option, N + 5> with_oauth(const Option (&own)[N]) {
  std::array<Option, N + 5> all{text("client_id"), secret("client_secret"), token(),
                                address("auth_url"), address("token_url")};
  std::ranges::copy(own, all.begin() + 5);
  return all;
}

constexpr std::string_view kTokenHelp =
    "The JSON that `rclone authorize` prints on a machine with a browser.";

// The allowed options of each provider, as rclone 1.60.1 knows them.

// rclone builds https://ACCOUNT.ENDPOINT: an account is a label, and a part of the address.
constexpr Option kAzureBlob[] = {
    address("account", OptionKind::label),
    secret("key"),
    secret(address("sas_url")),
    address("endpoint", OptionKind::host),
    choice("access_tier", "hot|cool|archive"),
    boolean("archive_tier_delete"),
    choice("public_access", "blob|container"),
};

constexpr Option kB2[] = {
    required(text("account")), required(secret("key")), address("endpoint"),
    address("download_url"),   boolean("hard_delete"),
};

constexpr auto kBox = with_oauth({
    secret("access_token"),
    text("root_folder_id"),
    text("owned_by"),
});

// import_formats would turn uploads into documents whose size cannot be checked.
constexpr auto kDrive = with_oauth({
    service_account(),
    text("scope"),
    text("root_folder_id"),
    text("team_drive"),
    text("impersonate"),
    secret("resource_key"),
    text("export_formats"),
    boolean("auth_owner_only"),
    boolean("use_trash"),
    boolean("copy_shortcut_content"),
    boolean("skip_gdocs"),
    boolean("skip_checksum_gphotos"),
    boolean("shared_with_me"),
    boolean("trashed_only"),
    boolean("starred_only"),
    boolean("use_created_date"),
    boolean("use_shared_date"),
    boolean("acknowledge_abuse"),
    boolean("keep_revision_forever"),
    boolean("skip_shortcuts"),
    boolean("skip_dangling_shortcuts"),
});

// shared_folders would mount others' folders into the account whenever one is opened.
constexpr auto kDropbox = with_oauth({
    text("impersonate"),
});

constexpr Option kFichier[] = {
    secret("api_key"),
    text("shared_folder"),
    secret("file_password"),
    secret("folder_password"),
};

// token, token_expiry and version are rclone's own notes.
constexpr Option kFileFabric[] = {
    required(address("url")),
    required(secret("permanent_token")),
    text("root_folder_id"),
};

constexpr auto kGoogleCloud = with_oauth({
    service_account(),
    boolean("anonymous"),
    text("project_number"),
    text("object_acl"),
    text("bucket_acl"),
    boolean("bucket_policy_only"),
    text("location"),
    text("storage_class"),
    boolean("no_check_bucket"),
    address("endpoint"),
});

constexpr auto kHiDrive = with_oauth({
    choice("scope_access", "rw|ro"),
    choice("scope_role", "user|admin|owner"),
    text("root_prefix"),
    address("endpoint"),
    boolean("disable_fetching_member_count"),
});

constexpr Option kInternetArchive[] = {
    together(text("access_key_id"), "secret_access_key"),
    together(secret("secret_access_key"), "access_key_id"),
    address("endpoint"),
    address("front_endpoint"),
};

// `rclone authorize` does not serve it: its token is the one that `rclone config` noted elsewhere.
// Each renewal makes the one before useless, so no other rclone may go on using it. Only a
// configVersion of 1 is allowed: with 0 a client_secret that is not obscured ends the whole of
// rclone.
constexpr Option kJottacloud[] = {
    unlisted(token(),
             "The token that `rclone config` noted elsewhere, where it is then used no more."),
    unlisted(required(choice("configVersion", "1")), "Always 1."),
    unlisted(address("tokenURL"), "Where the token is renewed, as `rclone config` noted it."),
    unlisted(text("client_id"), "As `rclone config` noted it."),
    unlisted(text("username"), "As `rclone config` noted it."),
    unlisted(text("device"), "The device to use. Leave blank normally."),
    unlisted(text("mountpoint"), "The mount point to use. Leave blank normally."),
    boolean("trashed_only"),
    boolean("hard_delete"),
    boolean("no_versions"),
};

constexpr Option kKoofr[] = {
    address(choice("provider", "koofr|digistorage|other")),
    address("endpoint"),
    required(text("user")),
    required(secret("password")),
    text("mountid"),
    boolean("setmtime"),
};

constexpr Option kMailru[] = {
    required(text("user")),
    required(secret("pass")),
    boolean("speedup_enable"),
    boolean("check_hash"),
};

constexpr auto kOneDrive = with_oauth({
    address(choice("region", "global|us|de|cn")),
    found_at_login(required(text("drive_id"))),
    found_at_login(required(choice("drive_type", "personal|business|documentLibrary"))),
    text("root_folder_id"),
    text("access_scopes"),
    boolean("disable_site_permission"),
    boolean("expose_onenote_files"),
    boolean("no_versions"),
});

constexpr Option kOpenDrive[] = {
    required(text("username")),
    required(secret("password")),
};

// rclone keeps the host for all its remotes of this kind: only pCloud's own two. Its name and
// password are for a command alone that Coffer does not use.
constexpr auto kPcloud = with_oauth({
    address(choice("hostname", "api.pcloud.com|eapi.pcloud.com")),
    text("root_folder_id"),
});

constexpr Option kPremiumize[] = {unlisted(token(), kTokenHelp), secret("api_key")};

constexpr Option kPutio[] = {unlisted(token(), kTokenHelp)};

// The region is a part of Amazon's host names.
constexpr Option kS3[] = {
    text("provider"),
    together(text("access_key_id"), "secret_access_key"),
    together(secret("secret_access_key"), "access_key_id"),
    secret("session_token"),
    address("region", OptionKind::label),
    address("endpoint", OptionKind::endpoint),
    address("download_url"),
    text("location_constraint"),
    text("acl"),
    text("bucket_acl"),
    text("storage_class"),
    text("server_side_encryption"),
    text("sse_customer_algorithm"),
    text("sse_kms_key_id"),
    secret("sse_customer_key"),
    secret("sse_customer_key_base64"),
    secret("sse_customer_key_md5"),
    boolean("requester_pays"),
    boolean("force_path_style"),
    boolean("v2_auth"),
    boolean("use_accelerate_endpoint"),
    boolean("no_check_bucket"),
    choice("list_version", "0|1|2"),
    tristate("list_url_encode"),
    tristate("use_multipart_etag"),
    boolean("use_presigned_request"),
};

constexpr Option kSeafile[] = {
    required(address("url")), required(text("user")),    secret("pass"),
    boolean("2fa"),           secret("auth_token"),      text("library"),
    secret("library_key"),    boolean("create_library"),
};

constexpr Option kShareFile[] = {
    unlisted(token(), kTokenHelp),
    found_at_login(required(address("endpoint"))),
    text("root_folder_id"),
};

// authorization, user, root_id and others are rclone's own notes.
constexpr Option kSugarSync[] = {
    required(secret("refresh_token")), text("app_id"),         text("access_key_id"),
    secret("private_access_key"),      boolean("hard_delete"),
};

constexpr Option kSwift[] = {
    text("user"),
    secret("key"),
    address("auth"),
    text("user_id"),
    text("domain"),
    text("tenant"),
    text("tenant_id"),
    text("tenant_domain"),
    text("region"),
    address("storage_url"),
    secret("auth_token"),
    text("application_credential_id"),
    text("application_credential_name"),
    secret("application_credential_secret"),
    choice("auth_version", "0|1|2|3"),
    choice("endpoint_type", "public|internal|admin"),
    text("storage_policy"),
};

// headers would reach into what is between rclone and the server.
constexpr Option kWebDav[] = {
    required(address("url")),
    choice("vendor", "nextcloud|owncloud|sharepoint|sharepoint-ntlm|other"),
    text("user"),
    secret("pass"),
    secret("bearer_token"),
};

constexpr auto kYandex = with_oauth({
    boolean("hard_delete"),
});

// rclone keeps the region for all its remotes of this kind: only Zoho's own.
constexpr auto kZoho = with_oauth({
    required(address(choice("region", "com|eu|in|jp|com.cn|com.au"))),
    text("root_folder_id"),
});

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
