import { dayIn } from "../../base/time/calendar.ts";
import { isTimeZone } from "../../base/markets/markets.ts";
import { readDay } from "../../base/time/moment.ts";
import type { WorkflowDifference } from "../../account/runs/plan_workflows.ts";
import type { WorkflowFile } from "../../account/runs/workflow_file.ts";
import type { CleanRoomResult } from "../../client/clean_room/clean_room.ts";
import type {
  CleanRoomInstance,
  Workflow,
  WorkflowSchedule,
} from "../../client/clean_room/clean_room_types.ts";
import type { PlatformAds } from "../../client/platform_ads.ts";
import type { RunJobOptions } from "../../client/jobs/job_options.ts";
import type { Fields } from "../model/field.ts";
import type { Operation } from "../model/operation.ts";

/** Login whose clean rooms are read, and options for waiting for a run. */
export interface RoomContext
  extends Pick<RunJobOptions, "first" | "poll" | "maxPoll" | "onStatus" | "onWarning"> {
  readonly ads: Pick<PlatformAds, "cleanRoom" | "cleanRooms">;
  readonly signal: AbortSignal;
  /** Clock from which days before today are counted. */
  readonly now: () => number;
  /** Path of the query, for messages. */
  readonly source?: string | undefined;
}

const ROOM = {
  type: "text",
  value: "id",
  help: "id or name of the clean room",
  otherwise: "the only one",
} as const;

/** Lists the clean rooms of a login. */
export const cleanRoomInstances = defineRead({
  name: "report clean-room instances",
  tool: "list_clean_rooms",
  title: "List clean rooms",
  summary: "List the clean rooms of the login",
  details: "Covers every region of the login.",
  brief: "Clean rooms of the login in all regions, with their ids, names and accounts.",
  examples: [{ input: {}, about: "list ids and names in all regions" }],
  library: "await ads.cleanRooms()",
  input: {},
  run: ({ ads, signal }: RoomContext): Promise<readonly CleanRoomInstance[]> => ads.cleanRooms({ signal }),
});

/** A stored query with its schedule. */
export type StoredQuery = Workflow & {
  /** Absent if the platform does not run the query by itself. */
  readonly schedule?: WorkflowSchedule | undefined;
};

/** Lists the stored queries of a clean room. */
export const cleanRoomQueries = defineRead({
  name: "report clean-room workflows",
  tool: "list_clean_room_queries",
  title: "List clean-room queries",
  summary: "List stored queries with their schedules",
  details:
    "adsctl report clean-room drift compares them with files, and adsctl report clean-room plan changes them.",
  brief:
    "Stored queries of a clean room, with SQL and schedule, to compare with files. To change them, use plan_call.",
  examples: [{ input: { room: "Fernpfad Outdoor US" }, about: "list ids, schedules and SQL" }],
  library: "await room.workflows()",
  input: { room: ROOM },
  async run({ ads, signal }: RoomContext, { room: name }): Promise<readonly StoredQuery[]> {
    const room = await ads.cleanRoom(name, { signal });
    const [workflows, schedules] = await Promise.all([
      room.workflows({ signal }),
      room.schedules({ signal }),
    ]);
    return workflows.map((workflow) => ({
      ...workflow,
      schedule: schedules.find(({ workflowId }) => workflowId === workflow.workflowId),
    }));
  },
});

/** Queries that one request carries; a command reads whole folders. */
const MAX_FILES = 50;

/** Compares queries in files with those of a clean room. */
export const cleanRoomDrift = defineRead({
  name: "report clean-room drift",
  tool: "compare_clean_room_queries",
  title: "Compare clean-room queries",
  summary: "Compare files with the stored workflows and schedules",
  details: "Sends nothing. Exit code 0 if they are the same, otherwise 6.",
  brief:
    "Compares .sql files with the stored queries and schedules of a clean room. To change them, use plan_call.",
  examples: [{
    input: {
      files: [{
        name: "clicks.sql",
        text: "SELECT SUM(clicks) AS clicks FROM sponsored_ads_traffic",
      }],
      room: "Fernpfad Outdoor US",
    },
    about: "list the differences",
  }],
  library: 'await compareWorkflows(room, await loadWorkflows(["queries"]))',
  input: {
    files: {
      type: "table",
      columns: { name: { type: "text", required: true }, text: { type: "text", required: true } },
      maxRows: MAX_FILES,
      value: "files...",
      required: true,
      help: "files, or folders with .sql files",
    },
    room: { ...ROOM, brief: "Id or name" },
  },
  async check({ files }, { field }) {
    if (files.length === 0) throw new RangeError(`Cannot compare nothing: ${field("files")} is empty`);
    await workflowsOf(files);
  },
  async run({ ads, signal }: RoomContext, { files, room: name }): Promise<readonly DriftOfQuery[]> {
    const { compareWorkflows } = await import("../../account/runs/plan_workflows.ts");
    const wanted = await workflowsOf(files);
    const found = await compareWorkflows(await ads.cleanRoom(name, { signal }), wanted, { signal });
    return found.map(({ state, kind, id, fields, source }) => ({
      ...{ state, kind, id },
      fields: fields.join(", "),
      source,
    }));
  },
  lines: (found) => found.length === 0 ? ["The clean room matches the files"] : [],
});

