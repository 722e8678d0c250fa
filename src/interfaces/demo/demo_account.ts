import { readFileSync } from "node:fs";
import type { Credentials } from "../../platform/connection/credentials.ts";
import type { Platform } from "../../platform/connection/platform.ts";
import { Emulator } from "../../emulator/emulator.ts";
import { PlatformAdsError } from "../../errors.ts";
import { realSleep, SteadyClock } from "../../base/time/clock.ts";
import {
  announceDemo,
  type DemoFiles,
  demoFiles,
  isUnwritable,
  servedDemo,
  UnwritableDemoError,
  withdrawDemo,
} from "./demo_files.ts";
import { DemoLock } from "./demo_lock.ts";
import { rehearsedAccount } from "./rehearsal.ts";

const MAX_WAIT = 60;
const POLL = 0.05;
const REPORT_AFTER = 1;
/** Seconds between polls: the account completes reports and jobs at once. */
const MAX_POLL = 1;

/** Longest time in milliseconds that requests within the process keep signals and timers waiting. */
const MAX_BUSY = 20;

export interface DemoAccount {
  readonly platform: Platform;
  readonly credentials: Credentials;
  readonly maxPoll: number;
  /** Takes over serving the account if the process that served it has ended. */
  readonly fetch: typeof globalThis.fetch;
  /** Epoch milliseconds of the account's clock, which `adsctl demo advance` moves. */
  readonly now: () => number;
  close(): Promise<void>;
}

export interface DemoOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  readonly fetch?: typeof globalThis.fetch | undefined;
  /**
   * Lets other processes use the account meanwhile, for long-running processes.
   *
   * @default false
   */
  readonly share?: boolean;
  /**
   * Serves the account on a loopback port even if it is not shared, for clients other than `fetch`, such as those of
   * queues.
   *
   * @default false
   */
  readonly listen?: boolean;
  readonly onNotice?: (text: string) => void;
}

/**
 * Uses the process that already serves the account, otherwise an embedded emulator. Only one process at a time holds
 * the account, so no changes are lost; others wait. Changes are lost on close if the folder is read-only.
 * `PLATFORM_ADS_REHEARSAL` names a copy of an account to use instead.
 *
 * @throws {PlatformAdsError} when another process keeps the account.
 */
export async function openDemoAccount(options: DemoOptions): Promise<DemoAccount> {
  const { signal, fetch = globalThis.fetch, onNotice = () => {} } = options;
  const files = demoFiles(options.env);
  for (let waited = 0, reported = false; waited < MAX_WAIT; waited += POLL) {
    let served: Served | undefined;
    try {
      served = await serve(files, options);
    } catch (error) {
      if (!(error instanceof UnwritableDemoError)) throw error;
      onNotice(`${error.message}. Changes are lost at the end of this command`);
      served = await serveUnkept(files, options);
    }
    if (served !== undefined) {
      const { platform, credentials, clock } = served.emulator;
      return {
        ...{ platform, credentials, maxPoll: MAX_POLL },
        ...(listens(options) ? { fetch, close: served.close } : withinProcess(served)),
        now: () => clock.now(),
      };
    }
    const other = await servedDemo(files, fetch);
    if (other !== undefined) {
      const now = await clockAt(other.url, fetch);
      return { ...other, maxPoll: MAX_POLL, ...followed(other.url, files, options), now };
    }
    if (!reported && waited >= REPORT_AFTER) {
      onNotice(`Waiting for another command on the demo account to end: ${DemoLock.holder(files.lock)}`);
      reported = true;
    }
    await realSleep(POLL, signal);
  }
  throw new PlatformAdsError(
    `Cannot open the demo account: ${
      DemoLock.holder(files.lock)
    } has used it for ${MAX_WAIT} s. End that process and ` +
      "try again",
  );
}

/** An account of this process alone needs no socket, which takes longer to set up than most commands take. */
function listens({ share, listen, fetch }: DemoOptions): boolean {
  return share === true || listen === true || fetch !== undefined;
}

/** Does what a socket would: timers and signals act between requests, and after the end connections are refused. */
function withinProcess({ emulator, close }: Served): Pick<DemoAccount, "fetch" | "close"> {
  const { now, sleep } = new SteadyClock();
  let busySince = now();
  let isClosed = false;
  const ensureOpen = (code: string): void => {
    if (!isClosed) return;
    const cause = Object.assign(new Error("The demo account is closed"), { code });
    throw new TypeError("fetch failed", { cause });
  };
  return {
    fetch: async (input, init) => {
      if (now() - busySince > MAX_BUSY) {
        // An immediate would not do: Deno looks for signals when it has to wait.
        await sleep(0);
        busySince = now();
      }
      ensureOpen("ECONNREFUSED");
      const response = await emulator.fetch(input, init);
      // What was done meanwhile is not saved.
      ensureOpen("ECONNRESET");
      return response;
    },
    close: async () => {
      isClosed = true;
      await close();
    },
  };
}

async function clockAt(url: string, fetch: typeof globalThis.fetch): Promise<() => number> {
  const { now } = await (await fetch(`${url}/_emulator/clock`)).json();
  const ahead = Date.parse(now) - Date.now();
  return () => Date.now() + ahead;
}

interface Served {
  readonly emulator: Emulator;
  close(): Promise<void>;
}

/** `undefined` when another process holds the account. */
async function serve(
  files: DemoFiles,
  options: DemoOptions,
  port?: number,
): Promise<Served | undefined> {
  const { share, env } = options;
  const lock = DemoLock.tryTake(files.lock);
  if (lock === undefined) return undefined;
  withdrawDemo(files);
  try {
    const emulator = await Emulator.start({
      ...await rehearsedAccount(env),
      statePath: files.state,
      ...(port === undefined ? { listen: listens(options) } : { port }),
    });
    if (share) announceDemo(files, emulator.url);
    return {
      emulator,
      close: async () => {
        if (share) withdrawDemo(files);
        try {
          await emulator.stop();
        } finally {
          lock.release();
        }
      },
    };
  } catch (error) {
    lock.release();
    throw isUnwritable(error) ? new UnwritableDemoError(files.state, { cause: error }) : error;
  }
}

async function serveUnkept(files: DemoFiles, options: DemoOptions): Promise<Served> {
  const emulator = await Emulator.start({
    ...await rehearsedAccount(options.env),
    listen: listens(options),
  });
  const saved = readIfThere(files.state);
  if (saved !== undefined) emulator.restore(saved);
  return { emulator, close: () => emulator.stop() };
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

/** Uses the account of another process. When that becomes unreachable, this process serves it at the same address. */
function followed(
  url: string,
  files: DemoFiles,
  options: DemoOptions,
): Pick<DemoAccount, "fetch" | "close"> {
  const { fetch = globalThis.fetch } = options;
  let served: Promise<Served | undefined> | undefined;
  return {
    fetch: async (input, init) => {
      try {
        return await fetch(input, init);
      } catch (error) {
        if (!init?.signal?.aborted) {
          served ??= serve(files, options, Number(new URL(url).port)).catch(() => undefined);
          if (await served === undefined) served = undefined;
        }
        // Whether the request may be sent again is for the caller to decide.
        throw error;
      }
    },
    close: async () => await (await served)?.close(),
  };
}
