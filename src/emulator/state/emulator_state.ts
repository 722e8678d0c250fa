import type { Region } from "../../base/markets/markets.ts";
import type { Clock } from "../core/clock.ts";
import type { CountedRule } from "../faults/fault_engine.ts";
import { hash } from "../core/random.ts";
import type { DemoAccount } from "./demo_account.ts";
import { ProfileState } from "./profile_state.ts";
import {
  type ConsentCode,
  EmulatorStateError,
  ensureWritable,
  readState,
  readStateFile,
  type StateFile,
  stateFileMark,
  type WritableState,
  writeState,
  writeStateFile,
} from "./state_file.ts";

const FIRST_NEW_ID = 2 ** 40;

/** Seed, demo account, clock and file of a state. */
export interface EmulatorStateOptions {
  /** Chooses the demo account; equal seeds give equal accounts. */
  readonly seed: string;
  /** Builds the account that the state starts with. */
  readonly demo: DemoAccount;
  /** The emulator's clock; a state file sets it to the stored time. */
  readonly clock: Clock;
  /** File that keeps the state; absent: the state ends with the process. */
  readonly statePath?: string;
}

/**
 * State of an emulator: profiles and their contents, consent codes, the clock.
 *
 * @example
 * ```ts
 * import type { Emulator } from "@platform/ads/emulator";
 *
 * function profileOf(emulator: Emulator, countryCode: string): string | undefined {
 *   return emulator.state.profiles().find(({ record }) => record.countryCode === countryCode)?.id;
 * }
 * ```
 */
export class EmulatorState {
  /** The seed of the demo account. */
  readonly seed: string;
  readonly #clock: Clock;
  readonly #statePath: string | undefined;
  #isFromFile = false;
  readonly #ids: IdMaker;
  readonly #demo: DemoAccount;
  #profiles!: Map<string, ProfileState>;
  #created = 0;
  #codes!: Map<string, ConsentCode>;
  #tokensIssued = 0;
  #tokensRevoked = 0;
  #faults: readonly CountedRule[] | undefined;
  #unsaved = false;
  #isClosed = false;
  #mark: string | undefined;

