import { canonicalJson } from "../../base/json/canonical_json.ts";
import { sha256 } from "../../base/text/sha256.ts";
import type { JobPlace } from "./job_description.ts";

/**
 * State of a requested job: `asking` from just before the request until its id is known, then `building`; `done` until
 * its rows are read, then `read`; `failed`, `cancelled`, or `unknown` if the response to its creation was lost.
 */
export type JobState = "asking" | "building" | "done" | "read" | "failed" | "cancelled" | "unknown";

/** Record of a job, stored before the job is requested. Request bodies and file addresses are not kept. */
export interface JobRecord {
  /** Digest of the request, equal for two requests of the same job. */
  readonly key: string;
  /** Host that the job was requested from, with its port and path; absent in ledgers of older versions. */
  readonly host?: string;
  /** Operation that created the job. */
  readonly operation: string;
  /** Operation that returns the job's status. */
  readonly status: string;
  /** Profile that the job belongs to; `null` for a job of an account. */
  readonly profileId: string | null;
  /** The platform's id of the job; `null` until it is known. */
  readonly jobId: string | null;
  /** State of the request. */
  readonly state: JobState;
  /** The platform's last status word. */
  readonly word: string | null;
  /** The platform's reason for a failure. */
  readonly reason: string | null;
  /** When the job was requested, ISO 8601. */
  readonly askedAt: string;
  /** When the record last changed, ISO 8601. */
  readonly changedAt: string;
  /** Number of result rows; `null` until they are read. */
  readonly rows: number | null;
  /** Parameters and headers for later requests about it. */
  readonly place: JobPlace;
  /** True if the request had a token by which the platform takes it once; absent in ledgers of older versions. */
  readonly hasToken?: true;
}

/** Stores requested jobs, so that no job is requested twice while it is in progress, even after a crash. */
export interface JobLedger {
  /**
   * Records a job that is about to be requested, unless an identical job is already open.
   *
   * @param instead An open record to replace, if it is still as it was read.
   * @returns the open record of the same job; `undefined` when the new one was recorded.
   */
  claim(record: JobRecord, instead?: JobRecord): Promise<JobRecord | undefined>;
  /** Replaces the record with the same key. */
  put(record: JobRecord): Promise<void>;
  /** Returns the record with the given key. */
  get(key: string): Promise<JobRecord | undefined>;
  /** Lists all records, newest first. */
  list(): Promise<readonly JobRecord[]>;
  /** Jobs that this process is currently requesting, by key. */
  readonly starting: Map<string, Promise<StartedJob>>;
}

/** A job that was requested just now or earlier. */
export interface StartedJob {
  /** The job's record in the ledger. */
  readonly record: JobRecord & { readonly jobId: string };
  /** True if an identical job requested earlier is used instead. */
  readonly adopted: boolean;
}

export function isOpen({ state }: JobRecord): boolean {
  return state === "asking" || state === "building" || state === "done" || state === "unknown";
}

export function isTaken(known: JobRecord, instead?: JobRecord): boolean {
  const isReplaced = instead?.state === known.state && instead.changedAt === known.changedAt;
  return isOpen(known) && !isReplaced;
}

/** Returns the key of a request. Ledgers of older versions omit the host. */
export function jobKey(request: {
  readonly host?: string;
  readonly operation: string;
  readonly profileId: string | null;
  readonly body: unknown;
  readonly place: JobPlace;
}): string {
  const text = (_: string, value: unknown): unknown => typeof value === "bigint" ? String(value) : value;
  return sha256(canonicalJson(JSON.parse(JSON.stringify({ ...request, body: request.body ?? null }, text))));
}

export class MemoryJobLedger implements JobLedger {
  readonly starting: Map<string, Promise<StartedJob>> = new Map();
  readonly #records = new Map<string, JobRecord>();

  claim(record: JobRecord, instead?: JobRecord): Promise<JobRecord | undefined> {
    const known = this.#records.get(record.key);
    if (known !== undefined && isTaken(known, instead)) return Promise.resolve(known);
    this.#records.set(record.key, record);
    return Promise.resolve(undefined);
  }

  put(record: JobRecord): Promise<void> {
    this.#records.set(record.key, record);
    return Promise.resolve();
  }

  get(key: string): Promise<JobRecord | undefined> {
    return Promise.resolve(this.#records.get(key));
  }

  list(): Promise<readonly JobRecord[]> {
    return Promise.resolve(newestFirst([...this.#records.values()]));
  }
}

export function newestFirst(records: readonly JobRecord[]): readonly JobRecord[] {
  return [...records].sort((a, b) => a.askedAt < b.askedAt ? 1 : a.askedAt > b.askedAt ? -1 : 0);
}
