import type { AuthSettings } from "../access/auth_settings.ts";
import { ConfigurationError } from "../../../errors.ts";

export interface HttpSettings {
  readonly hostname: string;
  readonly port: number;
  readonly token: string | undefined;
  readonly auth?: AuthSettings | undefined;
  readonly hosts: readonly string[];
  /** Host names of web pages that may send requests. Requests without `Origin` do not come from a web page. */
  readonly origins: readonly string[];
}

const LOOPBACK = ["localhost", "127.0.0.1", "[::1]"];
const MIN_TOKEN_LENGTH = 16;

/**
 * Accepts `HOST:PORT`, `:PORT` or `PORT`; the default host is loopback.
 *
 * @throws {ConfigurationError} for an invalid address, or one beyond loopback without tokens.
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
