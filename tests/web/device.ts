// A device with passkeys, as the debugger of Chromium makes one.
import type { CDPSession, Page } from "playwright-core";

/** A device with a lock that keeps passkeys, as the debugger makes one for a page. */
export class Device {
  private readonly devtools: CDPSession;
  private readonly id: string;

  private constructor(devtools: CDPSession, id: string) {
    this.devtools = devtools;
    this.id = id;
  }

  static async of(page: Page, isUserVerified = true): Promise<Device> {
    const devtools = await page.context().newCDPSession(page);
    await devtools.send("WebAuthn.enable", { enableUI: false });
    const { authenticatorId } = await devtools.send("WebAuthn.addVirtualAuthenticator", {
      options: {
        protocol: "ctap2",
        transport: "internal",
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified,
        automaticPresenceSimulation: true,
      },
    });
    return new Device(devtools, authenticatorId);
  }

  async passkeys() {
    const { credentials } = await this.devtools.send("WebAuthn.getCredentials", { authenticatorId: this.id });
    return credentials;
  }

  async take(credentials: Credentials): Promise<void> {
    for (const credential of credentials) {
      await this.devtools.send("WebAuthn.addCredential", { authenticatorId: this.id, credential });
    }
  }

  /** Whether it knows its person from now on. */
  async verify(isUserVerified: boolean): Promise<void> {
    await this.devtools.send("WebAuthn.setUserVerified", { authenticatorId: this.id, isUserVerified });
  }

  async remove(): Promise<void> {
    await this.devtools.send("WebAuthn.removeVirtualAuthenticator", { authenticatorId: this.id });
  }
}

export type Credentials = Awaited<ReturnType<Device["passkeys"]>>;
