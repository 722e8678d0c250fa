/**
 * Runs a long job as its work says, in a process of its own that kills itself at a step of the ledger, or is killed from
 * outside. Prints what it read. Waits move only its own clock on.
 *
 * @module
 */
import { type Credentials, type Platform, PlatformAds } from "../../../mod.ts";
import { FileJobLedger } from "../../../src/client/jobs/file_job_ledger.ts";
import type { JobLedger, JobRecord } from "../../../src/client/jobs/mod.ts";

/** Work of the process. */
export interface JobWork {
  readonly platform: Platform;
  readonly credentials: Credentials;
  /** Time at which its clock begins, milliseconds since the epoch. */
  readonly now: number;
  /** Folder of the ledger. */
  readonly ledger: string;
  readonly operation: string;
  readonly body: unknown;
  /** Profile of the job. @default an account, which the headers name */
  readonly profileId?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly pathParams?: Readonly<Record<string, string>>;
  /** True for a job whose result is files that are not tables. */
  readonly isFiles?: boolean;
  /** Number of the step of the ledger, from 1, after which it kills itself. */
  readonly dies?: number;
}

/** Its last line. */
export interface JobDone {
  readonly jobId: string;
  readonly adopted: boolean;
  /** Rows, or bytes of files. */
  readonly count: number;
}

/** A ledger in whose n-th step the process dies: right after it has written. */
class MortalLedger extends FileJobLedger {
  #left: number;

  constructor(folder: string, dies = Infinity) {
    super(folder);
    this.#left = dies;
  }

  override async claim(record: JobRecord, instead?: JobRecord): Promise<JobRecord | undefined> {
    const known = await super.claim(record, instead);
    this.#step();
    return known;
  }

  override async put(record: JobRecord): Promise<void> {
    await super.put(record);
    this.#step();
  }

  #step(): void {
    if (--this.#left === 0) Deno.kill(Deno.pid, "SIGKILL");
  }
}

async function main(work: JobWork): Promise<JobDone> {
  let { now } = work;
  const jobs: JobLedger = new MortalLedger(work.ledger, work.dies);
  const ads = new PlatformAds(work.credentials, {
    platform: work.platform,
    jobs,
    now: () => now,
    sleep: async (seconds) => {
      // Another process that asks now is waited for by the clock on the wall, as its clock is another.
      if (seconds > 1) now += seconds * 1000;
      await new Promise((wake) => setTimeout(wake, 10));
    },
    onWarning: () => {},
  });
  const { profileId, headers = {}, pathParams } = work;
  const client = profileId === undefined ? ads.account(headers) : ads.profileFrom(profileId, "US");
  const { jobId, adopted, rows, files } = await client.jobs.run(work.operation, work.body, {
    check: "off",
    ...(pathParams === undefined ? {} : { pathParams }),
  });
  let count = 0;
  if (!work.isFiles) { for await (const _ of rows) count++; }
  else {
    for await (const { bytes } of files()) for await (const part of bytes) count += part.length;
  }
  return { jobId, adopted, count };
}

if (import.meta.main) console.log(JSON.stringify(await main(JSON.parse(Deno.args[0]!))));
