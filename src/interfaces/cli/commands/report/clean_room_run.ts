import { Option } from "@commander-js/extra-typings";
import { loadWorkflows } from "../../../../account/workflows/load_workflows.ts";
import { asyncChunks } from "../../../../base/lists/chunks.ts";
import { dayIn } from "../../../../base/time/calendar.ts";
import type { CleanRoomResult } from "../../../../client/clean_room/clean_room.ts";
import type { Workflow } from "../../../../client/clean_room/clean_room_types.ts";
import { positiveInteger, repeated } from "../../shell/arguments/parse_values.ts";
import { command } from "../../shell/command.ts";
import type { CliContext } from "../../shell/context/context.ts";
import { refusingBadInput, UsageError } from "../../shell/errors/cli_error.ts";
import { EXIT } from "../../shell/errors/exit_codes.ts";
import { parseDay } from "../../shell/options/times.ts";
import { rowPrinter } from "../../shell/output/print_rows.ts";
import { say } from "../../shell/output/write_text.ts";
import { namedValues } from "../ops/call_values.ts";
import { openRoom, roomOption } from "../../shell/connect/open_room.ts";

export const cleanRoomRunCommand = command(
  (kit) =>
    kit.leaf("run", {
      printsRows: true,
      summary: "Run a query over some days and print its rows",
      details:
        "Runs a file without storing it, or a stored workflow by its id. The platform takes 5 to 30 minutes; the same " +
        "run resumes when you repeat it. Rows below the privacy thresholds vanish. With the key withheld in the " +
        "file's head, they are counted and kept with empty values, named in withheld_columns. Data is " +
        "complete after 48 hours and kept for 13 months. Distinct counts of the parts of --each do not add up.",
      examples: [
        [
          'adsctl report clean-room run reach.sql --room "Fernpfad Outdoor US" --start -9 --end -3',
          "print the rows of a week",
        ],
        [
          "adsctl report clean-room run buyers.sql --param minimum=3 --start -90 --end -3 --each month --out buyers.csv",
          "save a row set for each month",
        ],
      ],
      library:
        'await room.run(workflow, { start: "2026-09-01", end: "2026-09-30", parameters: { minimum: 3 } })',
    })
      .argument("<query>", "file that ends in .sql, or the id of a stored workflow")
      .addOption(roomOption())
      .option("--start <day>", "first day: YYYY-MM-DD, or -N days before today (default: -9)")
      .option("--end <day>", "last day (default: -3)")
      .option("--zone <name>", "time zone of the days, such as Europe/Berlin (default: UTC)")
      .option("--param <name=value>", "value of a parameter; repeatable", repeated)
      .addOption(
        new Option("--each <part>", "run by calendar part").choices(["day", "week", "month"] as const),
      )
      .option("--dry-run", "let the platform compile the query, without computing it")
      .option(
        "--timeout <minutes>",
        "stop waiting after this many minutes; run the command again to resume (default: 360)",
        positiveInteger,
      ),
  async (query, { room: name, param, dryRun, timeout, each, zone = "UTC", ...days }, context) => {
    const { io, globals, interruption } = context;
    const workflow = /\.sql$/i.test(query) ? await onlyWorkflow(query) : query;
    const today = await refusingBadInput(() => dayIn(zone, io.now()));
    const window = {
      start: await parseDay(days.start ?? "-9", { option: "--start", today }),
      end: await parseDay(days.end ?? "-3", { option: "--end", today }),
      zone,
      each,
    };
    const room = await openRoom(name, context);
    const work = context.progress.work({ noun: "query", yields: "row" });
    const options = {
      ...window,
      parameters: namedValues(param, "--param"),
      signal: interruption.signal,
      ...(timeout === undefined ? {} : { timeout: timeout * 60 }),
      ...(globals.demo ? { first: 1, poll: 1, maxPoll: 1 } : {}),
      onWarning: (message: string) => void (globals.quiet || io.stderr.write(`warning: ${message}\n`)),
      onStatus: ({ jobId, status }: { jobId: string; status: string }, seconds: number) =>
        work.part(jobId, { name: query, state: "running", step: status.toLowerCase(), seconds }),
    };
    if (dryRun) {
      await refusingBadInput(() => room.dryRun(workflow, options));
      await work.end();
      await say(`${query} compiles`, context);
      return EXIT.done;
    }
    const result = await refusingBadInput(() => room.run(workflow, options));
    await work.end();
    return await printResult(result, context);
  },
);

async function onlyWorkflow(path: string): Promise<Workflow> {
  const [file, ...others] = await loadWorkflows([path]);
  if (file === undefined || others.length > 0) {
    throw new UsageError(`Cannot run "${path}": name one file with a query`);
  }
  return file.workflow;
}

async function printResult(result: CleanRoomResult, context: CliContext): Promise<number> {
  let printer: ReturnType<typeof rowPrinter> | undefined;
  let count = 0;
  for await (const batch of asyncChunks(result.rows, 500)) {
    printer ??= rowPrinter({ columns: Object.keys(batch[0] ?? {}) }, context);
    await printer.write(batch);
    count += batch.length;
  }
  printer ??= rowPrinter({ columns: [...context.globals.fields ?? []] }, context);
  await printer.end();
  if (count === 0) await say("The query has no rows, or privacy withheld all of them", context);
  const { withheld } = result;
  if (withheld !== undefined && withheld.rows > 0) {
    const columns = Object.entries(withheld.columns).map(([name, rows]) => `${name} in ${rows}`);
    const rows = `${withheld.rows} ${withheld.rows === 1 ? "row has" : "rows have"}`;
    await say(`${rows} values that privacy withheld: ${columns.join(", ")}`, context);
  }
  return EXIT.done;
}