  /**
   * Creates the state from the demo account, or from the state file.
   *
   * @throws {EmulatorStateError} when the state file cannot be used, or not be written.
   */
  constructor(options: EmulatorStateOptions) {
    this.seed = options.seed;
    this.#clock = options.clock;
    this.#demo = options.demo;
    this.#statePath = options.statePath;
    this.#ids = new IdMaker(hash(options.seed));
    this.#start();
    this.refresh();
    if (this.#statePath !== undefined) ensureWritable(this.#statePath);
  }

  /** Every profile of one region, or of all regions. */
  profiles(region?: Region): ProfileState[] {
    return [...this.#profiles.values()].filter((profile) =>
      region === undefined || profile.region === region
    );
  }

  /** The profile with this id. */
  profile(id: string): ProfileState | undefined {
    return this.#profiles.get(id);
  }

  /** A new id that is used neither here nor in the copied account. */
  newId(): string {
    this.#unsaved = true;
    while (true) {
      const id = this.#ids.at(FIRST_NEW_ID + this.#created++);
      if (this.#demo.isTaken?.(id) !== true) return id;
    }
  }

  /** Issued consent codes, by code. Call {@linkcode EmulatorState.touch} after changing them. */
  get codes(): Map<string, ConsentCode> {
    return this.#codes;
  }

  /** The number of a new token; tokens are counted from 1. */
  nextTokenNumber(): number {
    this.#unsaved = true;
    return ++this.#tokensIssued;
  }

  /** Access tokens up to this number are refused as expired. */
  get tokensRevoked(): number {
    return this.#tokensRevoked;
  }

  /** Expires every access token issued so far. */
  expireTokens(): void {
    this.#tokensRevoked = this.#tokensIssued;
    this.#unsaved = true;
  }

  /** Fault rules stored beyond the end of the process; `undefined` if there are none. */
  get faults(): readonly CountedRule[] | undefined {
    return this.#faults;
  }

  /** Stores fault rules in the state file; `undefined` removes them. */
  keepFaults(faults: readonly CountedRule[] | undefined): void {
    if (faults === undefined && this.#faults === undefined) return;
    this.#faults = faults;
    this.#unsaved = true;
  }

  /** Records that something outside the profiles changed. */
  touch(): void {
    this.#unsaved = true;
  }

  /**
   * Loads the state file if it has changed since this emulator last read or wrote it. Several emulators may share one
   * file, one request at a time.
   *
   * @throws {EmulatorStateError} when it cannot be used.
   */
  refresh(): void {
    if (this.#statePath === undefined || this.#hasUnsaved()) return;
    const mark = stateFileMark(this.#statePath);
    if (mark === undefined || mark === this.#mark) return;
    const kept = readStateFile(this.#statePath, this.seed);
    this.#mark = mark;
    if (kept === undefined) return;
    this.#start();
    this.#restore(kept);
    this.#isFromFile = true;
  }

  /** Advice for a failure that a state file of another version may have caused; `""` without such a file. */
  get failureHint(): string {
    return this.#isFromFile
      ? `. The state file "${this.#statePath}" may be of another version: use the version that wrote it, or move it ` +
        "away to start afresh"
      : "";
  }

  /** Writes the state file, when there is one and something changed. */
  save(): void {
    if (this.#statePath === undefined || this.#isClosed || !this.#hasUnsaved()) return;
    writeStateFile(this.#statePath, this.#writable());
    this.#unsaved = false;
    this.#mark = stateFileMark(this.#statePath);
  }

  /** Writes the state file for the last time: from now on, another emulator may change it. */
  close(): void {
    try {
      this.save();
    } finally {
      this.#isClosed = true;
    }
  }

  /** Returns the complete state as the text of a state file. */
  snapshot(): string {
    return writeState(this.#writable());
  }

  /**
   * Restores a {@linkcode EmulatorState.snapshot} of this emulator, or of another one with the same seed.
   *
   * @throws {EmulatorStateError} when it cannot be used; nothing is changed then.
   */
  takeOver(snapshot: string): void {
    let kept: StateFile;
    try {
      kept = readState(snapshot, this.seed);
    } catch (problem) {
      const { message, cause } = problem as EmulatorStateError;
      throw new EmulatorStateError(`Cannot restore the snapshot: ${message}`, { cause });
    }
    const faults = this.#faults;
    this.#start();
    this.#restore(kept);
    this.#faults = faults;
    this.#unsaved = true;
    this.save();
  }

  #writable(): WritableState {
    return {
      seed: this.seed,
      clock: this.#clock.toRecord(),
      created: this.#created,
      tokensIssued: this.#tokensIssued,
      tokensRevoked: this.#tokensRevoked,
      codes: [...this.#codes.values()],
      ...(this.#faults === undefined ? {} : { faults: this.#faults }),
      profiles: this.profiles().map((profile) => profile.toJsonText()).filter((text) => text !== undefined),
    };
  }

  /** Discards every change and restores the initial demo account. Clock and tokens stay. */
  reset(): void {
    this.#start();
    this.#unsaved = true;
    this.save();
  }

  #hasUnsaved(): boolean {
    return this.#unsaved || this.profiles().some((profile) => profile.unsaved);
  }

  #start(): void {
    this.#profiles = new Map();
    this.#codes = new Map();
    this.#created = 0;
    for (const [number, placed] of this.#demo.profiles(this.#ids).entries()) {
      const contents = () => {
        const now = this.#clock.now();
        return this.#demo.contents(placed.record, { seed: this.seed, ids: this.#ids, number, now });
      };
      this.#profiles.set(placed.record.profileId, new ProfileState(placed, contents));
    }
  }

  #restore(file: StateFile): void {
    this.#clock.restore(file.clock);
    this.#created = file.created;
    this.#tokensIssued = file.tokensIssued;
    this.#tokensRevoked = file.tokensRevoked;
    this.#faults = file.faults;
    this.#codes = new Map(file.codes.map((code) => [code.code, code]));
    for (const snapshot of file.profiles) this.#profiles.get(snapshot.record.profileId)?.restore(snapshot);
  }
}

const SMALL_BITS = 46n;
const MASK = (1n << SMALL_BITS) - 1n;
const SMALL_BASE = 1n << 47n;
const BIG_BASE = 1n << 63n;
const MULTIPLIER = 0x2545f4914f6dn;

/**
 * Unsigned 64-bit ids without a visible order, like the platform's; every fourth exceeds 2^53. Deterministic per seed;
 * numbers below 2^46 give distinct ids.
 */
export class IdMaker {
  readonly #salt: bigint;

  constructor(seed: number) {
    this.#salt = (BigInt(seed >>> 0) * 0x9e3779b97f4a7c15n) & MASK;
  }

  at(number: number): string {
    const scrambled = ((BigInt(number) * MULTIPLIER) & MASK) ^ this.#salt;
    return String((number % 4 === 3 ? BIG_BASE : SMALL_BASE) + scrambled);
  }
}
