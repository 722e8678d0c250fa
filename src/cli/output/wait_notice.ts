import type { TransportEvent } from "../../transport/transport_options.ts";
import type { CliContext } from "../core/context.ts";

/** Seconds of waiting that are not reported, and between two notices. */
const QUIET_SECONDS = 5;

/** Reports on stderr which request waits for its next attempt, and why. */
export function waitNotice({ io, globals }: CliContext): (event: TransportEvent) => void {
  const seen = new Map<string, { status: number | undefined; waited: number }>();
  let reportedAt = -Infinity;
  return ({ kind, method, url, status, seconds, waitsFor }) => {
    if (globals.quiet || kind === "pace") return;
    const key = `${method} ${url}`;
    const before = seen.get(key)?.waited ?? 0;
    if (kind !== "wait") {
      if (status !== undefined && status < 400) seen.delete(key);
      else seen.set(key, { status, waited: before });
      return;
    }
    const known = seen.get(key)?.status;
    seen.set(key, { status: known, waited: before + seconds });
    if (before + seconds < QUIET_SECONDS || io.now() - reportedAt < QUIET_SECONDS * 1000) return;
    reportedAt = io.now();
    const why = known === undefined ? "no response came" : `the response was ${known}`;
    const what = waitsFor === "exports"
      ? `Waiting until one of five exports is done, for ${key}`
      : `Waiting ${Math.ceil(seconds)} s to try ${key} again: ${why}`;
    void io.stderr.write(`${what}. Ctrl-C ends it\n`);
  };
}
