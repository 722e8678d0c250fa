import { fieldsOf } from "../../base/json/fields_of.ts";
import { sha256 } from "../../base/text/sha256.ts";
import {
  ApiError,
  NetworkError,
  PlatformAdsError,
  ServerError,
  UnexpectedResponseError,
} from "../../errors.ts";
import { createJob, type CreateJobOptions } from "./create_job.ts";
import type { JobDescription, JobPlace } from "./job_description.ts";
import { findJobs, type FoundJobs, type JobHost } from "./job_host.ts";
import { isOpen, jobKey, type JobLedger, type JobRecord, type StartedJob } from "./job_ledger.ts";

/** Seconds after which an unfinished request counts as lost because its process ended. */
const MAX_ASKING = 900;
/** Seconds after which an unlisted job was certainly not created. */
const SETTLED = 600;
/** Seconds for which a completed job is used again if its rows were not read. */
const FRESH = 86_400;
/** Seconds for which the platform certainly recognizes the token of a request. */
const TOKEN_KNOWN = 86_400;
const LOOKS = [0, 30, 60];
const NONE: FoundJobs = { equal: [], doubtful: [] };

/** Options for starting a job, including whether to create it again. */
export interface StartJobOptions extends CreateJobOptions {
  /** True to create the job even if an identical job is open or may have been created. @default false */
  readonly again?: boolean | undefined;
  /** Called with warnings. */
  readonly onWarning?: ((warning: string) => void) | undefined;
}

export interface StartRequest {
  readonly body: unknown;
  readonly place: JobPlace;
  readonly profileId: string | null;
}

/**
 * Starts a job, or reuses an open one in the ledger. The job is recorded before the request. If the response is lost,
 * the job is looked up and never blindly created again.
 *
 * @throws {PlatformAdsError} when it may have been created but cannot be found.
 */
export async function startJob(
  host: JobHost,
  description: JobDescription,
  request: StartRequest,
  { ledger, ...options }: StartJobOptions & { readonly ledger: JobLedger },
): Promise<StartedJob> {
  const { operation } = description;
  const key = await keyOf(host, { operation, ...request }, ledger);
  const running = ledger.starting.get(key);
  if (running !== undefined) return { ...await running, adopted: true };
  const starting = new JobStart(host, description, { key, ...request }, { ledger, ...options }).run()
    .finally(() => ledger.starting.delete(key));
  ledger.starting.set(key, starting);
  return await starting;
}

async function keyOf(
  { name: host }: JobHost,
  request: StartRequest & { readonly operation: string },
  ledger: JobLedger,
): Promise<string> {
  const former = await ledger.get(jobKey(request));
  return former !== undefined && isOpen(former) && (former.host ?? host) === host
    ? former.key
    : jobKey({ ...request, host });
}

class JobStart {
  readonly #host: JobHost;
  readonly #description: JobDescription;
  readonly #request: StartRequest & { readonly key: string };
  readonly #options: StartJobOptions & { readonly ledger: JobLedger };

  constructor(
    host: JobHost,
    description: JobDescription,
    request: StartRequest & { readonly key: string },
    options: StartJobOptions & { readonly ledger: JobLedger },
  ) {
    this.#host = host;
    this.#description = description;
    this.#request = request;
    this.#options = options;
  }

