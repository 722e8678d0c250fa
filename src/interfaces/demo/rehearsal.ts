import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { basename, resolve } from "node:path";
import type { AccountCopy } from "../../emulator/state/account_copy.ts";
import { ConfigurationError } from "../../errors.ts";
import { stateFolder } from "../../base/runtime/user_folders.ts";

type Variables = Readonly<Record<string, string | undefined>>;

const REHEARSAL_VARIABLE = "PLATFORM_ADS_REHEARSAL";

/** Variables of the real account, hidden from a rehearsal. */
const REAL = [
  "PLATFORM_ADS_STORE",
  "PLATFORM_ADS_MCP_STORE",
  "PLATFORM_ADS_MCP_PLAN_DIR",
  "PLATFORM_ADS_MCP_AUDIT",
];

/**
 * All state of a rehearsal is kept in a folder of the copy, apart from the account's plans, stores and daily limits.
 * Equal copies share a folder.
 *
 * @throws {ConfigurationError} when the file cannot be read.
 */
export async function rehearsalEnvironment(env: Variables, file: string): Promise<Variables> {
  const path = resolve(file);
  const digest = await digestOf(path);
  if (env[REHEARSAL_VARIABLE] === path && env["XDG_STATE_HOME"]?.endsWith(digest)) return env;
  const { [REHEARSAL_VARIABLE]: _, ...outer } = env;
  const cleared = Object.fromEntries(REAL.map((name) => [name, undefined]));
  return {
    ...outer,
    ...cleared,
    XDG_STATE_HOME: `${stateFolder(outer)}/rehearsals/${digest}`,
    [REHEARSAL_VARIABLE]: path,
  };
}

export async function rehearsedAccount(
  env: Variables,
): Promise<{ readonly account?: AccountCopy; readonly seed?: string }> {
  const file = env[REHEARSAL_VARIABLE];
  if (!file) return {};
  const digest = await digestOf(file);
  return { account: await readSnapshotFile(file), seed: digest };
}

export async function readSnapshotFile(file: string): Promise<AccountCopy> {
  const { unpackSnapshot } = await import("../../account/rollout/snapshot_file.ts");
  return await unpackSnapshot(partsOf(file), { name: basename(file) });
}

async function digestOf(file: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const part of partsOf(file)) hash.update(part);
  return hash.digest("hex").slice(0, 16);
}

async function* partsOf(file: string): AsyncGenerator<Uint8Array> {
  try {
    yield* createReadStream(file);
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    const why = code === "ENOENT" ? "there is no such file" : code === "EISDIR" ? "it is a folder" : message;
    throw new ConfigurationError(
      `Cannot rehearse on "${file}": ${why}. "adsctl account rehearse pull" takes the copy of an account`,
      { cause },
    );
  }
}
