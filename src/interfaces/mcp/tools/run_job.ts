import { UnsupportedOperationError } from "../../../errors.ts";
import { effectOfJob, flatRow, jobRun } from "../../../operations/reads/jobs.ts";
import type { JobRow } from "../../../client/jobs/job_options.ts";
import { operationTool } from "../tooling/operation_tool.ts";
import { ROW_ARGS, ROWS, takeRows } from "../tooling/rows.ts";
import type { Tool } from "../tooling/tool.ts";

const MARGIN = 5;

export const runJobTool: Tool = operationTool(jobRun, {
  output: ROWS,
  sets: ["operations"],
  more: ROW_ARGS,
  async refuse({ operation }) {
    const { id, effect } = await effectOfJob(operation);
    if (effect !== "unknown") return;
    throw new UnsupportedOperationError(
      `Cannot run "${id}" here: it does not only read, and it is not a known job. Ask a person to run "adsctl ops job run"`,
    );
  },
  answer: async (profile, input, call, { limit, offset }) => {
    let step = 0;
    const seconds = Math.max(1, call.seconds - MARGIN);
    const { rows, jobId, adopted } = await jobRun.run({
      profile,
      signal: call.signal,
      first: 1,
      poll: 10,
      maxPoll: 30,
      onStatus: ({ status }, waited) =>
        void call.progress(++step, `Job ${status} for ${Math.round(waited)} s`),
    }, { ...input, timeout: Math.min(input.timeout ?? Infinity, seconds / 60) });
    const notes = () => adopted ? [`Job ${jobId} was requested before`] : [];
    return await takeRows(flat(rows), { noun: "rows", limit, offset, notes }, call);
  },
});

async function* flat(rows: AsyncIterable<JobRow>) {
  for await (const row of rows) yield flatRow(row);
}