  async run(): Promise<StartedJob> {
    const { ledger, again } = this.#options;
    const asking = this.#asking();
    const known = await ledger.claim(asking);
    if (known === undefined) return await this.#create(asking);
    if (again) {
      await ledger.put(asking);
      return await this.#create(asking);
    }
    const open = known.state === "asking" ? await this.#otherProcess(known) : known;
    const { jobId } = open;
    if (jobId !== null && !this.#isForgotten(open)) return { record: { ...open, jobId }, adopted: true };
    // Its process died, or its response was lost.
    const isLost = jobId === null && open.state !== "failed";
    const found = isLost ? await this.#find(open) : NONE;
    const [only] = found.equal;
    if (only !== undefined && found.equal.length === 1) {
      return { record: await this.#put(open, { jobId: only }), adopted: true };
    }
    const { twice, search } = this.#description;
    const mayExist = search === undefined || found.equal.length > 1 || found.doubtful.length > 0 ||
      this.#age(open.changedAt) < SETTLED;
    if (isLost && this.#isRepeatable(open)) {
      // The same token again: the platform creates it now, or names the one that it created.
      const repeated = { ...asking, askedAt: open.askedAt };
      return await ledger.claim(repeated, open) === undefined
        ? await this.#create(repeated)
        : await this.run();
    }
    if (isLost && twice === "counts" && mayExist) throw this.#unknown(open, found);
    if (isLost) {
      this.#options.onWarning?.(`An earlier request for this ${this.#description.noun} came to nothing`);
    }
    // Another process may have come to the same conclusion.
    if (await ledger.claim(asking, open) !== undefined) return await this.run();
    return await this.#create(asking);
  }

  #asking(): JobRecord {
    const now = this.#now();
    const { key, profileId, place } = this.#request;
    const { operation, status, token } = this.#description;
    return {
      key,
      host: this.#host.name,
      operation,
      status,
      profileId,
      jobId: null,
      state: "asking",
      word: null,
      reason: null,
      askedAt: now,
      changedAt: now,
      rows: null,
      place,
      ...(token === undefined ? {} : { hasToken: true }),
    };
  }

  async #create(record: JobRecord): Promise<StartedJob> {
    const { ledger, signal } = this.#options;
    const { place } = this.#request;
    const body = this.#bodyOf(record);
    let hasLeft = false;
    const beforeAttempt: CreateJobOptions["beforeAttempt"] = async (leaving) => {
      await this.#options.beforeAttempt?.(leaving);
      await this.#ensureOwn(record);
      await ledger.put({ ...record, changedAt: this.#now() });
      hasLeft = true;
    };
    let created: { readonly jobId: string; readonly adopted: boolean };
    try {
      created = await createJob(this.#host, this.#description, { body, place }, {
        ...this.#options,
        beforeAttempt,
      });
    } catch (error) {
      await this.#ensureOwn(record, { cause: error });
      // A request that was interrupted may have arrived.
      const isUnknown = isOutcomeUnknown(error) || (hasLeft && signal?.aborted === true);
      if (!isUnknown || this.#description.twice !== "counts") {
        const reason = error instanceof Error ? error.message : String(error);
        await ledger.put({ ...record, state: "failed", reason, changedAt: this.#now() });
        throw error;
      }
      const lost: JobRecord = { ...record, state: "unknown", changedAt: this.#now() };
      await ledger.put(lost);
      let found = NONE;
      for (const seconds of this.#description.search === undefined ? [] : LOOKS) {
        if (seconds > 0) await this.#host.transport.sleep(seconds, signal);
        found = await this.#find(lost);
        const [only] = found.equal;
        if (only === undefined) continue;
        if (found.equal.length > 1) break;
        return { record: await this.#put(lost, { jobId: only }), adopted: true };
      }
      throw this.#unknown(lost, found, { cause: error });
    }
    const { jobId, adopted } = created;
    try {
      return { record: await this.#put(record, { jobId }), adopted };
    } catch (cause) {
      throw new PlatformAdsError(
        `Created ${this.#description.noun} "${jobId}", but cannot record it: ${(cause as Error).message}`,
        { cause },
      );
    }
  }

  /** Returns the body with its token; a repeated request gets the same token. */
  #bodyOf({ key, askedAt }: JobRecord): unknown {
    const { body } = this.#request;
    const { token } = this.#description;
    return token === undefined
      ? body
      : { [token]: sha256(`${key} ${askedAt}`).slice(0, 32), ...fieldsOf(body) };
  }

  /** Throws if another process considered this request lost and made its own. */
  async #ensureOwn({ key, askedAt }: JobRecord, options?: ErrorOptions): Promise<void> {
    const now = await this.#options.ledger.get(key);
    if (now === undefined || now.askedAt === askedAt) return;
    throw new PlatformAdsError(
      `Cannot request the ${this.#description.noun}: another process has requested it since ${now.askedAt}`,
      options,
    );
  }

  async #put(
    record: JobRecord,
    { jobId }: { readonly jobId: string },
  ): Promise<JobRecord & { readonly jobId: string }> {
    const built = { ...record, jobId, state: "building" as const, changedAt: this.#now() };
    await this.#options.ledger.put(built);
    return built;
  }

  /**
   * Finds listed jobs that may belong to a record. If two look alike, one may belong to another user. Jobs of other
   * requests in the ledger are not in doubt.
   */
  async #find(record: JobRecord): Promise<FoundJobs> {
    const { body, place } = this.#request;
    const since = Date.parse(record.askedAt);
    const found = await findJobs(this.#host, this.#description, { body, place, since }, this.#options.signal);
    if (found.doubtful.length === 0) return found;
    const { status } = this.#description;
    const others = new Set(
      (await this.#options.ledger.list()).flatMap((one) =>
        one.key !== record.key && one.status === status && (one.host ?? record.host) === record.host
          ? one.jobId ?? []
          : []
      ),
    );
    return { ...found, doubtful: found.doubtful.filter((id) => !others.has(id)) };
  }

  async #otherProcess(record: JobRecord): Promise<JobRecord> {
    let open = record;
    while (open.state === "asking" && this.#age(open.changedAt) < MAX_ASKING) {
      await this.#host.transport.sleep(1, this.#options.signal);
      open = await this.#options.ledger.get(record.key) ?? open;
    }
    return open;
  }

  #unknown(
    record: JobRecord,
    { equal, doubtful }: FoundJobs,
    options?: ErrorOptions,
  ): PlatformAdsError {
    const { noun, search } = this.#description;
    if (this.#isRepeatable(record)) {
      return new PlatformAdsError(
        `Cannot tell whether the ${noun} requested at ${record.askedAt} was created: its response was lost. Start it ` +
          "again: the same request is sent, which the platform carries out once",
        options,
      );
    }
    if (equal.length > 1) {
      return new PlatformAdsError(
        `Cannot tell which ${noun} was created by the request of ${record.askedAt}: its response was lost, and ${
          named(equal)
        } look like it. Nothing was sent again. Wait for the right one by its id, or start it again with the option again`,
        options,
      );
    }
    if (doubtful.length > 0) {
      return new PlatformAdsError(
        `Cannot tell whether the ${noun} requested at ${record.askedAt} was created: its response was lost, and the ` +
          `platform lists ${
            named(doubtful)
          }, which may be it: its time or its text cannot be compared. Nothing was sent ` +
          "again. Wait for it by its id, or start it again with the option again",
        options,
      );
    }
    const looked = search === undefined
      ? "the platform does not list such jobs"
      : `it is not in the platform's list yet`;
    return new PlatformAdsError(
      `Cannot tell whether the ${noun} requested at ${record.askedAt} was created: its response was lost, and ${looked}. ` +
        `Nothing was sent again. Look it up, or start it again ${
          search === undefined ? "" : `in ${SETTLED / 60} minutes, or at once `
        }with the option again`,
      options,
    );
  }

  #isRepeatable({ askedAt, hasToken }: JobRecord): boolean {
    return hasToken === true && this.#description.token !== undefined && this.#age(askedAt) < TOKEN_KNOWN;
  }

  #isForgotten({ askedAt, state }: JobRecord): boolean {
    const { keptFor = Infinity } = this.#description;
    return state === "failed" || this.#age(askedAt) > (state === "done" ? Math.min(keptFor, FRESH) : keptFor);
  }

  #age(moment: string): number {
    return (this.#host.transport.now() - Date.parse(moment)) / 1000;
  }

  #now(): string {
    return new Date(this.#host.transport.now()).toISOString();
  }
}

function named(ids: readonly string[]): string {
  return ids.map((id) => `"${id}"`).join(" and ");
}

function isOutcomeUnknown(error: unknown): boolean {
  if (error instanceof NetworkError) return error.mayHaveActed;
  if (error instanceof UnexpectedResponseError || error instanceof ServerError) return true;
  return !(error instanceof ApiError) && error instanceof DOMException;
}
