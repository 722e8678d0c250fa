import { fieldsOf, isObject } from "../../base/json/fields_of.ts";
import { PlatformAdsError } from "../../errors.ts";
import { openFile } from "../reports/file/open_file.ts";
import { BrokenReportFile, readRows, type ReadRowsOptions } from "../reports/file/read_rows.ts";
import type { ReportRow } from "../reports/file/report_row.ts";
import type { JobDescription, JobOutput } from "./job_description.ts";
import { callAbout, type JobAddress, type JobSender } from "./job_host.ts";
import { addressesIn, jobFailure, jobIn, type JobLook, type JobProblem } from "./job_status.ts";
import { lookAtJob } from "./wait_for_job.ts";

/** A file of a job's result. */
export interface JobFile {
  /** Name of the file, from its URL. */
  readonly name: string;
  /** Content as a stream of bytes; can be read only once. */
  readonly bytes: AsyncIterable<Uint8Array>;
}

interface ResultOptions {
  readonly signal?: AbortSignal | undefined;
}

/** A file of a result, which can be opened any number of times. */
export interface OfferedFile {
  readonly name: string;
  /** Opens the file; requests a new address if the present one is refused. */
  readonly open: () => Promise<AsyncIterable<Uint8Array>>;
  /** Creates the error for a file that cannot be read. */
  readonly failure: (kind: JobProblem["kind"], why: string, options?: ErrorOptions) => Error;
}

/**
 * Yields the rows of a completed job in batches, in bounded memory: from its files or pages, or from its status if
 * there is no other result. Files may be gzip or plain, and contain JSON, one object per line, or CSV.
 *
 * @param options.reading How files are read. @default values of CSV stay text
 * @throws {JobFailedError} when the result is not delivered or cannot be read whole; {@linkcode PlatformAdsError} when its
 * files are not tables.
 */
export async function* jobRows(
  host: JobSender,
  description: JobDescription,
  job: JobAddress & { readonly look: JobLook },
  { signal, reading }: ResultOptions & { readonly reading?: ReadRowsOptions } = {},
): AsyncGenerator<ReportRow[]> {
  const { output } = description;
  const { status } = job.look;
  if (output === undefined) {
    yield [rowOf(status.response)];
    return;
  }
  if (output.isFiles) {
    throw new PlatformAdsError(
      `Cannot read rows of ${description.noun} "${job.jobId}": its files are not tables. Use jobs.files()`,
    );
  }
  if (output.pages !== undefined) {
    const call = callAbout(description, job, signal);
    for await (const page of host.pages(output.operation ?? description.status, call)) {
      const rows = [fieldsOf(page)[output.pages] ?? []].flat().map(rowOf);
      if (rows.length > 0) yield rows;
    }
    return;
  }
  const files = await jobFiles(host, description, job, { signal });
  for (const file of files) {
    const rows = fileRows({
      open: file.open,
      broken: (error) => {
        const why = `its file is not whole: ${error.message}. ${error.rows} rows were read before`;
        return file.failure("damaged", why, { cause: error });
      },
      reading: reading ?? {
        format: "CSV",
        typeOf: () => undefined,
        list: output.list,
        escapes: output.escape !== undefined,
        clean: (text) => host.transport.clean(text),
      },
      signal,
    });
    for await (const batch of rows) {
      yield output.shape === undefined ? batch : batch.map(SHAPES[output.shape]);
    }
  }
}

const SHAPES: Readonly<Record<NonNullable<JobOutput["shape"]>, (row: ReportRow) => ReportRow>> = {
  nested: (row) =>
    Object.assign(
      {},
      ...Object.entries(row).map(([name, value]) => isObject(value) ? value : { [name]: value }),
    ),
  // Spreadsheets keep all digits of an id that is written as ="123".
  formulas: (row) =>
    Object.fromEntries(
      Object.entries(row).map(([name, value]) => [
        name,
        typeof value === "string" ? value.replace(/^="(.*)"$/, "$1") : value,
      ]),
    ),
};

/** Yields the files of a completed job. Addresses expire; a new one is requested when the present one is refused. */
export async function jobFiles(
  host: JobSender,
  description: JobDescription,
  job: JobAddress & { readonly look: JobLook },
  { signal }: ResultOptions = {},
): Promise<readonly OfferedFile[]> {
  let { look } = job;
  const { status } = look;
  const failed = (kind: JobProblem["kind"], why: string, more: Partial<JobProblem> = {}): Error =>
    (host.failure ?? jobFailure)({ description, look, kind, why, ...more });
  const { output } = description;
  if (status.phase !== "done") throw failed("early", `it is ${status.status}, not ${description.done[0]}`);
  if (status.undelivered !== undefined) throw failed("failed", status.undelivered);
  const addresses = async (look: JobLook): Promise<readonly string[]> => {
    if (output?.operation === undefined) return look.addresses;
    const response = await host.send(output.operation, callAbout(description, job, signal));
    return addressesIn(jobIn(response, description), output.addresses ?? "");
  };
  const current = [...await addresses(job.look)];
  const names = current.map(nameOf);
  return names.map((name, at) => {
    const failure: OfferedFile["failure"] = (kind, why, options) =>
      failed(kind, why, { file: { at, of: names.length }, options });
    const renew = async (): Promise<string | undefined> => {
      look = await lookAtJob(host, description, job, signal);
      return current[at] = (await addresses(look))[at] ?? "";
    };
    return {
      name: names.indexOf(name) === at ? name : `${at + 1}-${name}`,
      open: async () => {
        const file = { url: current[at] ?? "", renew, failure: failure.bind(undefined, "file") };
        return await openFile(file, host.transport, signal);
      },
      failure,
    };
  });
}

function nameOf(address: string, at: number): string {
  const path = URL.canParse(address) ? new URL(address).pathname : "";
  const name = (path.split("/").at(-1) ?? "").replace(/[^\w.-]/g, "_").replace(/^\.+/, "");
  return name === "" ? `file-${at + 1}` : name;
}

function rowOf(value: unknown): ReportRow {
  return fieldsOf(value) as ReportRow;
}

const FETCHES = 3;

interface FileOfRows {
  readonly open: () => Promise<AsyncIterable<Uint8Array> | undefined>;
  readonly broken: (error: BrokenReportFile) => Error;
  readonly reading: ReadRowsOptions;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Yields the rows of a file. If the file is damaged or truncated, it is fetched again and rows already returned are
 * skipped.
 */
async function* fileRows(file: FileOfRows): AsyncGenerator<ReportRow[]> {
  let given = 0;
  for (let fetch = 1;; fetch++) {
    const bytes = await file.open();
    if (bytes === undefined) return;
    let read = 0;
    try {
      for await (const batch of readRows(bytes, file.reading)) {
        const fresh = batch.slice(Math.max(0, given - read));
        read += batch.length;
        if (fresh.length === 0) continue;
        given += fresh.length;
        yield fresh;
      }
      return;
    } catch (error) {
      file.signal?.throwIfAborted();
      if (!(error instanceof BrokenReportFile)) throw error;
      if (fetch === FETCHES) throw file.broken(error);
    }
  }
}
