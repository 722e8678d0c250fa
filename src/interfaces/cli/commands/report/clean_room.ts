import type { Command } from "@commander-js/extra-typings";
import { loadWorkflows, workflowTexts } from "../../../../account/runs/load_workflows.ts";
import type { WorkflowSchedule } from "../../../../client/clean_room/clean_room_types.ts";
import {
  cleanRoomDrift,
  cleanRoomInstances,
  cleanRoomQueries,
} from "../../../../operations/reads/clean_rooms.ts";
import { addFields } from "../../shell/options/field_options.ts";
import { operationDoc, operationInput } from "../../shell/options/operation_input.ts";
import { command, group } from "../../shell/command.ts";
import { connectAds } from "../../shell/connect/connect.ts";
import { EXIT } from "../../shell/io/cli_error.ts";
import { chosenProfile, wantedMarket } from "../../shell/options/market_options.ts";
import { printRows } from "../../shell/output/print_rows.ts";
import { say } from "../../shell/output/write_text.ts";
import { finishPlan } from "../../shell/finish_plan.ts";
import { openRoom, roomContext, roomOption } from "../../shell/connect/open_room.ts";
import { cleanRoomRunCommand } from "./clean_room_run.ts";

const INSTANCES = ["name", "instanceId", "region", "status", "accountId", "marketplaceId"];
const WORKFLOWS = ["workflow_id", "schedule", "sql"];
const TABLES = ["table", "column", "columnType", "description"];
const DIFFERENCES = ["state", "kind", "id", "fields", "source"];

const instancesCommand = command(
  (kit) =>
    kit.leaf("instances", {
      ...operationDoc(cleanRoomInstances, { withMarket: false }),
      printsRows: true,
      fields: INSTANCES,
    }),
  async (_options, context) => {
    const rooms = await cleanRoomInstances.run(await roomContext(context), {});
    await printRows(rooms.map((room) => ({ ...room })), { columns: INSTANCES, name: "name" }, context);
    if (rooms.length === 0) await say("The login reaches no clean room", context);
    return EXIT.done;
  },
);

const workflowsCommand = command(
  (kit) =>
    // The types of commander cannot know options that are declared elsewhere.
    addFields(
      kit.leaf("workflows", {
        ...operationDoc(cleanRoomQueries, { withMarket: false }),
        printsRows: true,
        fields: WORKFLOWS,
      }),
      cleanRoomQueries.input,
    ) as Command<[], { room?: string }>,
  async (options, context) => {
    const input = await operationInput(cleanRoomQueries, options);
    const stored = await cleanRoomQueries.run(await roomContext(context), input);
    const rows = stored.map(({ workflowId, sqlQuery, schedule }) => ({
      workflow_id: workflowId,
      schedule: schedule === undefined ? null : scheduleText(schedule),
      sql: sqlQuery,
    }));
    await printRows(rows, { columns: WORKFLOWS, main: "sql" }, context);
    if (rows.length === 0) await say("The clean room stores no query", context);
    return EXIT.done;
  },
);

function scheduleText(
  { aggregationStartDay, aggregationHourUtc, scheduleEnabled }: WorkflowSchedule,
): string {
  const hour = aggregationHourUtc === undefined ? "" : ` at ${aggregationHourUtc}:00 UTC`;
  return `${aggregationStartDay ?? "daily"}${hour}${scheduleEnabled === false ? ", paused" : ""}`;
}

const tablesCommand = command(
  (kit) =>
    kit.leaf("tables", {
      printsRows: true,
      summary: "List the tables and columns that queries can read",
      examples: [['adsctl report clean-room tables --room "Fernpfad Outdoor US"', "list every column"]],
      library: "await room.dataSources()",
      fields: TABLES,
    }).addOption(roomOption()),
  async ({ room }, context) => {
    const tables = await (await openRoom(room, context)).dataSources({ signal: context.interruption.signal });
    const rows = tables.flatMap(({ dataSourceId, columns }) =>
      columns.map(({ name, ...rest }) => ({ table: dataSourceId, column: name, ...rest }))
    );
    await printRows(rows, { columns: TABLES, main: "description" }, context);
    return EXIT.done;
  },
);

