import { access, mkdir } from "node:fs/promises";
import { visibleText } from "../../../../base/text/visible_text.ts";
import { asyncChunks } from "../../../../base/json/chunks.ts";
import type { JobRow } from "../../../../client/jobs/job_options.ts";
import type { JobFile } from "../../../../client/jobs/job_rows.ts";
import type { JobStatus } from "../../../../client/jobs/job_status.ts";
import type { Fields } from "../../../../operations/model/field.ts";
import type { Operation } from "../../../../operations/model/operation.ts";
import {
  effectOfJob,
  flatRow,
  jobCancel,
  type JobContext,
  jobDownload,
  jobList,
  type JobOutcome,
  jobRun,
  jobStatus,
  jobWait,
} from "../../../../operations/reads/jobs.ts";
import { nextCommand } from "../../shell/context/shell_words.ts";
import { command, group, type MakeCommand } from "../../shell/command.ts";
import { connectProfile } from "../../shell/connect/connect.ts";
import { confirm, ensureCanAsk } from "../../shell/context/confirm.ts";
import type { CliContext } from "../../shell/context/context.ts";
import { CliError, EXIT, refusingBadInput, UsageError } from "../../shell/io/cli_error.ts";
import { readInput } from "../../shell/input/read_input.ts";
import type { MarketOptions } from "../../shell/options/market_options.ts";
import { operationInput } from "../../shell/options/operation_input.ts";
import { operationLeaf } from "../../shell/operation_leaf.ts";
import { exportFormat } from "../../shell/output/export_format.ts";
import { exportRows, NewFile } from "../../shell/output/export_rows.ts";
import { printJson, printRows, rowPrinter, wantsData } from "../../shell/output/print_rows.ts";
import { say } from "../../shell/output/write_text.ts";

interface JobOptions extends MarketOptions {
  readonly body?: string;
  readonly out?: string;
  readonly yes?: boolean;
}

const OUT =
  "write to a file: .csv, .json, .jsonl, .parquet or .xlsx; or a folder for files that are not tables";

const jobRunCommand = command(
  (kit) =>
    operationLeaf<[string], JobOptions>(kit, jobRun)
      .option("--out <path>", OUT)
      .option("--yes", "do not ask before a job that may change data"),
  async (operation, options, context) => {
    const body = options.body === undefined ? undefined : await textOf(options.body, context);
    const input = await operationInput(jobRun, { ...options, ...(body === undefined ? {} : { body }) }, {
      operation,
    });
    if (options.out !== undefined && !isFolder(options.out)) exportFormat(options.out);
    await ensureWanted(operation, options, context);
    const profile = await connectProfile(options, context);
    const { onStatus, ...waiting } = waitingOf(context);
    let started: string | undefined;
    try {
      const { signal } = context.interruption;
      const result = await refusingBadInput(() =>
        jobRun.run({
          profile,
          signal,
          ...waiting,
          onStatus,
          onStart: ({ record: { jobId }, adopted }) => {
            started = jobId;
            if (adopted) void say(`Job ${jobId} was requested before`, context);
          },
          onWarning: (warning) => void say(warning, context),
        }, input)
      );
      return await printJob(result, options, context);
    } catch (error) {
      if (started !== undefined && context.interruption.signal.aborted) {
        const where = options.market === undefined ? [] : ["-m", options.market];
        const next = nextCommand(["ops", "job", "wait", started, ...where], context.globals);
        await context.io.stderr.write(`The job is still being built. Wait for it later: ${next}\n`);
      }
      throw error;
    }
  },
);

/** Asks for confirmation, because an undescribed job may change data. */
async function ensureWanted(id: string, { yes }: JobOptions, context: CliContext): Promise<void> {
  const operation = await refusingBadInput(() => effectOfJob(id));
  if (operation.effect !== "unknown") return;
  ensureCanAsk(yes, context, "running a job that can change data");
  if (yes || await confirm(`${operation.id} can change data. Send it?`, context)) return;
  throw new CliError("Not sent: the answer was not yes", EXIT.failed);
}

async function textOf(given: string, { io }: CliContext): Promise<string> {
  if (given !== "-" && !given.startsWith("@")) return given;
  return (await readInput(given.replace(/^@/, ""), io)).text;
}

function waitingOf(context: CliContext): Pick<JobContext, "onStatus"> {
  const work = context.progress.work({ noun: "job" });
  return {
    onStatus: ({ jobId, status, phase }, seconds) =>
      work.part(jobId, {
        name: jobId,
        state: phase === "done" ? "done" : "running",
        step: status.toLowerCase(),
        seconds,
      }),
  };
}

