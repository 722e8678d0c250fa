import { UsageError } from "../core/errors/cli_error.ts";

/**
 * Reads an address to serve on, such as `127.0.0.1:9464` or `[::1]:9464`.
 *
 * @throws {UsageError} for another text.
 */
export function hostAndPort(text: string): { host: string; port: number } {
  const [, host, port] = /^(.+):(\d{1,5})$/.exec(text) ?? [];
  if (host === undefined || Number(port) > 65_535) {
    throw new UsageError(`Cannot serve at "${text}": it is not HOST:PORT, as in 127.0.0.1:9464`);
  }
  return { host: host.replace(/^\[(.*)\]$/, "$1"), port: Number(port) };
}
