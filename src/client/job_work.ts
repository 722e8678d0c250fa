import { nearest } from "../base/text/nearest.ts";
import { visibleText } from "../base/text/visible_text.ts";
import { ConfigurationError } from "../errors.ts";
import { catalog } from "../platform/catalog/catalog.ts";
import { checkedHeaders } from "../platform/catalog/prepare_call.ts";
import { callPages } from "./calls/call_pages.ts";
import { type CallRequest, type CallTarget, sendCall } from "./calls/send_call.ts";
import { describedJob, JOBS } from "./jobs/descriptions.ts";
import type { JobDescription, JobPlace } from "./jobs/job_description.ts";
import { callAbout, type JobCall, type JobHost } from "./jobs/job_host.ts";
import {
  type JobLedger,
  type JobRecord,
  type JobState,
  newestFirst,
  type StartedJob,
} from "./jobs/job_ledger.ts";
import type { JobReference, JobResult, JobRow, RunJobOptions, StartOptions } from "./jobs/job_options.ts";
import { type JobFile, jobFiles, jobRows } from "./jobs/job_rows.ts";
import { isGone, type JobLook, type JobStatus } from "./jobs/job_status.ts";
import { startJob } from "./jobs/start_job.ts";
import { type JobNames, statusCandidates, undescribedJob } from "./jobs/undescribed_job.ts";
import { lookAtJob, waitForJob, type WaitForJobOptions } from "./jobs/wait_for_job.ts";

interface SignalOptions {
  readonly signal?: AbortSignal | undefined;
}

interface KnownJob {
  readonly description: JobDescription;
  readonly jobId: string;
  readonly place: JobPlace;
  readonly record: JobRecord | undefined;
}

export class JobWork {
  readonly #host: JobHost;
  readonly #ledger: JobLedger;
  readonly #profileId: string | null;
  readonly #account: Readonly<Record<string, string>> | undefined;

  constructor(target: CallTarget, ledger: JobLedger) {
    this.#host = jobHost(target);
    this.#ledger = ledger;
    this.#profileId = target.scope ?? null;
    this.#account = target.scope === undefined ? target.headers : undefined;
  }

  async run(operation: string, body: unknown, options: RunJobOptions): Promise<JobResult> {
    const started = await this.start(operation, body, options);
    options.onStart?.(started);
    try {
      return await this.#result(started, options);
    } catch (error) {
      if (!started.adopted || !isGone(error)) throw error;
      // The platform has forgotten the one that was remembered.
      await this.#put(started.record, { state: "failed", reason: (error as Error).message });
      const next = await this.start(operation, body, options);
      options.onStart?.(next);
      return await this.#result(next, options);
    }
  }

