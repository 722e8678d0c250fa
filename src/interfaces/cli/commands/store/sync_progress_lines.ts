import { isSettled, type SyncProgress } from "../../../../store/sync/options/sync_options.ts";
import { spellReport } from "../../../../client/reports/requests/presets.ts";
import type { CliContext } from "../../shell/context/context.ts";
import type { Work, WorkPart } from "../../shell/terminal/progress.ts";

/** Shows the reports of a sync as work, and its other lines. */
export class SyncProgressLines {
  readonly #context: CliContext;
  #work: Work | undefined;

  /** @param context Where the lines are shown. */
  constructor(context: CliContext) {
    this.#context = context;
  }

  tell(step: SyncProgress): void {
    const { profileId, report, start, end } = step;
    this.#work ??= this.#context.progress.work({ noun: "report", yields: "row" });
    this.#work.part(`${profileId} ${report} ${start} ${end}`, partOf(step));
  }

  say(line: string): void {
    if (!this.#context.globals.quiet) void this.#context.io.stderr.write(`${line}\n`);
  }

  /** Ends the work; the next step begins new work. */
  async end(): Promise<void> {
    await this.#work?.end();
    this.#work = undefined;
  }
}

function partOf(step: SyncProgress): WorkPart {
  const { kind, profileId, countryCode, report, start, end, status, seconds, rows } = step;
  const settled = kind === "stored" || kind === "found" ? "done" : "failed";
  return {
    name: `${spellReport(report)} ${start} to ${end}`,
    profile: { profileId, countryCode },
    state: isSettled(step) ? settled : kind === "planned" ? "waiting" : "running",
    step: kind === "waiting" ? status.toLowerCase() : kind,
    seconds,
    amount: rows,
  };
}
