import type { AuthSettings } from "../access/auth_settings.ts";
import { ConfigurationError } from "../../../errors.ts";

/** How the server listens for HTTP. */
export interface HttpSettings {
  /** Address to listen on. */
  readonly hostname: string;
  /** Port; 0 for any free one. */
  readonly port: number;
  /** Secret that every request must bear; `undefined` where there is none. */
  readonly token: string | undefined;
  /** Issuers of further accepted tokens; `undefined` for none. */
  readonly auth?: AuthSettings | undefined;
  /** Names that the `Host` header may carry. */
  readonly hosts: readonly string[];
  /** Host names of the web pages that may ask; requests without an `Origin` are no web page's. */
  readonly origins: readonly string[];
}

const LOOPBACK = ["localhost", "127.0.0.1", "[::1]"];
const MIN_TOKEN_LENGTH = 16;

/**
 * Reads where to listen: `HOST:PORT`, `:PORT` or `PORT`; loopback when no host is named.
 *
 * @param allowed The bearer token, whose tokens are accepted besides, and further hosts and origins.
 * @throws {ConfigurationError} for an address that is none, and for one off loopback without tokens.
 */
export function httpSettings(
  address: string,
  allowed: {
    token: string | undefined;
    auth?: AuthSettings | undefined;
    hasTenants?: boolean;
    hosts: readonly string[];
    origins: readonly string[];
  },
): HttpSettings {
  const [, host = "", digits = ""] = /^(?:(\[[0-9a-fA-F:.]+\]|[^:[\]]*):)?(\d{1,5})$/.exec(address) ?? [];
  const port = Number(digits);
  if (digits === "" || port > 65_535) {
    throw new ConfigurationError(`Cannot listen on "${address}": give HOST:PORT, for example 127.0.0.1:3911`);
  }
  const { token, auth, hasTenants = false } = allowed;
  if (token !== undefined && token.length < MIN_TOKEN_LENGTH) {
    throw new ConfigurationError(
      `Cannot use PLATFORM_ADS_MCP_TOKEN: it is shorter than ${MIN_TOKEN_LENGTH} characters`,
    );
  }
  const hostname = host === "" ? "127.0.0.1" : host.toLowerCase();
  const isLoopback = LOOPBACK.includes(hostname) || /^127(\.\d{1,3}){3}$/.test(hostname);
  if (!isLoopback && token === undefined && auth === undefined && !hasTenants) {
    throw new ConfigurationError(
      `Cannot listen on "${address}": off loopback every request must bear a token. Set PLATFORM_ADS_MCP_TOKEN, or --auth-issuer and --auth-audience`,
    );
  }
  const isEverywhere = hostname === "0.0.0.0" || hostname === "[::]";
  // The name by which clients know the server stands in their tokens.
  const hosts = [...allowed.hosts, ...(auth === undefined ? [] : [new URL(auth.audience).hostname])];
  if (isEverywhere && hosts.length === 0) {
    throw new ConfigurationError(
      `Cannot listen on "${address}": say by which name clients reach it, with --allow-host NAME`,
    );
  }
  return {
    hostname: hostname.replace(/^\[|\]$/g, ""),
    port,
    token,
    auth,
    hosts: [...new Set([...LOOPBACK, ...(isEverywhere ? [] : [hostname]), ...hosts])],
    origins: [...new Set([...LOOPBACK, ...allowed.origins])],
  };
}