  async start(operation: string, body: unknown, options: StartOptions): Promise<StartedJob> {
    const description = await this.#describe(operation, options);
    const created = await catalog.get(description.operation);
    // Refused before they are recorded: they could hold a token.
    checkedHeaders(created, options.headers ?? {});
    const { hasBody } = created;
    const given = body ?? (hasBody ? {} : undefined);
    const request = {
      body: given,
      place: await this.#placeOf(description, options),
      profileId: this.#profileId,
    };
    return await startJob(this.#host, description, request, { ...options, ledger: this.#ledger });
  }

  async status(reference: JobReference, { signal }: SignalOptions): Promise<JobStatus> {
    return (await this.#look(reference, signal)).look.status;
  }

  async wait(reference: JobReference, options: WaitForJobOptions): Promise<JobStatus> {
    return (await this.#wait(await this.#find(reference), options)).status;
  }

  async *download(reference: JobReference, { signal }: SignalOptions): AsyncGenerator<JobRow> {
    yield* this.#rows(await this.#look(reference, signal), { signal });
  }

  async *files(reference: JobReference, { signal }: SignalOptions): AsyncGenerator<JobFile> {
    yield* this.#files(await this.#look(reference, signal), { signal });
  }

  async cancel(reference: JobReference, { signal }: SignalOptions): Promise<JobStatus> {
    const job = await this.#find(reference);
    const { cancel, noun } = job.description;
    if (cancel === undefined) {
      throw new TypeError(`Cannot cancel ${noun} "${job.jobId}": the platform has no way`);
    }
    const { description } = job;
    const { status: now } = await lookAtJob(this.#host, description, job, signal);
    if (["done", "failed", "cancelled"].includes(now.phase)) return now;
    const body = cancel.body === undefined ? {} : { body: cancel.body };
    await this.#host.send(cancel.operation, { ...callAbout(description, job, signal), ...body });
    try {
      return await this.status(reference, { signal });
    } catch (error) {
      if (!isGone(error)) throw error;
      await this.#put(job.record, { state: "cancelled" });
      const { jobId } = job;
      const { operation } = description;
      return {
        jobId,
        operation,
        status: "CANCELLED",
        phase: "cancelled",
        reason: undefined,
        undelivered: undefined,
        response: {},
      };
    }
  }

  async list(): Promise<readonly JobRecord[]> {
    const records = await this.#ledger.list();
    const names = Object.entries(this.#account ?? {});
    return newestFirst(
      records.filter(({ profileId, place, host = this.#host.name }) =>
        profileId === this.#profileId && host === this.#host.name &&
        names.every(([name, value]) => place.headers?.[name] === value)
      ),
    );
  }

  async #result({ record, adopted }: StartedJob, options: RunJobOptions): Promise<JobResult> {
    const { jobId, place } = record;
    const description = await this.#describe(record.operation, { ...options, status: record.status });
    const job: KnownJob = { description, jobId, place, record };
    const look = await this.#wait(job, options);
    const { signal } = options;
    // A result that is not delivered is a failure of the job.
    if (description.output !== undefined && description.output.pages === undefined) {
      await jobFiles(this.#host, description, { ...job, look }, { signal });
    }
    return {
      jobId,
      adopted,
      status: look.status,
      rows: this.#rows({ ...job, look }, { signal }),
      files: () => this.#files({ ...job, look }, { signal }),
    };
  }

  async #look(
    reference: JobReference,
    signal: AbortSignal | undefined,
  ): Promise<KnownJob & { readonly look: JobLook }> {
    const job = await this.#find(reference);
    const look = await lookAtJob(this.#host, job.description, job, signal);
    await this.#note(job.record, look.status);
    return { ...job, look };
  }

  async #wait(job: KnownJob, options: WaitForJobOptions): Promise<JobLook> {
    const { description, record } = job;
    const askedAt = record === undefined ? undefined : Date.parse(record.askedAt);
    let last: JobStatus | undefined;
    try {
      const look = await waitForJob(this.#host, description, { ...job, askedAt }, {
        ...options,
        onStatus: (status, seconds) => {
          last = status;
          options.onStatus?.(status, seconds);
        },
      });
      await this.#note(record, look.status);
      return look;
    } catch (error) {
      if (last !== undefined) await this.#note(record, last);
      throw error;
    }
  }

  async *#rows(
    job: KnownJob & { readonly look: JobLook },
    { signal }: SignalOptions,
  ): AsyncGenerator<JobRow> {
    let rows = 0;
    for await (const batch of jobRows(this.#host, job.description, job, { signal })) {
      rows += batch.length;
      yield* batch;
    }
    await this.#put(job.record, { state: "read", rows });
  }

  async *#files(
    job: KnownJob & { readonly look: JobLook },
    { signal }: SignalOptions,
  ): AsyncGenerator<JobFile> {
    for (const { name, open } of await jobFiles(this.#host, job.description, job, { signal })) {
      yield { name, bytes: await open() };
    }
    await this.#put(job.record, { state: "read" });
  }

  async #note(
    record: JobRecord | undefined,
    { phase, status, reason, undelivered }: JobStatus,
  ): Promise<void> {
    const states: Partial<Record<JobStatus["phase"], JobState>> = {
      done: undelivered !== undefined ? "failed" : record?.state === "read" ? "read" : "done",
      failed: "failed",
      cancelled: "cancelled",
    };
    await this.#put(record, {
      state: states[phase] ?? "building",
      word: status,
      reason: reason ?? undelivered ?? null,
    });
  }

  async #put(record: JobRecord | undefined, changes: Partial<JobRecord>): Promise<void> {
    if (record === undefined) return;
    const now = await this.#ledger.get(record.key);
    if (now === undefined || now.jobId !== record.jobId) return;
    const changedAt = new Date(this.#host.transport.now()).toISOString();
    await this.#ledger.put({ ...now, ...changes, changedAt });
  }

  async #find(reference: JobReference): Promise<KnownJob> {
    if (typeof reference !== "string") {
      const { jobId, operation } = reference;
      const description = await this.#describe(operation, reference);
      const place = await this.#placeOf(description, reference);
      const record = (await this.list()).find((one) =>
        one.jobId === jobId && one.operation === description.operation
      );
      return { description, jobId, place, record };
    }
    const record = (await this.list()).find(({ jobId }) => jobId === reference);
    if (record === undefined) {
      throw new ConfigurationError(
        `Cannot find job "${reference}": it was not started here. Name the operation that created it`,
      );
    }
    const description = await this.#describe(record.operation, { status: record.status });
    return { description, jobId: reference, place: record.place, record };
  }

  /** @throws {TypeError} when the job has no description and no status operation is given. */
  async #describe(
    operation: string,
    { status, done, failed, addresses }: Partial<JobNames>,
  ): Promise<JobDescription> {
    const create = await catalog.get(operation);
    const described = describedJob(create.id);
    if (described !== undefined) return described;
    if (status !== undefined) return await undescribedJob(create.id, { status, done, failed, addresses });
    const candidates = await statusCandidates(create);
    const next = candidates.length === 0
      ? `Described jobs: ${JOBS.map((job) => job.operation).join(", ")}`
      : `Name the operation that returns its status: ${candidates.join(" or ")}`;
    throw new TypeError(`Cannot run "${create.id}" as a job: it is not described. ${next}`);
  }

