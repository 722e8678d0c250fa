import { measureSchedule } from "../../../../operations/automation/measure_schedule.ts";
import { connectProfile } from "../../shell/connect/connect.ts";
import type { CliContext } from "../../shell/context/context.ts";
import { EXIT, refusingBadInput } from "../../shell/io/cli_error.ts";
import type { MarketOptions } from "../../shell/options/market_options.ts";
import { operationInput } from "../../shell/options/operation_input.ts";
import { printJson, wantsData } from "../../shell/output/print_rows.ts";
import { writeText } from "../../shell/output/write_text.ts";
import { openStore } from "../../shell/connect/open_store.ts";
import { type StoreOptions, storePlace } from "../../shell/options/store_option.ts";
import { scheduleDocument } from "./schedule_document.ts";

export async function runScheduleOutcome(
  options: MarketOptions & StoreOptions & { readonly file: string; readonly name: string },
  context: CliContext,
): Promise<number> {
  const { name } = options;
  const schedules = await scheduleDocument(options.file);
  const input = await operationInput(measureSchedule, options, { name, schedules });
  const profile = await connectProfile(options, context);
  const store = await openStore(options, context);
  const place = storePlace(options, context);
  const { io, interruption: { signal } } = context;
  const outcome = await refusingBadInput(() =>
    measureSchedule.run({ profile, store, place, now: io.now(), signal }, input)
  );
  if (wantsData(context)) await printJson(outcome, context);
  else {
    const lines = measureSchedule.lines!(outcome);
    await writeText(lines.map((line) => `${line}\n`).join(""), context);
  }
  return EXIT.done;
}
