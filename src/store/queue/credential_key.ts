import { createHash } from "node:crypto";

/** Key of a credential where processes share a pace: a hash of its client id, which does not reveal the id. */
export function credentialKey(clientId: string): string {
  return createHash("sha256").update(`platform-ads credential ${clientId}`).digest("hex").slice(0, 32);
}
