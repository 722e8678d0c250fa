import type { Region } from "../../base/markets/markets.ts";

/** Names of the headers that every request carries; they differ between deployments of the platform. */
export interface PlatformHeaders {
  /** Header with the client id. @default "Platform-Advertising-API-ClientId" */
  readonly clientId: string;
  /** Header with the id of the profile that a request is about. @default "Platform-Advertising-API-Scope" */
  readonly scope: string;
  /** Response header with the platform's request id. @default "x-platform-request-id" */
  readonly requestId: string;
}

/** Hosts, header names and the wire word of the platform. */
export interface Platform {
  /** The API host of each region; a region without a host is skipped. */
  readonly regions: Readonly<Partial<Record<Region, { readonly baseUrl: string }>>>;
  /** Token endpoint of the identity provider. */
  readonly tokenUrl: string;
  /** Consent page of the identity provider; only needed for the first consent. */
  readonly authorizeUrl?: string;
  /** The sandbox host, which serves all regions. */
  readonly sandboxUrl?: string;
  /** The hosted tool server. */
  readonly mcpUrl?: string;
  /** Header names. */
  readonly headers: PlatformHeaders;
  /**
   * The platform's own word, which replaces `platform` in paths, header names and media types, and in names and values
   * of bodies that are published with it.
   */
  readonly wireWord: string;
  /** The short form of that word, for the few places that use it. @default wireWord */
  readonly wireShortWord?: string;
  /**
   * Time of the account copy that the emulator serves, ISO 8601. Plans record it and can only be applied to
   * that copy. @default absent: an account of its own
   */
  readonly rehearsal?: string;
}

export const DEFAULT_HEADERS: PlatformHeaders = {
  clientId: "Platform-Advertising-API-ClientId",
  scope: "Platform-Advertising-API-Scope",
  requestId: "x-platform-request-id",
};

/**
 * Replaces the neutral word `platform` by the platform's own, keeping case: `Platform-Ads-AccountId` becomes
 * `Acme-Ads-AccountId` for `acme`.
 */
export function onWire(text: string, wireWord: string): string {
  if (wireWord === "platform") return text;
  return text.replace(/platform/gi, (found) => {
    if (found === found.toUpperCase()) return wireWord.toUpperCase();
    if (found[0] === "P") return wireWord.charAt(0).toUpperCase() + wireWord.slice(1);
    return wireWord;
  });
}
