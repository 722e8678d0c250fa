import { readFileSync } from "node:fs";
import type { Credentials } from "../../platform/connection/credentials.ts";
import type { Platform } from "../../platform/connection/platform.ts";
import { Emulator } from "../../emulator/emulator.ts";
import { PlatformAdsError } from "../../errors.ts";
import { realSleep } from "../../base/time/sleep.ts";
import { type DemoFiles, demoFiles, isUnwritable, UnwritableDemoError } from "./demo_files.ts";
import { DemoLock } from "./demo_lock.ts";
import { announceDemo, servedDemo, withdrawDemo } from "./served_demo.ts";
import { rehearsedAccount } from "./rehearsal.ts";

/** Seconds to wait for another command on the demo account, between two tries, and before the wait is reported. */
const MAX_WAIT = 60;
const POLL = 0.05;
const REPORT_AFTER = 1;

/** A connection to the demo account. */
export interface DemoAccount {
  readonly platform: Platform;
  /** Identity of the caller. */
  readonly credentials: Credentials;
  /** Sends requests; where the process that served the account has ended, this one serves it from then on. */
  readonly fetch: typeof globalThis.fetch;
  /** Milliseconds since the epoch by the account's clock, which `adsctl demo advance` moves. */
  readonly now: () => number;
  /** Saves the account and ends the connection. */
  close(): Promise<void>;
}

/** Options of {@linkcode openDemoAccount}. */
export interface DemoOptions {
  /** Variables that name the user's folders. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Ends the wait for another process. */
  readonly signal: AbortSignal;
  /** Sends requests. @default the runtime's */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** Let other processes use the account while it is open; for a process that runs for long. @default false */
  readonly share?: boolean;
  /** Gets what a person should know: that another process is waited for, or that changes cannot be kept. */
  readonly onNotice?: (text: string) => void;
}

/**
 * Opens the one demo account of the user, or the copy of an account that `PLATFORM_ADS_REHEARSAL` names: where another process serves it, there, else by an emulator inside this
 * process. One process has it at a time, so that none loses what another changed; the next one waits for it. Where
 * nothing can be written, changes are lost when it is closed.
 *
 * @throws {PlatformAdsError} when another process keeps it.
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
      return { platform, credentials, fetch, now: () => clock.now(), close: served.close };
    }
    const other = await servedDemo(files, fetch);
    if (other !== undefined) {
      const now = await clockAt(other.url, fetch);
      return { ...other, ...followed(other.url, files, options), now };
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

/** The clock of an account that another process serves, as it runs from now on. */
async function clockAt(url: string, fetch: typeof globalThis.fetch): Promise<() => number> {
  const { now } = await (await fetch(`${url}/_emulator/clock`)).json();
  const ahead = Date.parse(now) - Date.now();
  return () => Date.now() + ahead;
}

interface Served {
  readonly emulator: Emulator;
  close(): Promise<void>;
}

/** Serves the account inside this process; `undefined` when another process has it. */
async function serve(
  files: DemoFiles,
  { share, env }: DemoOptions,
  port = 0,
): Promise<Served | undefined> {
  const lock = DemoLock.tryTake(files.lock);
  if (lock === undefined) return undefined;
  withdrawDemo(files);
  try {
    const emulator = await Emulator.start({ ...await rehearsedAccount(env), statePath: files.state, port });
    if (share) announceDemo(files, emulator.url);
    return {
      emulator,
      close: async () => {
        if (share) withdrawDemo(files);
        await emulator.stop();
        lock.release();
      },
    };
  } catch (error) {
    lock.release();
    throw isUnwritable(error) ? new UnwritableDemoError(files.state, { cause: error }) : error;
  }
}

/** Serves the account as it was saved last, and saves nothing. */
async function serveUnkept(files: DemoFiles, { env }: DemoOptions): Promise<Served> {
  const emulator = await Emulator.start(await rehearsedAccount(env));
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

/** The account at another process: once that cannot be reached, it is served here, at the same address. */
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
