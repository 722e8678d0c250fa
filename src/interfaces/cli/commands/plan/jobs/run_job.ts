import type { JobResult } from "../../../../../account/jobs/job_result.ts";
import { drawnProfiles } from "../../../../../account/rollout/rollout_experiment.ts";
import { readNamedFile } from "../../../../../base/runtime/read_named_file.ts";
import type { ProfileClient } from "../../../../../client/profile_client.ts";
import type { JobOperation } from "../../../../../operations/jobs/job_operation.ts";
import { checkInput } from "../../../../../operations/model/check_input.ts";
import { type Field, type Fields, inputFrom } from "../../../../../operations/model/field.ts";
import { HOLD_BACK_FIELDS } from "../../../../../operations/model/hold_back.ts";
import { connectProfile } from "../../../shell/connect/connect.ts";
import { nameOf } from "../../../shell/connect/with_profiles.ts";
import type { CliContext } from "../../../shell/context/context.ts";
import { readRecords } from "../../../shell/input/parse_records.ts";
import { EXIT, refusingBadInput, UsageError } from "../../../shell/io/cli_error.ts";
import type { CliIo } from "../../../shell/io/cli_io.ts";
import { dividedHoldBack, holdBackOf } from "../../../shell/options/experiment_options.ts";
import { commandSpelling, fieldValues } from "../../../shell/options/field_options.ts";
import { isForMany } from "../../../shell/options/many_profiles.ts";
import { checkCurrencies, inCurrencyOf } from "../../../shell/options/money_options.ts";
import { wantsData } from "../../../shell/output/wants_data.ts";
import { sayNotes } from "../../../shell/output/write_text.ts";
import { finishPlan } from "../../../shell/finish_plan.ts";
import { powerOf } from "../../../shell/power_of_plan.ts";
import { openSyncedStore } from "../../store/open_synced_store.ts";
import { planRollout } from "../rollout/plan_rollout.ts";
import type { Job, JobFiles, JobOptions } from "./job.ts";
import { jobData, summary } from "./job_text.ts";

async function readTable(
  name: string,
  { columns }: Extract<Field, { readonly type: "table" }>,
  { file, io }: { readonly file: string; readonly io: Pick<CliIo, "stdin"> },
): Promise<Record<string, unknown>[]> {
  const { records, names } = await readRecords(file, io);
  const required = Object.keys(columns).filter((column) => columns[column]?.required);
  const others = Object.keys(columns).filter((column) => !required.includes(column));
  if (required.some((column) => !names.includes(column)) || names.some((column) => !(column in columns))) {
    throw new UsageError(
      `Cannot use the ${name} ${file}: expected the columns ${listed(required)}, and ${
        listed(others)
      } if you like; found ${names.join(", ")}`,
    );
  }
  return Array.from(records, ({ values, where }) => {
    const cells = Object.entries(columns).map(([column, { type, required }]): [string, unknown] => {
      const text = String(values[column] ?? "");
      if (!required && text.trim() === "") return [column, undefined];
      return [column, type === "amount" ? Number(text.trim()) : required ? text : text.trim()];
    });
    return { ...Object.fromEntries(cells.filter(([, value]) => value !== undefined)), where };
  });
}

function listed(words: readonly string[]): string {
  return words.length < 2 ? words.join() : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}

export async function runJob<Of extends Fields, Result extends JobResult>(
  operation: JobOperation<Of, Result>,
  options: JobOptions,
  context: CliContext,
  files: JobFiles<Of, Result>,
): Promise<number> {
  const job = await readJob(operation, options, context, files);
  if (options.check) {
    for (const line of job.checked) await context.io.stdout.write(`${line}\n`);
    return EXIT.done;
  }
  if (options.fromFiles && job.fileReports !== undefined) {
    const { runFromFiles } = await import("./run_from_files.ts");
    return await runFromFiles(options, context, { ...job, fileReports: job.fileReports });
  }
  if (options.asOf !== undefined) {
    const { runBacktest } = await import("./backtest.ts");
    return await runBacktest({ ...options, asOf: options.asOf }, context, job);
  }
  if (isForMany(options)) return await runForMany(options, context, job);
  const client = await connectProfile(options, context);
  const { figures, say, fetching } = await openSyncedStore(options, context);
  const result = await fetching(() => refusingBadInput(() => job.run(client, figures)));
  if (!wantsData(context)) {
    await sayNotes(summary(result), context, say);
    say("");
  }
  const code = await finishPlan(result.plan, {
    out: options.out,
    context,
    data: { ...jobData(result), ...job.data(result) },
  });
  for (const line of await job.after(result)) say(line);
  if (!wantsData(context)) {
    const power = await powerOf(result.plan, figures.store, context);
    await sayNotes([...power, ...job.lines(result)], context, say);
  }
  return code;
}

async function readJob<Of extends Fields, Result extends JobResult>(
  operation: JobOperation<Of, Result>,
  options: JobOptions,
  { io }: CliContext,
  files: JobFiles<Of, Result>,
): Promise<Job<Result>> {
  const { input: fields, fileReports } = operation;
  const values = fieldValues(fields, options);
  for (const [name, field] of Object.entries(fields)) {
    const file = values[name];
    if (field.type === "table" && typeof file === "string") {
      values[name] = await readTable(name, field, { file, io });
    }
    if (field.type === "document" && typeof file === "string") {
      values[name] = { text: await readNamedFile(file, `the file of ${name}`), source: file };
    }
  }
  files.check?.(options);
  const inputFor = (profile: ProfileClient | undefined) =>
    inputFrom(fields, inCurrencyOf(profile, values, fields));
  await refusingBadInput(() => checkInput(operation, inputFor(undefined), commandSpelling(fields)));
  // Where whole profiles are drawn, nothing inside of a plan is.
  const undrawn = Object.fromEntries(Object.keys(HOLD_BACK_FIELDS).map((name) => [name, undefined]));
  return {
    fileReports,
    checked: options.check ? await files.checked?.(inputFor(undefined)) ?? [] : [],
    lines: (result) => operation.lines?.(result) ?? [],
    data: (result) => operation.data?.(result) ?? {},
    run: (profile, figures, isWhole = false) =>
      operation.run({ profile, figures }, { ...inputFor(profile), ...(isWhole ? undrawn : {}) }),
    checkProfiles: (profiles) => checkCurrencies(profiles, values, fields),
    after: async (result) => await files.after?.(result, { options, input: inputFor(undefined) }) ?? [],
  };
}

async function runForMany<Result extends JobResult>(
  options: JobOptions,
  context: CliContext,
  job: Job<Result>,
): Promise<number> {
  const { ofProfiles } = dividedHoldBack(holdBackOf(options));
  const { figures, say, fetching } = await openSyncedStore(options, context);
  return fetching(() =>
    planRollout(options, context, {
      check: job.checkProfiles,
      holdBack: ofProfiles,
      lines: async (rollout) => {
        const found = await drawnProfiles(rollout);
        return found === undefined ? [] : await powerOf(found.plan, figures.store, context, found.profiles);
      },
      make: async (client) => {
        const named = (line: string): void => say(`${nameOf(client)}: ${line}`);
        const result = await job.run(client, { ...figures, onSync: named }, ofProfiles !== undefined);
        if (!wantsData(context)) await sayNotes(summary(result), context, named);
        return { plan: result.plan };
      },
    })
  );
}
