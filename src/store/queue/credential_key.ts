import { createHash } from "node:crypto";

/** Hash of a client id: the key of a credential for a shared pace. */
export function credentialKey(clientId: string): string {
  return createHash("sha256").update(`platform-ads credential ${clientId}`).digest("hex").slice(0, 32);
}