/** A stored query or schedule that differs from the files; `fields` are names with commas. */
export type DriftOfQuery = Omit<WorkflowDifference, "fields"> & { readonly fields: string };

async function workflowsOf(
  files: readonly { readonly name: string; readonly text: string }[],
): Promise<WorkflowFile[]> {
  const { parseWorkflows } = await import("../../account/runs/load_workflows.ts");
  return parseWorkflows(files.map(({ name, text }) => ({ source: name, text })));
}

/** Placeholder for today when only the format of other days is checked. */
const ANY_DAY = "2026-01-01";

/** Runs a query in a clean room; `undefined` after a dry run. */
export const cleanRoomRun = defineRead({
  name: "report clean-room run",
  tool: "run_clean_room_query",
  title: "Run a clean-room query",
  summary: "Run a query over some days and print its rows",
  details:
    "Runs a file without storing it, or a stored workflow by its id. The platform takes 5 to 30 minutes; " +
    "repeat the command to resume. Rows below the privacy thresholds vanish. With the key withheld in the " +
    "file's head, they are counted and kept with empty values, named in withheld_columns. Data is " +
    "complete after 48 hours and kept for 13 months. Distinct counts of the parts of --each do not add up.",
  brief:
    "Runs a clean-room query (5 to 30 minutes) and returns its rows; repeat the call to resume. each splits by day, " +
    "week or month. Rows with too few shoppers vanish.",
  examples: [
    {
      input: {
        query: "SELECT SUM(clicks) AS clicks FROM sponsored_ads_traffic",
        room: "Fernpfad Outdoor US",
      },
      about: "print the clicks of a week",
    },
    {
      input: {
        query: "buyers",
        room: "Fernpfad Outdoor US",
        parameters: { minimum: "3" },
        start: "-60",
        each: "month",
      },
      about: "run a stored query by month",
    },
  ],
  library: 'await room.run(workflow, { start: "2026-09-01", end: "2026-09-30", parameters: { minimum: 3 } })',
  input: {
    query: {
      type: "text",
      value: "query",
      required: true,
      help: "file that ends in .sql, SQL, or the id of a stored workflow",
      brief: "SQL, or id of a stored query",
    },
    room: ROOM,
    start: {
      type: "day",
      default: "-9",
      help: "first day: YYYY-MM-DD, or -N days before today",
      brief: "YYYY-MM-DD or -9",
    },
    end: { type: "day", default: "-3", help: "last day" },
    zone: {
      type: "text",
      value: "name",
      isRare: true,
      help: "time zone of the days, such as Europe/Berlin",
      otherwise: "UTC",
    },
    parameters: {
      type: "pairs",
      values: "word",
      option: "param",
      help: "value of a parameter",
      brief: "By name",
    },
    each: { type: "choice", isRare: true, choices: ["day", "week", "month"], help: "run by calendar part" },
    dry_run: {
      type: "switch",
      isRare: true,
      help: "let the platform compile the query, without running it",
    },
    again: {
      type: "switch",
      isRare: true,
      help: "run it anew although the same run is open or may exist",
    },
    timeout: {
      type: "whole",
      min: 1,
      isRare: true,
      help: "stop waiting after this many minutes; run it again to resume",
      otherwise: "360",
      value: "minutes",
    },
  },
  check({ zone = "UTC", start, end }, { field }) {
    if (!isTimeZone(zone)) {
      throw new RangeError(`Cannot use time zone "${zone}": it is not an IANA name such as Europe/Berlin`);
    }
    for (const [name, day] of [["start", start], ["end", end]] as const) readDay(day, field(name), ANY_DAY);
  },
  async run(
    { ads, now, source = "query.sql", ...waiting }: RoomContext,
    { query, room: name, start, end, zone = "UTC", parameters, each, dry_run: dryRun, again, timeout },
  ): Promise<CleanRoomResult | undefined> {
    const today = dayIn(zone, now());
    const workflow = isSql(query) ? await workflowOf(query, source) : query;
    const room = await ads.cleanRoom(name, { signal: waiting.signal });
    const options = {
      ...waiting,
      start: readDay(start, "start", today),
      end: readDay(end, "end", today),
      zone,
      each,
      parameters,
      again,
      ...(timeout === undefined ? {} : { timeout: timeout * 60 }),
    };
    if (dryRun !== true) return await room.run(workflow, options);
    await room.dryRun(workflow, options);
    return undefined;
  },
});

/** True for SQL; an id has no spaces. */
function isSql(query: string): boolean {
  return /\s/.test(query.trim());
}

async function workflowOf(text: string, source: string): Promise<Workflow> {
  const { parseWorkflow } = await import("../../account/runs/workflow_file.ts");
  return parseWorkflow(text, source).workflow;
}

function defineRead<const Of extends Fields, Result>(
  operation: Omit<Operation<Of, RoomContext, Result>, "effect">,
): Operation<Of, RoomContext, Result> & { readonly effect: "read" } {
  return { ...operation, effect: "read" };
}
