import type { DayRange } from "../../base/time/calendar.ts";
import { linesIn } from "../../base/text/lines_in.ts";
import { fieldsRows, type FieldsRowsOptions } from "../../client/reports/fields/run_fields.ts";
import type { ReportRow } from "../../client/reports/file/report_row.ts";
import type { ProfileScope } from "../../platform/transport/profile_scope.ts";
import type { StoreDriver } from "../model/store_driver.ts";
import { AskedFields } from "./asked_fields.ts";
import { isLost } from "./pull_report.ts";
import { spool } from "./spool.ts";
import type { SyncOptions, SyncProgress } from "./sync_options.ts";
import type { SyncProfile } from "./sync_profile.ts";
import type { SyncOutcome } from "./sync_result.ts";

export interface FieldsParts {
  readonly driver: StoreDriver;
  readonly now: () => number;
  readonly profile: SyncProfile;
  readonly scope: ProfileScope;
  readonly options: SyncOptions;
}

export interface FieldsWork<Item> {
  readonly name: string;
  readonly fields: readonly string[];
  readonly range: DayRange;
  readonly today: string;
  readonly recordsOf: (rows: readonly ReportRow[]) => readonly Item[];
  readonly store: (records: () => AsyncIterable<Item>) => Promise<number>;
}

export function pullFields<Item>(parts: FieldsParts, work: FieldsWork<Item>): Promise<SyncOutcome> {
  return new FieldsPull(parts, work).outcome();
}

class FieldsPull<Item> {
  readonly #parts: FieldsParts;
  readonly #work: FieldsWork<Item>;
  readonly #asked: AskedFields;
  #reportId: string | null = null;
  #isResumed = false;
  #rows = 0;

  constructor(parts: FieldsParts, work: FieldsWork<Item>) {
    this.#parts = parts;
    this.#work = work;
    const { profile, now } = parts;
    this.#asked = new AskedFields(parts.driver, { profile, now, name: work.name, fields: work.fields });
  }

  async outcome(): Promise<SyncOutcome> {
    this.#tell("planned");
    try {
      const rows = await this.#store();
      await this.#asked.settle({ rows });
      return this.#end("stored", rows);
    } catch (problem) {
      const error = problem as Error;
      if (!isLost(error)) return this.#end("left", 0, error);
      // What failed is reported also where the store cannot keep it.
      await this.#asked.settle({ problem: error.message }).catch(() => {});
      return this.#end("failed", 0, error);
    }
  }

  async #store(): Promise<number> {
    const { options: { onWarning } } = this.#parts;
    const { name, store } = this.#work;
    // No lock is held while the network is slow.
    const spooled = await spool(this.#lines());
    try {
      if (this.#rows > 0) return await store(() => recordsIn<Item>(spooled.bytes()));
      onWarning?.(`${this.#title}: the report has no rows, so stored ${name} are kept`);
      return 0;
    } finally {
      await spooled.discard();
    }
  }

  async *#lines(): AsyncGenerator<Uint8Array> {
    const { scope, options: { signal, timeout, poll, maxPoll, onWarning } } = this.#parts;
    const { fields, range, today, recordsOf } = this.#work;
    const running: FieldsRowsOptions = {
      ...{ today, signal, timeout, asked: this.#asked },
      ...(poll === undefined ? {} : { poll }),
      ...(maxPoll === undefined ? {} : { maxPoll }),
      onEmpty: (message) => onWarning?.(`${this.#title}: ${message}`),
      onProgress: ({ kind, status, seconds, reportId, rows }) => {
        this.#reportId = reportId;
        this.#isResumed ||= kind === "adopted";
        if (kind === "waiting") this.#tell("waiting", { status, seconds });
        else if (kind === "requested") this.#tell("asked");
        else if (kind === "adopted") this.#tell("resumed");
        else if (kind === "reading") this.#tell("storing", { status, seconds, rows });
      },
    };
    const encoder = new TextEncoder();
    for await (const batch of fieldsRows(scope, { fields, ...range }, running)) {
      this.#rows += batch.length;
      yield encoder.encode(`${JSON.stringify(recordsOf(batch))}\n`);
    }
  }

  get #title(): string {
    const { countryCode, report, start, end } = this.#about();
    return `${countryCode} ${report} ${start} to ${end}`;
  }

  #end(state: SyncOutcome["state"], rows: number, error?: Error): SyncOutcome {
    this.#tell(state, { rows });
    const problem = error === undefined ? {} : { error };
    return { ...this.#about(), state, resumed: this.#isResumed, rows, ...problem };
  }

  #tell(kind: SyncProgress["kind"], more: Partial<SyncProgress> = {}): void {
    const { onProgress } = this.#parts.options;
    onProgress?.({ kind, ...this.#about(), status: "asking", seconds: 0, rows: 0, ...more });
  }

  #about(): Pick<SyncOutcome, "profileId" | "countryCode" | "report" | "start" | "end" | "reportId"> {
    const { profileId, countryCode } = this.#parts.profile;
    const { name: report, range: { start, end } } = this.#work;
    return { profileId, countryCode, report, start, end, reportId: this.#reportId };
  }
}

async function* recordsIn<Item>(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Item> {
  for await (const line of linesIn(bytes)) yield* JSON.parse(line) as Item[];
}
