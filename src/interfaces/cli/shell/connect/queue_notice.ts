import type { TransportEvent } from "../../../../platform/transport/transport_options.ts";
import type { CliContext } from "../context/context.ts";
import type { PaceReport } from "../../../../platform/transport/pacer/pacer.ts";

const QUIET_SECONDS = 10;
const REPEAT_SECONDS = 60;
const LOOK_EVERY = 1000;

export class QueueNotice {
  readonly #context: Pick<CliContext, "io" | "globals">;
  readonly #paces: () => readonly PaceReport[];
  readonly #since = new Map<string, number>();
  #reportedAt = -Infinity;

  constructor(context: Pick<CliContext, "io" | "globals">, paces: () => readonly PaceReport[]) {
    this.#context = context;
    this.#paces = paces;
  }

  start(): () => void {
    const timer = setInterval(() => void this.look(), LOOK_EVERY);
    return () => clearInterval(timer);
  }

  async look(): Promise<void> {
    const { io, globals } = this.#context;
    if (globals.quiet) return;
    const now = io.now();
    for (const { host, group, rate, waiting } of this.#paces()) {
      const key = `${group} to ${host}`;
      if (waiting === 0) {
        this.#since.delete(key);
        continue;
      }
      const since = this.#since.get(key) ?? now;
      this.#since.set(key, since);
      if (now - since < QUIET_SECONDS * 1000 || now - this.#reportedAt < REPEAT_SECONDS * 1000) continue;
      this.#reportedAt = now;
      const pace = rate === undefined ? "" : `, which leave at ${rate.toFixed(1)} a second`;
      const queue = waiting === 1 ? "1 request waits" : `${waiting} requests wait`;
      await io.stderr.write(
        `Waiting for the pace that the platform allows for ${key}${pace}: ${queue} for a turn. Ctrl-C ends it\n`,
      );
    }
  }
}

const QUIET_WAIT_SECONDS = 5;

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
    if (before + seconds < QUIET_WAIT_SECONDS || io.now() - reportedAt < QUIET_WAIT_SECONDS * 1000) return;
    reportedAt = io.now();
    const why = known === undefined ? "no response came" : `the response was ${known}`;
    const what = waitsFor === "exports"
      ? `Waiting until one of five exports is done, for ${key}`
      : `Waiting ${Math.ceil(seconds)} s to try ${key} again: ${why}`;
    void io.stderr.write(`${what}. Ctrl-C ends it\n`);
  };
}
