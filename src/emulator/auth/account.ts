import { createHmac } from "node:crypto";
import type { Credentials } from "../../connection/credentials.ts";

/** The application that the emulator knows, and the secret it signs its tokens with; both follow from the seed. */
export interface Account {
  /** Credentials for clients. */
  readonly credentials: Credentials;
  /** Signs tokens. */
  readonly key: string;
}

/** The account of a seed: always the same one. */
export function accountOf(seed: string): Account {
  const part = (name: string) => createHmac("sha256", `emulator ${seed}`).update(name).digest("hex");
  return {
    credentials: {
      clientId: `platform-application.${part("client").slice(0, 32)}`,
      clientSecret: `emulator-secret.${part("secret")}`,
      refreshToken: `Atzr|${part("refresh")}`,
    },
    key: part("key"),
  };
}
