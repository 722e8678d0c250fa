import { syncPart, syncPartKey } from "../../../../operations/reads/sync.ts";
import type { SyncProgress } from "../../../../store/sync/sync_options.ts";
import type { CliContext } from "../../shell/context/context.ts";
import type { Work } from "../../shell/context/progress.ts";

export class SyncProgressLines {
  readonly #context: CliContext;
  #work: Work | undefined;

  constructor(context: CliContext) {
    this.#context = context;
  }

  tell(step: SyncProgress): void {
    this.#work ??= this.#context.progress.work({ noun: "report", yields: "row" });
    this.#work.part(syncPartKey(step), syncPart(step));
  }

  say(line: string): void {
    if (!this.#context.globals.quiet) void this.#context.io.stderr.write(`${line}\n`);
  }

  async end(): Promise<void> {
    await this.#work?.end();
    this.#work = undefined;
  }
}
