import type { Command } from "@commander-js/extra-typings";
import { asyncChunks } from "../../../../base/json/chunks.ts";
import { readNamedFile } from "../../../../base/runtime/read_named_file.ts";
import type { CleanRoomResult } from "../../../../client/clean_room/clean_room.ts";
import { cleanRoomRun } from "../../../../operations/reads/clean_rooms.ts";
import { command } from "../../shell/command.ts";
import { roomContext } from "../../shell/connect/open_room.ts";
import type { CliContext } from "../../shell/context/context.ts";
import { EXIT, refusingBadInput } from "../../shell/io/cli_error.ts";
import { addFields } from "../../shell/options/field_options.ts";
import { operationDoc, operationInput } from "../../shell/options/operation_input.ts";
import { rowPrinter } from "../../shell/output/print_rows.ts";
import { say } from "../../shell/output/write_text.ts";

export const cleanRoomRunCommand = command(
  (kit) =>
    // The types of commander cannot know options that are declared elsewhere.
    addFields(
      kit.leaf("run", { ...operationDoc(cleanRoomRun, { withMarket: false }), printsRows: true }),
      cleanRoomRun.input,
    ) as unknown as Command<[string], Record<never, never>>,
  async (query, options, context) => {
    const { globals, io } = context;
    const isFile = /\.sql$/i.test(query) && !/\n/.test(query);
    const text = isFile ? await readNamedFile(query, "the query") : query;
    const input = await operationInput(cleanRoomRun, options, { query: text });
    const work = context.progress.work({ noun: "query", yields: "row" });
    const name = isFile ? query : "query";
    const result = await refusingBadInput(async () =>
      await cleanRoomRun.run({
        ...await roomContext(context),
        ...(isFile ? { source: query } : {}),
        onWarning: (message) => void (globals.quiet || io.stderr.write(`warning: ${message}\n`)),
        onStatus: ({ jobId, status }, seconds) =>
          work.part(jobId, { name, state: "running", step: status.toLowerCase(), seconds }),
      }, input)
    );
    await work.end();
    if (result !== undefined) return await printResult(result, context);
    await say(`${name} compiles`, context);
    return EXIT.done;
  },
);

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