const checkCommand = command(
  (kit) =>
    kit.leaf("check", {
      summary: "Check files with queries, without sending anything",
      details:
        "A file is SQL, optionally with a head in YAML between /* --- and --- */: workflow (its id), parameters, " +
        "columns, withheld (a column that marks rows with withheld values), privacy (rows or values: what the platform " +
        "leaves out) and schedule. Prints all problems, each with file and line. adsctl report clean-room run --dry-run lets the platform compile a query.",
      examples: [["adsctl report clean-room check queries", "check all .sql files of a folder"]],
      library: 'await loadWorkflows(["queries"])',
    }).argument("<files...>", "files, or folders with .sql files"),
  async (files, _options, context) => {
    const loaded = await loadWorkflows(files);
    await say(`${loaded.length} ${loaded.length === 1 ? "query" : "queries"}: no problems found`, context);
    return EXIT.done;
  },
);

const driftCommand = command(
  (kit) =>
    addFields(
      kit.leaf("drift", {
        ...operationDoc(cleanRoomDrift, { withMarket: false }),
        printsRows: true,
        examples: [[
          'adsctl report clean-room drift queries --room "Fernpfad Outdoor US"',
          "list the differences",
        ]],
        fields: DIFFERENCES,
      }),
      cleanRoomDrift.input,
    ) as Command<[string[]], { room?: string }>,
  async (paths, options, context) => {
    const files = (await workflowTexts(paths)).map(({ source, text }) => ({ name: source, text }));
    const input = await operationInput(cleanRoomDrift, options, { files });
    const found = await cleanRoomDrift.run(await roomContext(context), input);
    await printRows(found.map((row) => ({ ...row })), { columns: DIFFERENCES, main: "id" }, context);
    for (const line of cleanRoomDrift.lines?.(found) ?? []) await say(line, context);
    return found.length === 0 ? EXIT.done : EXIT.differences;
  },
);

const planCommand = command(
  (kit) =>
    kit.profileLeaf("plan", {
      summary: "Plan stored workflows and schedules from files",
      details:
        "Sends nothing; adsctl plan apply stores what differs, and adsctl plan undo takes it back. The plan belongs " +
        "to a profile in the clean room's region; that profile's policy applies. Scheduled results go only to the " +
        "bucket of the clean room. Settings missing from a file's head stay as stored; null or {} removes " +
        "them.",
      examples: [
        [
          'adsctl report clean-room plan queries --room "Fernpfad Outdoor US" -m US',
          "plan the differences",
        ],
        [
          'adsctl report clean-room plan queries --room "Fernpfad Outdoor US" -m US --prune',
          "also delete workflows and schedules that are in no file",
        ],
      ],
      library: 'await planWorkflows(profile, room, await loadWorkflows(["queries"]))',
    })
      .argument("<files...>", "files, or folders with .sql files")
      .addOption(roomOption())
      .option("--prune", "delete stored workflows and schedules that are in no file")
      .option("--note <text>", "reason, saved in the plan")
      .option("--out <path>", "file or folder for the plan (default: plan-<id>.json)"),
  async (paths, { room: name, prune, note, out, ...market }, context) => {
    const files = await loadWorkflows(paths);
    wantedMarket(market, context);
    const ads = await connectAds(context);
    const profile = await chosenProfile(ads, market, context);
    const { planWorkflows } = await import("../../../../account/runs/plan_workflows.ts");
    const { signal } = context.interruption;
    const room = await ads.cleanRoom(name, { signal });
    const plan = await planWorkflows(profile, room, files, { prune, note, signal });
    return await finishPlan(plan, { out, context });
  },
);

export const cleanRoomCommand = group(
  "clean-room",
  {
    summary: "Run clean-room queries from files, and keep the stored ones as files",
    examples: [
      ["adsctl report clean-room instances", "list clean rooms"],
      [
        "adsctl report clean-room run reach.sql --start -9 --end -3",
        "run a query over a week",
      ],
    ],
    library: 'const room = await ads.cleanRoom("amcexample")',
  },
  [
    instancesCommand,
    tablesCommand,
    workflowsCommand,
    checkCommand,
    cleanRoomRunCommand,
    driftCommand,
    planCommand,
  ],
);
