import { ConfigurationError, PlatformAdsError } from "../../errors.ts";
import { StoreError } from "../model/store_error.ts";

const SETTINGS: Readonly<Record<string, string>> = {
  "28P01": "the server refuses the password. Check user and password in its address",
  "28000":
    "the server rejects this user from this host. Check the user, the server's pg_hba.conf, and whether it " +
    "requires encryption (?sslmode=require)",
  "3D000": "there is no such database. Make it with: createdb",
  ENOTFOUND: "its host is not known. Check the name in its address",
  TLS_NOT_OFFERED:
    "the server does not support encryption. Turn on its ssl, or leave out sslmode on a trusted network",
  NO_PASSWORD: "the server asks for a password. Give one in its address",
  SASL_SIGNATURE_MISMATCH: "the server cannot prove that it knows the password. Check its address",
};

const REASONS: Readonly<Record<string, string>> = {
  "42501": "this user lacks rights. Grant the ones listed in docs/scaling.md",
  "25006": "the server is read-only: it is a replica or configured so. Use the address of the primary",
  "53100": "the server's disk is full. Stored data is unchanged; free space and run it again",
  "53300": "the server takes no more connections. Run fewer workers or raise max_connections",
  "55P03": "another process has held it for two minutes",
  "57P01": "the server closed the connection; unfinished writes were rolled back. Run it again",
  "57P03": "the server is starting up or shutting down. Try again in a moment",
  ECONNREFUSED: "no server responds there. Check that it is running, and its host and port",
  CONNECT_TIMEOUT: "no server responded within 10 s. Check its host and port, and firewalls",
  CONNECTION_CLOSED: "the connection was lost; unfinished writes were rolled back. Run it again",
  CONNECTION_ENDED: "it was closed already",
  ECONNRESET: "the connection was lost; unfinished writes were rolled back. Run it again",
  EPIPE: "the connection was lost; unfinished writes were rolled back. Run it again",
};

const CERTIFICATE = /^(?:ERR_TLS_CERT_|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/;

export function storeError(error: unknown, location: string): unknown {
  if (error instanceof PlatformAdsError) return error;
  const code = codeOf(error);
  if (code === undefined) return error;
  const message = (why: string): string => `Cannot use store "${location}": ${why}`;
  const settings = CERTIFICATE.test(code)
    ? `the server's certificate is refused: ${
      (error as Error).message
    }. Check the host in its address and sslrootcert`
    : SETTINGS[code];
  if (settings !== undefined) return new ConfigurationError(message(settings), { cause: error });
  return new StoreError(message(REASONS[code] ?? (error as Error).message), { cause: error });
}

const MESSAGES: readonly (readonly [message: RegExp, code: string])[] = [
  [/^timeout expired$|due to connection timeout/, "CONNECT_TIMEOUT"],
  [/^Connection terminated|not queryable$|^This socket has been ended/, "CONNECTION_CLOSED"],
  [/after calling end on the pool/, "CONNECTION_ENDED"],
  [/does not support SSL|establishing an SSL connection/, "TLS_NOT_OFFERED"],
  [/client password must be/, "NO_PASSWORD"],
  [/server signature does not match/, "SASL_SIGNATURE_MISMATCH"],
];

const AWAY = /^(?:57P0[123]|08\d{3}|CONNECTION_CLOSED|CONNECT_TIMEOUT|ECONN(?:REFUSED|RESET|ABORTED)|EPIPE)$/;

export function isAway(error: unknown): boolean {
  const { cause } = error as { cause?: unknown };
  const code = codeOf(error instanceof StoreError ? cause : error);
  return code !== undefined && AWAY.test(code);
}

export function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if ("code" in error && typeof error.code === "string") return error.code;
  if (error instanceof AggregateError) return codeOf(error.errors[0]);
  return MESSAGES.find(([message]) => message.test(error.message))?.[1];
}

const [MAX_AWAY, PAUSE] = [60_000, 250];

/**
 * Retries while the server is unavailable, such as during a restart; only for repeatable work. Separate from
 * `RetryPolicy`, which is about HTTP responses.
 *
 * @throws whatever the work throws, or the last error if the server stays unavailable for a minute.
 */
export async function retryWhileUnavailable<T>(work: () => Promise<T>): Promise<T> {
  const began = performance.now();
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isAway(error) || performance.now() - began > MAX_AWAY) throw error;
      await new Promise((done) => setTimeout(done, PAUSE));
    }
  }
}