const jobDownloadCommand = command(
  (kit) => operationLeaf<[string], JobOptions>(kit, jobDownload).option("--out <path>", OUT),
  async (jobId, options, context) => {
    const input = await operationInput(jobDownload, options, { job_id: jobId });
    if (options.out !== undefined && !isFolder(options.out)) exportFormat(options.out);
    const profile = await connectProfile(options, context);
    const { signal } = context.interruption;
    const outcome = await refusingBadInput(() => jobDownload.run({ profile, signal }, input));
    return await printJob(outcome, options, context);
  },
);

function statusCommand<Of extends Fields>(operation: Operation<Of, JobContext, JobStatus>): MakeCommand {
  return command(
    (kit) => operationLeaf<[string]>(kit, operation),
    async (jobId, options, context) => {
      const input = await operationInput(operation, options, { job_id: jobId });
      const profile = await connectProfile(options, context);
      const { signal } = context.interruption;
      const waiting = waitingOf(context);
      return await printStatus(
        await refusingBadInput(() => operation.run({ profile, signal, ...waiting }, input)),
        context,
      );
    },
  );
}

const JOB_COLUMNS = ["job_id", "operation", "state", "status", "reason", "asked_at", "rows"];

const jobListCommand = command(
  (kit) => operationLeaf(kit, jobList, { printsRows: true }),
  async (options, context) => {
    const profile = await connectProfile(options, context);
    const { signal } = context.interruption;
    const jobs = await jobList.run({ profile, signal }, {});
    const rows = jobs.map(({ jobId, operation, state, word, reason, askedAt, rows }) => ({
      job_id: jobId,
      operation,
      state,
      status: word,
      reason,
      asked_at: askedAt,
      rows,
    }));
    await printRows(rows, { columns: JOB_COLUMNS, fields: JOB_COLUMNS }, context);
    if (rows.length === 0) await say("No job was started here", context);
    return EXIT.done;
  },
);

export const opsJobCommand = group(
  "job",
  {
    summary: "Run long jobs such as exports and brand metrics, and resume them",
    examples: [
      ["adsctl ops job run v1-exports:CampaignExport -m US --demo", "export the campaigns"],
      ["adsctl ops job list -m US", "list the jobs that were started here"],
    ],
    library: 'const { rows } = await profile.jobs.run("v1-exports:CampaignExport", {})',
  },
  [
    jobRunCommand,
    statusCommand(jobStatus),
    statusCommand(jobWait),
    jobDownloadCommand,
    statusCommand(jobCancel),
    jobListCommand,
  ],
);

async function printStatus(
  { jobId, operation, status, phase, reason }: JobStatus,
  context: CliContext,
): Promise<number> {
  const data = { job_id: jobId, operation, status, phase, reason: reason ?? null };
  if (wantsData(context)) await printJson(data, context);
  else {await context.io.stdout.write(
      `${jobId} is ${visibleText(status)}${reason === undefined ? "" : `: ${visibleText(reason)}`}\n`,
    );}
  return EXIT.done;
}

async function printJob(
  { rows, files }: JobOutcome,
  { out }: JobOptions,
  context: CliContext,
): Promise<number> {
  if (out !== undefined && isFolder(out)) return await writeFiles(files(), out, context);
  const batches = asyncChunks(rows, 500);
  const next = await batches.next();
  const first: readonly JobRow[] = next.done ? [] : next.value;
  const columns = [...new Set(first.flatMap((row) => Object.keys(row)))];
  if (out !== undefined) {
    const count = await exportRows(flat(first, batches), { path: out, columns, extra: true }, context);
    await say(`Wrote ${count} rows to ${out}`, context);
    return EXIT.done;
  }
  const printer = rowPrinter({ columns, fields: columns }, context);
  if (first.length > 0) await printer.write(first);
  for await (const batch of batches) await printer.write(batch);
  await printer.end();
  if (first.length === 0) await say("The job has no rows", context);
  return EXIT.done;
}

async function* flat(first: readonly JobRow[], rest: AsyncIterable<readonly JobRow[]>) {
  for (const row of first) yield flatRow(row);
  for await (const batch of rest) for (const row of batch) yield flatRow(row);
}

/** True for a path without an extension, which stands for a folder of the job's files. */
function isFolder(path: string): boolean {
  return path.endsWith("/") || !/\.\w+$/.test(path);
}

async function writeFiles(
  files: AsyncIterable<JobFile>,
  folder: string,
  context: CliContext,
): Promise<number> {
  await mkdir(folder, { recursive: true });
  let count = 0;
  for await (const { name, bytes } of files) {
    const path = `${folder.replace(/\/$/, "")}/${name}`;
    if (await access(path).then(() => true, () => false)) {
      throw new UsageError(`Cannot write "${path}": the file already exists. Choose another folder`);
    }
    const file = await NewFile.create(path);
    try {
      for await (const part of bytes) await file.write(part);
      await file.finish();
    } catch (error) {
      await file.abandon();
      throw error;
    }
    count++;
    await say(`Wrote ${path}`, context);
  }
  if (count === 0) await say("The job has no files", context);
  return EXIT.done;
}
