import type { JobPlanOptions, JobResult } from "../../account/jobs/job_result.ts";
import type { ProfileClient } from "../../client/profile_client.ts";
import type { ReportPresetName } from "../../client/reports/requests/presets.ts";
import type { Fields, InputOf } from "../model/field.ts";
import { checkHoldBack, HOLD_BACK_FIELDS, holdBackOf } from "../model/hold_back.ts";
import type { Operation, Spelling } from "../model/operation.ts";

export const JOB_FIELDS = {
  ...HOLD_BACK_FIELDS,
  again: {
    type: "switch",
    help: "include recently changed entities, using only figures from before the change",
    brief: "Include recently changed entities",
  },
  note: { type: "text", maxLength: 2000, help: "reason, saved in the plan" },
} as const satisfies Fields;

export interface JobFigures extends JobPlanOptions {
  readonly signal: AbortSignal;
  readonly reports?: ReadonlySet<string>;
}

export interface JobContext {
  readonly profile: ProfileClient;
  readonly figures: JobFigures;
}

export interface JobOperation<Of extends Fields = Fields, Result extends JobResult = JobResult>
  extends Operation<Of, JobContext, Result> {
  readonly effect: "plan";
  /** Reports that may come from files; absent if the job needs the account itself. */
  readonly fileReports?: readonly ReportPresetName[];
  readonly isDated?: true;
}

interface JobDeclaration<Of extends Fields, Result extends JobResult>
  extends Omit<JobOperation<Of, Result>, "effect" | "input" | "run" | "check" | "examples"> {
  readonly input: Of;
  readonly examples: JobOperation<Of & typeof JOB_FIELDS, Result>["examples"];
  check?(input: InputOf<Of & typeof JOB_FIELDS>, spelling: Spelling): unknown;
  run(context: JobContext, input: InputOf<Of & typeof JOB_FIELDS>): Promise<Result>;
}

export function defineJob<const Of extends Fields, Result extends JobResult>(
  job: JobDeclaration<Of, Result>,
): JobOperation<Of & typeof JOB_FIELDS, Result> {
  return {
    ...job,
    effect: "plan",
    input: { ...job.input, ...JOB_FIELDS },
    async check(input, spelling) {
      checkHoldBack(input, spelling);
      await job.check?.(input, spelling);
    },
    run: ({ profile, figures }, input) =>
      job.run({ profile, figures: { ...figures, ...planOptions(input) } }, input),
  };
}

function planOptions(input: InputOf<typeof JOB_FIELDS>): Pick<JobPlanOptions, "holdBack" | "again"> {
  return { holdBack: holdBackOf(input), again: input.again };
}
