import { ConfigurationError } from "../../errors.ts";

/** How the server listens for HTTP. */
export interface HttpSettings {
  /** Address to listen on. */
  readonly hostname: string;
  /** Port; 0 for any free one. */
  readonly port: number;
  /** Secret that every request must bear; `undefined` on a loopback address that asks for none. */
  readonly token: string | undefined;
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
 * @param allowed The bearer token, and further hosts and origins.
 * @throws {ConfigurationError} for an address that is none, and for one off loopback without a token.
 */
export function httpSettings(
  address: string,
  allowed: { token: string | undefined; hosts: readonly string[]; origins: readonly string[] },
): HttpSettings {
  const [, host = "", digits = ""] = /^(?:(\[[0-9a-fA-F:.]+\]|[^:[\]]*):)?(\d{1,5})$/.exec(address) ?? [];
  const port = Number(digits);
  if (digits === "" || port > 65_535) {
    throw new ConfigurationError(`Cannot listen on "${address}": give HOST:PORT, for example 127.0.0.1:3911`);
  }
  const { token } = allowed;
  if (token !== undefined && token.length < MIN_TOKEN_LENGTH) {
    throw new ConfigurationError(
      `Cannot use PLATFORM_ADS_MCP_TOKEN: it is shorter than ${MIN_TOKEN_LENGTH} characters`,
    );
  }
  const hostname = host === "" ? "127.0.0.1" : host.toLowerCase();
  const isLoopback = LOOPBACK.includes(hostname) || /^127(\.\d{1,3}){3}$/.test(hostname);
  if (!isLoopback && token === undefined) {
    throw new ConfigurationError(
      `Cannot listen on "${address}": off loopback every request must bear a token. Set PLATFORM_ADS_MCP_TOKEN`,
    );
  }
  const isEverywhere = hostname === "0.0.0.0" || hostname === "[::]";
  if (isEverywhere && allowed.hosts.length === 0) {
    throw new ConfigurationError(
      `Cannot listen on "${address}": say by which name clients reach it, with --allow-host NAME`,
    );
  }
  return {
    hostname: hostname.replace(/^\[|\]$/g, ""),
    port,
    token,
    hosts: [...new Set([...LOOPBACK, ...(isEverywhere ? [] : [hostname]), ...allowed.hosts])],
    origins: [...new Set([...LOOPBACK, ...allowed.origins])],
  };
}
