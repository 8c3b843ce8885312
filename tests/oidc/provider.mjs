// A provider of OpenID Connect on loopback (oidc-provider), with one client: this program's only argument tells which, as JSON.

import { generateKeyPairSync } from "node:crypto";
import Provider from "oidc-provider";

const { port, algorithm, groups, client, secret, redirect, home, backchannel } = JSON.parse(process.argv[2]);

const KINDS = {
  RS256: ["rsa", { modulusLength: 2048 }],
  PS256: ["rsa", { modulusLength: 2048 }],
  ES256: ["ec", { namedCurve: "P-256" }],
  EdDSA: ["ed25519", {}],
};
const { privateKey } = generateKeyPairSync(...KINDS[algorithm]);

const provider = new Provider(`http://127.0.0.1:${port}`, {
  jwks: { keys: [{ ...privateKey.export({ format: "jwk" }), use: "sig", alg: algorithm }] },
  clients: [
    {
      client_id: client,
      client_secret: secret,
      redirect_uris: [redirect],
      post_logout_redirect_uris: [home],
      id_token_signed_response_alg: algorithm,
      ...(backchannel ? { backchannel_logout_uri: backchannel, backchannel_logout_session_required: true } : {}),
    },
  ],
  claims: { openid: ["sub"], profile: ["name", "preferred_username", "groups"] },
  enabledJWA: { idTokenSigningAlgValues: Object.keys(KINDS) },
  features: { backchannelLogout: { enabled: true }, devInteractions: { enabled: true } },
  // Without its own dispatcher, which refuses addresses of loopback.
  fetch: (address, { dispatcher, ...options }) => fetch(address, options),
  cookies: { keys: ["of a test"] },
  findAccount: (_context, name) => ({
    accountId: name,
    claims: () => ({ sub: name, name: `The person ${name}`, preferred_username: name, groups: groups[name] }),
  }),
});

provider.on("backchannel.error", (_context, error) => process.stderr.write(`back-channel: ${error.stack} ${error.cause}\n`));
provider.listen(port, "127.0.0.1", () => process.stdout.write("ready\n"));
