// Passkeys as browsers have them (WebAuthn). Not all can read and write its JSON themselves, so that is done here.
import { answerOf, type Schemas, v2 } from "./client";

type Descriptor = Schemas["PasskeyDescriptor"];
type Bytes = "clientDataJSON" | "authenticatorData";
/** A passkey in JSON; `Texts` are those of its answer, in base64url. */
type Credential<Texts extends string> = { type: string; id: string; response: Record<Bytes | Texts, string> };

/** Thrown where the server does not take a passkey: it is no account's, or was removed. */
export class PasskeyRefused extends Error {}

/** True if this browser knows passkeys: only pages that came by HTTPS, or from this machine, may ask for them. */
export function knowsPasskeys(): boolean {
  return typeof PublicKeyCredential === "function";
}

/** True if this browser offers passkeys among the names that it fills in. */
export async function fillsInPasskeys(): Promise<boolean> {
  return knowsPasskeys() && ((await PublicKeyCredential.isConditionalMediationAvailable?.()) ?? false);
}

function toBytes(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (sign) => sign.charCodeAt(0));
}

function toText(bytes: ArrayBuffer): string {
  const text = btoa(String.fromCharCode(...new Uint8Array(bytes)));
  return text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

function toDescriptor({ id, transports }: Descriptor): PublicKeyCredentialDescriptor {
  return { type: "public-key", id: toBytes(id), transports: [...transports] as AuthenticatorTransport[] };
}

export type Asking = {
  /** What a password was answered with: only that account's passkeys do. */
  challenge?: string | undefined;
  signal?: AbortSignal | undefined;
  /** Passkeys are offered in a field, and no window opens. */
  isSilent?: boolean;
  /** Only these do, by their ids. */
  allowed?: readonly string[];
};

/** Asks the person for a passkey; the answer as JSON. Rejects if there is none, or the person does not want to. */
export async function requestPasskey({
  challenge,
  signal,
  isSilent,
  allowed,
}: Asking): Promise<Credential<"signature">> {
  const body = challenge === undefined ? {} : { challenge };
  const options = await answerOf(v2.POST("/api/v2/session/passkey/options", { body }));
  const given = options.allowCredentials.map(toDescriptor);
  const own = (allowed ?? []).map((id) => toDescriptor({ type: "public-key", id, transports: [] }));
  const found = await navigator.credentials.get({
    ...(isSilent && { mediation: "conditional" as const }),
    ...(signal && { signal }),
    publicKey: {
      challenge: toBytes(options.challenge),
      rpId: options.rpId,
      timeout: options.timeout,
      allowCredentials: [...given, ...own],
      userVerification: "required",
    },
  });
  if (!(found instanceof PublicKeyCredential)) throw new DOMException("there is no passkey", "NotAllowedError");
  const response = found.response as AuthenticatorAssertionResponse;
  return {
    type: found.type,
    id: found.id,
    response: {
      clientDataJSON: toText(response.clientDataJSON),
      authenticatorData: toText(response.authenticatorData),
      signature: toText(response.signature),
      ...(response.userHandle && { userHandle: toText(response.userHandle) }),
    },
  };
}

/** Has the browser make a passkey; the answer as JSON. Rejects if it cannot, or the person does not want to. */
export async function makePasskey(): Promise<Credential<never>> {
  const options = await answerOf(v2.POST("/api/v2/account/passkeys/options"));
  const made = await navigator.credentials.create({
    publicKey: {
      rp: options.rp,
      user: { ...options.user, id: toBytes(options.user.id) },
      challenge: toBytes(options.challenge),
      pubKeyCredParams: options.pubKeyCredParams.map(({ alg }) => ({ type: "public-key", alg: alg })),
      timeout: options.timeout,
      excludeCredentials: options.excludeCredentials.map(toDescriptor),
      authenticatorSelection: { residentKey: "required", requireResidentKey: true, userVerification: "required" },
      attestation: "none",
    },
  });
  if (!(made instanceof PublicKeyCredential)) throw new DOMException("there is no passkey", "NotAllowedError");
  const response = made.response as AuthenticatorAttestationResponse;
  return {
    type: made.type,
    id: made.id,
    response: {
      clientDataJSON: toText(response.clientDataJSON),
      authenticatorData: toText(response.getAuthenticatorData()),
      ...{ transports: response.getTransports() },
    },
  };
}
