import { type Command, type CommandUnknownOpts, Option } from "@commander-js/extra-typings";
import type { JobResult } from "../../../../../account/jobs/job_result.ts";
import type { JobOperation } from "../../../../../operations/jobs/job_operation.ts";
import type { Fields } from "../../../../../operations/model/field.ts";
import type { CliContext } from "../../../shell/context/context.ts";
import { command, type MakeCommand } from "../../../shell/command.ts";
import { TOUCH_EXPERIMENTS } from "../../../shell/options/experiment_options.ts";
import { addFields, commandLine } from "../../../shell/options/field_options.ts";
import { addProfilesOptions } from "../../../shell/options/market_options.ts";
import { whyOption } from "../../../shell/output/write_text.ts";
import { noSyncOption, storeOption } from "../../../shell/options/store_option.ts";
import type { JobFiles, JobOptions } from "./job.ts";

export function jobCommand<Of extends Fields, Result extends JobResult>(
  operation: JobOperation<Of, Result>,
  files: JobFiles<Of, Result> = {},
): MakeCommand {
  const { name, summary, details, library, input: fields } = operation;
  const lines = operation.examples.map(({ input, about }) =>
    [commandLine(name, { fields, input }), about] as const
  );
  const [first] = lines;
  const dated = operation.isDated && first !== undefined
    ? [[`${first[0]} --as-of 2026-09-01`, "show the plan as of a past day, and what happened since"] as const]
    : [];
  return command(
    (kit) => {
      const doc = { summary, details, library, examples: [...lines, ...dated, ...files.examples ?? []] };
      const leaf: CommandUnknownOpts = addFields(kit.leaf(name.split(" ").at(-1) ?? "", doc), fields)
        .option(...TOUCH_EXPERIMENTS);
      addProfilesOptions(leaf, "one plan per profile, in a rollout")
        .addOption(storeOption())
        .addOption(noSyncOption())
        .addOption(whyOption())
        .option(
          "--out <path>",
          "file or folder for the plan (default: plan-<id>.json), or folder for a rollout (default: rollout)",
        );
      if (operation.fileReports !== undefined) leaf.addOption(fromFilesOption());
      if (operation.isDated) leaf.addOption(asOfOption());
      for (const option of files.options ?? []) leaf.addOption(option);
      // The types of commander cannot know arguments and options that are declared elsewhere.
      return leaf as Command<unknown[], Pick<JobOptions, keyof JobOptions>>;
    },
    async (...given) => {
      const context = given.pop() as CliContext;
      const options = given.pop() as JobOptions;
      const required = Object.keys(fields).filter((one) => fields[one]?.required === true);
      const args = Object.fromEntries(required.map((one, at) => [one, given[at]]));
      const { runJob } = await import("./run_job.ts");
      return await runJob(operation, { ...options, ...args }, context, files);
    },
  );
}

function fromFilesOption(): Option<"--from-files"> {
  return new Option(
    "--from-files",
    "use data from adsctl import, and write a bulk sheet to upload (--out FILE.xlsx)",
  );
}

function asOfOption(): Option<"--as-of <moment>"> {
  return new Option(
    "--as-of <moment>",
    "show the plan based on data known at that time, and what happened since; nothing is saved",
  );
}
