import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import process from "node:process";
import type { ClockRecord } from "../core/clock.ts";
import type { CountedRule } from "../faults/fault_engine.ts";
import { isObject } from "../core/json.ts";
import type { ProfileSnapshot } from "./profile_state.ts";
import { idFieldOf } from "./collection.ts";

const FORMAT = "platform-ads-emulator-state";
const VERSION = 1;

/** A code issued by the consent page. */
export interface ConsentCode {
  /** Authorization code, good for one exchange. */
  readonly code: string;
  /** Address to which the consent page sent the code. */
  readonly redirectUri: string;
  /** Expiry time, milliseconds since the epoch. */
  readonly expiresAt: number;
  /** True if the code was exchanged. */
  readonly used: boolean;
}

interface StateFileBase {
  readonly seed: string;
  readonly clock: ClockRecord;
  readonly created: number;
  readonly tokensIssued: number;
  readonly tokensRevoked: number;
  readonly codes: readonly ConsentCode[];
  readonly faults?: readonly CountedRule[];
}

export interface StateFile extends StateFileBase {
  readonly profiles: readonly ProfileSnapshot[];
}

export interface WritableState extends StateFileBase {
  readonly profiles: readonly string[];
}

/**
 * The state file cannot be used. The message gives path, reason and remedy.
 *
 * @example
 * ```ts
 * import { Emulator, EmulatorStateError } from "@platform/ads/emulator";
 *
 * async function start(): Promise<Emulator> {
 *   try {
 *     return await Emulator.start({ statePath: "demo.json" });
 *   } catch (error) {
 *     if (!(error instanceof EmulatorStateError)) throw error;
 *     console.error(error.message); // which file, why, and what to do
 *     return await Emulator.start();
 *   }
 * }
 * ```
 */
export class EmulatorStateError extends Error {
  /** Creates an error that names the file, the reason and the remedy. */
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "EmulatorStateError";
  }
}

/**
 * Reads the state file; `undefined` if the file is missing.
 *
 * @throws {EmulatorStateError} when the file is damaged, not a state file, or has another version or seed.
 */
export function readStateFile(path: string, seed: string): StateFile | undefined {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw unusable(path, `it cannot be read (${(cause as Error).message})`, cause);
  }
  try {
    return readState(text, seed);
  } catch (problem) {
    const { message, cause } = problem as EmulatorStateError;
    throw unusable(path, message, cause);
  }
}

export function readState(text: string, seed: string): StateFile {
  const refuse = (why: string, cause?: unknown) => new EmulatorStateError(why, { cause });
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch (cause) {
    throw refuse("it is not complete JSON, perhaps cut off", cause);
  }
  if (!isObject(content) || content.format !== FORMAT) {
    throw refuse("it is not a state file of the emulator");
  }
  if (content.version !== VERSION) {
    throw refuse(
      `it has version ${JSON.stringify(content.version)} and this emulator reads version ${VERSION}`,
    );
  }
  if (content.seed !== seed) {
    throw refuse(`it was made with the seed ${JSON.stringify(content.seed)} and not "${seed}"`);
  }
  if (!isComplete(content)) throw refuse("parts of it are missing");
  const unknown = unknownCollection(content as unknown as StateFile);
  if (unknown !== undefined) {
    throw refuse(
      `it holds "${unknown}" in a form that this version does not know, so a newer one probably wrote it`,
    );
  }
  return content as unknown as StateFile;
}

/**
 * Identifies the current contents of the state file, so it changes with every write; `undefined` if the file is
 * missing.
 */
export function stateFileMark(path: string): string | undefined {
  try {
    const { ino, mtimeMs, size } = statSync(path);
    return `${ino} ${mtimeMs} ${size}`;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw unusable(path, `it cannot be read (${(cause as Error).message})`, cause);
  }
}

export function writeState({ profiles, ...base }: WritableState): string {
  const head = JSON.stringify({ format: FORMAT, version: VERSION, ...base });
  return `${head.slice(0, -1)},"profiles":[\n${profiles.join(",\n")}\n]}\n`;
}

export function ensureWritable(path: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true });
    // Tried instead of queried: the query needs the user, which a compiled program may not read.
    const probe = `${path}.${process.pid}.tmp`;
    writeFileSync(probe, "", { mode: 0o600 });
    rmSync(probe);
  } catch (cause) {
    throw cannotWrite(path, cause);
  }
}

export function writeStateFile(path: string, state: WritableState): void {
  const text = writeState(state);
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(temporary, text, { mode: 0o600 });
    renameSync(temporary, path);
  } catch (cause) {
    throw cannotWrite(path, cause);
  }
}

function cannotWrite(path: string, cause: unknown): EmulatorStateError {
  const why = (cause as Error).message;
  const message = `Cannot write the emulator's state to "${path}": ${why}. Choose another place for it`;
  return new EmulatorStateError(message, { cause });
}

function isComplete(content: Record<string, unknown>): boolean {
  const profiles = content.profiles;
  return isObject(content.clock) && typeof content.clock.offset === "number" &&
    typeof content.created === "number" && Array.isArray(content.codes) &&
    Array.isArray(profiles) &&
    profiles.every((profile) =>
      isObject(profile) && isObject(profile.record) && isObject(profile.collections) &&
      Array.isArray(profile.history)
    );
}

/**
 * Name of a collection whose entities are malformed or whose ids repeat. Such a collection comes from another version
 * with a different id field.
 */
function unknownCollection({ profiles }: StateFile): string | undefined {
  for (const { collections } of profiles) {
    for (const [name, entities] of Object.entries(collections)) {
      const idField = idFieldOf(name);
      if (!Array.isArray(entities) || !entities.every(isObject)) return name;
      if (new Set(entities.map((entity) => String(entity[idField]))).size < entities.length) return name;
    }
  }
  return undefined;
}

function unusable(path: string, why: string, cause?: unknown): EmulatorStateError {
  const message =
    `Cannot use the emulator's state file "${path}": ${why}. Use the version that wrote it, or move it away to start afresh`;
  return new EmulatorStateError(message, { cause });
}
