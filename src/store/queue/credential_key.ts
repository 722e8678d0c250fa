import { createHash } from "node:crypto";

export function credentialKey(clientId: string): string {
  return createHash("sha256").update(`platform-ads credential ${clientId}`).digest("hex").slice(0, 32);
}
