import * as z from "zod";
import { cleanRoomInstances, cleanRoomQueries, cleanRoomRun } from "../../../operations/reads/clean_rooms.ts";
import { loginTool } from "../tooling/operation_tool.ts";
import { ROW_ARGS, ROWS, takeRows } from "../tooling/rows.ts";
import { type Tool, tool } from "../tooling/tool.ts";

const MARGIN = 5;

/** Tool for the clean rooms of the login. */
export const listCleanRooms: Tool = loginTool(cleanRoomInstances, {
  output: ROWS,
  sets: ["operations"],
  more: ROW_ARGS,
  answer: async (ads, input, call, { limit, offset }) => {
    const rooms = await cleanRoomInstances.run({ ads, signal: call.signal, now: call.context.now }, input);
    const rows = rooms.map(({ advertisers, ...room }) => ({ ...room, advertisers: advertisers.length }));
    return await takeRows(rows, { noun: "clean rooms", limit, offset }, call);
  },
});

/** Tool for the stored queries of a clean room. */
export const listCleanRoomQueries: Tool = loginTool(cleanRoomQueries, {
  output: ROWS,
  sets: ["operations"],
  more: ROW_ARGS,
  answer: async (ads, input, call, { limit, offset }) => {
    const stored = await cleanRoomQueries.run({ ads, signal: call.signal, now: call.context.now }, input);
    const rows = stored.map(({ workflowId, sqlQuery, inputParameters = [], schedule }) => ({
      workflow_id: workflowId,
      sql: sqlQuery,
      parameters: inputParameters.map(({ name }) => name).join(", "),
      schedule: schedule === undefined ? null : JSON.stringify(schedule),
    }));
    return await takeRows(rows, { noun: "queries", limit, offset }, call);
  },
});

/** Queries in one comparison. */
const MAX_FILES = 50;

/** Tool that compares queries in files with those of a clean room. */
export const compareCleanRoomQueries: Tool = tool({
  name: "compare_clean_room_queries",
  title: "Compare clean-room queries",
  description:
    "Compares .sql files with the stored queries and schedules of a clean room. To change them, use plan_call.",
  input: z.strictObject({
    files: z.array(z.strictObject({
      name: z.string().min(1).max(200),
      text: z.string(),
    })).min(1).max(MAX_FILES),
    room: z.string().optional().describe("Id or name"),
    ...ROW_ARGS,
  }),
  output: ROWS,
  effect: "read",
  sets: ["operations"],
  async run({ files, room: name, limit, offset }, call) {
    const [{ parseWorkflows }, { compareWorkflows }] = await Promise.all([
      import("../../../account/runs/load_workflows.ts"),
      import("../../../account/runs/plan_workflows.ts"),
    ]);
    const wanted = parseWorkflows(files.map(({ name, text }) => ({ source: name, text })));
    const { signal } = call;
    const room = await (await call.context.ads()).cleanRoom(name, { signal });
    const found = await compareWorkflows(room, wanted, { signal });
    const rows = found.map(({ fields, state, kind, id, source }) => ({
      ...{ state, kind, id },
      fields: fields.join(", "),
      source,
    }));
    const notes = (): string[] => rows.length === 0 ? ["The clean room matches the files"] : [];
    return await takeRows(rows, { noun: "differences", limit, offset, notes }, call);
  },
});

/** Tool that runs a query in a clean room. */
export const runCleanRoomQuery: Tool = loginTool(cleanRoomRun, {
  output: ROWS,
  sets: ["operations"],
  more: ROW_ARGS,
  answer: async (ads, input, call, { limit, offset }) => {
    let step = 0;
    const warnings: string[] = [];
    const seconds = Math.max(1, call.seconds - MARGIN);
    const result = await cleanRoomRun.run({
      ads,
      signal: call.signal,
      now: call.context.now,
      first: 1,
      poll: 10,
      maxPoll: 30,
      onStatus: ({ status }, waited) =>
        void call.progress(++step, `Query ${status} for ${Math.round(waited)} s`),
      onWarning: (warning) => void warnings.push(warning),
    }, { ...input, timeout: Math.min(input.timeout ?? Infinity, seconds / 60) });
    const notes = (): string[] => {
      const withheld = result?.withheld;
      if (result === undefined) return ["The query compiles"];
      if (withheld === undefined || withheld.rows === 0) return warnings;
      return [...warnings, `Privacy withheld values in ${withheld.rows} rows, named in withheld_columns`];
    };
    return await takeRows(result?.rows ?? [], { noun: "rows", limit, offset, notes }, call);
  },
});
