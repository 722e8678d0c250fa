import { readFileSync, rmSync } from "node:fs";
import { realSleep } from "../../../transport/cool_down.ts";
import type { Credentials } from "../../../connection/credentials.ts";
import type { Platform } from "../../../connection/platform.ts";
import { Emulator } from "../../../emulator/emulator.ts";
import { CliError } from "../../core/cli_error.ts";
import { EXIT } from "../../core/exit_codes.ts";
import type { CliIo } from "../../core/io/cli_io.ts";
import { DemoLock } from "./demo_lock.ts";
import { stateFolder } from "../../../runtime/user_folders.ts";

/** Seconds to wait for another command on the demo account. */
const PATIENCE = 60;
const POLL = 0.05;
const TELL_AFTER = 1;

/** The platform to talk to, and the way to let go of it. */
export interface DemoAccount {
  /** Where it is. */
  readonly platform: Platform;
  /** Who the caller is. */
  readonly credentials: Credentials;
  /** Saves and ends it. */
  close(): Promise<void>;
}

/** Where the demo account is kept. */
export interface DemoFiles {
  /** Its state. */
  readonly state: string;
  /** The lock that the one process holds that serves it. */
  readonly lock: string;
  /** Settings of an emulator that serves it for others; there only while one does. */
  readonly serving: string;
}

/** Where the demo account is kept. */
export function demoFiles(io: Pick<CliIo, "env">): DemoFiles {
  const folder = stateFolder(io.env);
  return {
    state: `${folder}/demo.json`,
    lock: `${folder}/demo.lock`,
    serving: `${folder}/demo.serving.json`,
  };
}

/**
 * Opens the demo account: the one that `adsctl emulator start` serves, else an emulator inside this process. One
 * process has it at a time, so that none loses what another changed; the next one waits for it.
 *
 * @throws {CliError} when another process does not let go of it.
 */
export async function openDemoAccount(io: CliIo, signal: AbortSignal): Promise<DemoAccount> {
  const files = demoFiles(io);
  for (let waited = 0, told = false; waited < PATIENCE; waited += POLL) {
    const lock = DemoLock.tryTake(files.lock);
    if (lock !== undefined) return await embedded(files, lock);
    const served = await servedDemo(io);
    if (served !== undefined) return { ...served, close: () => Promise.resolve() };
    if (!told && waited >= TELL_AFTER) {
      await io.stderr.write("Waiting for another command on the demo account to end\n");
      told = true;
    }
    await realSleep(POLL, signal);
  }
  throw new CliError(
    `Cannot open the demo account: another adsctl has held it for ${PATIENCE} s. End it and try again`,
    EXIT.failed,
  );
}

async function embedded(files: DemoFiles, lock: DemoLock): Promise<DemoAccount> {
  try {
    rmSync(files.serving, { force: true });
    const emulator = await Emulator.start({ statePath: files.state });
    return {
      platform: emulator.platform,
      credentials: emulator.credentials,
      close: async () => {
        await emulator.stop();
        lock.release();
      },
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** A demo account that another process serves. */
export interface ServedDemo {
  /** Address of its emulator. */
  readonly url: string;
  /** Where the platform is. */
  readonly platform: Platform;
  /** Who the caller is. */
  readonly credentials: Credentials;
}

/** The demo account that `adsctl emulator start` serves; `undefined` when none does. */
export async function servedDemo(io: CliIo): Promise<ServedDemo | undefined> {
  try {
    const { url } = JSON.parse(readFileSync(demoFiles(io).serving, "utf8")) as { url: string };
    const answer = await (io.fetch ?? fetch)(`${url}/_emulator/settings`);
    return { url, ...await answer.json() as Omit<ServedDemo, "url"> };
  } catch {
    // No file, or one that a killed emulator left behind.
    return undefined;
  }
}