  async #placeOf(
    description: JobDescription,
    { pathParams, query, headers, contentType, accept }: JobPlace,
  ): Promise<JobPlace> {
    await checkPlace(description, { pathParams, query });
    const { hasOwnType, operation } = description;
    const type = accept ?? (hasOwnType ? (await catalog.get(operation)).accept : undefined);
    const named = this.#account === undefined && headers === undefined
      ? undefined
      : { ...this.#account, ...headers };
    return {
      ...(pathParams === undefined ? {} : { pathParams }),
      ...(query === undefined ? {} : { query }),
      ...(named === undefined ? {} : { headers: named }),
      ...(contentType === undefined ? {} : { contentType }),
      ...(type === undefined ? {} : { accept: type }),
    };
  }
}

function jobHost(target: CallTarget): JobHost {
  return {
    transport: target.transport,
    name: target.baseUrl.replace(/^\w+:\/\//, "").replace(/\/$/, ""),
    send: async (id, { idempotent, beforeAttempt, ...call }) => {
      const watch = {
        ...(idempotent === undefined ? {} : { idempotent }),
        ...(beforeAttempt === undefined ? {} : { beforeAttempt }),
      };
      return (await sendCall(id, await documented(id, call), { ...target, watch })).json;
    },
    pages: async function* (id, call) {
      yield* callPages(id, await documented(id, call), target);
    },
  };
}

async function documented(id: string, call: JobCall): Promise<CallRequest> {
  const operation = await catalog.get(id);
  const { query, pathParams, contentType, accept, signal, headers, body, check } = call;
  const known = new Set(operation.query.map(({ name }) => name));
  return {
    body,
    pathParams: Object.fromEntries(
      Object.entries(pathParams ?? {}).filter(([name]) => operation.pathParams.includes(name)),
    ),
    query: Object.fromEntries(Object.entries(query ?? {}).filter(([name]) => known.has(name))),
    ...(headers === undefined ? {} : { headers }),
    ...(contentType === undefined || !operation.hasBody ? {} : { contentType }),
    ...(accept === undefined || !operation.accepts.includes(accept) ? {} : { accept }),
    ...(signal === undefined ? {} : { signal }),
    ...(check === undefined ? {} : { check }),
  };
}

/**
 * Checks the parameters of a job, because unknown ones would be dropped silently.
 *
 * @throws {TypeError} listing all of them; nothing is sent.
 */
async function checkPlace(
  { operation, status, output, search, cancel, idParam }: JobDescription,
  { pathParams = {}, query = {} }: {
    readonly pathParams?: JobPlace["pathParams"] | undefined;
    readonly query?: JobPlace["query"] | undefined;
  },
): Promise<void> {
  if (Object.keys(pathParams).length + Object.keys(query).length === 0) return;
  const ids = [operation, status, output?.operation, search?.operation, cancel?.operation];
  const operations = await Promise.all(ids.flatMap((id) => id === undefined ? [] : [catalog.get(id)]));
  const problems = [
    ...unknown("path parameter", pathParams, operations.flatMap((one) => one.pathParams), idParam),
    ...unknown("query parameter", query, operations.flatMap((one) => one.query.map(({ name }) => name))),
  ];
  if (problems.length > 0) throw new TypeError(`Cannot run "${operation}" as a job: ${problems.join("; ")}`);
}

function unknown(
  noun: string,
  given: Readonly<Record<string, unknown>>,
  all: readonly string[],
  id?: string,
): string[] {
  const names = [...new Set(all)].filter((name) => name !== id);
  return Object.keys(given).filter((name) => !names.includes(name)).map((name) => {
    const near = nearest(name, names);
    const next = near !== undefined
      ? `did you mean "${near}"?`
      : names.length === 0
      ? "it takes none"
      : `it takes ${names.map((one) => `"${one}"`).join(", ")}`;
    return `it has no ${noun} "${visibleText(name)}": ${next}`;
  });
}
