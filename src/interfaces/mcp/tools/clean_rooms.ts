import {
  cleanRoomDrift,
  cleanRoomInstances,
  cleanRoomQueries,
  cleanRoomRun,
} from "../../../operations/reads/clean_rooms.ts";
import { loginTool } from "../tooling/operation_tool.ts";
import { ROW_ARGS, ROWS, takeRows } from "../tooling/rows.ts";
import type { Tool } from "../tooling/tool.ts";

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

/** Tool that compares queries in files with those of a clean room. */
export const compareCleanRoomQueries: Tool = loginTool(cleanRoomDrift, {
  output: ROWS,
  sets: ["operations"],
  more: ROW_ARGS,
  answer: async (ads, input, call, { limit, offset }) => {
    const found = await cleanRoomDrift.run({ ads, signal: call.signal, now: call.context.now }, input);
    const notes = () => cleanRoomDrift.lines?.(found) ?? [];
    return await takeRows(
      found.map((row) => ({ ...row })),
      { noun: "differences", limit, offset, notes },
      call,
    );
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
