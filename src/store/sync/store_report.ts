import { countDays, type Day, dayIn, type DayRange, eachDay, joinDays } from "../../base/time/calendar.ts";
import type { ReportRow } from "../../client/reports/file/report_row.ts";
import type { LedgerEntry } from "../model/ledger_entry.ts";
import { retryWhileUnavailable } from "../postgres/postgres_error.ts";
import { replaceDays } from "../model/replace_days.ts";
import type { StoreDriver } from "../model/store_driver.ts";
import { layoutNamed } from "../model/report_layout.ts";
import { keptSince } from "./kept_since.ts";
import { type KeepRules, type KeptDays, keptDays } from "../model/kept_days.ts";
import { ShrinkError } from "../model/store_error.ts";

interface FinishedReport {
  readonly entry: LedgerEntry;
  readonly reportId: string;
  readonly madeAt: string | undefined;
  readonly timeZone: string;
  readonly rows: () => AsyncIterable<readonly ReportRow[]>;
  readonly isDoubtful?: (() => boolean) | undefined;
}

export interface StoredReport {
  readonly rows: number;
  readonly shrunk?: ShrinkError | undefined;
}

/**
 * Stores a report in one transaction per run of days. Keeps a stored day if it is from a newer report, was outside of
 * the platform's retention, or would lose many rows or much cost.
 */
export async function storeReport(
  driver: StoreDriver,
  report: FinishedReport,
  options: { now: () => number; acceptShrink: boolean },
): Promise<StoredReport> {
  const { entry, reportId } = report;
  const { profileId, countryCode, configuration: { reporting = 3 } } = entry;
  const made = report.madeAt === undefined ? options.now() : Date.parse(report.madeAt);
  const today = dayIn(report.timeZone, made);
  // Its figures are at least as new as the request for it.
  const madeAt = report.madeAt ?? entry.askedAt;
  const rules: Omit<KeepRules, "whole" | "isDoubtful"> = {
    madeAt,
    firstKept: keptSince(layoutNamed(entry.report, driver.layouts).source, { reporting, today }),
    today,
    acceptShrink: options.acceptShrink,
  };
  const held: Day[] = [];
  let rows = 0;

  const store = async (range: DayRange, whole: boolean): Promise<void> => {
    try {
      const what = {
        profileId,
        countryCode,
        report: entry.report,
        ...range,
        reportIds: [reportId],
        madeAt,
        reporting,
        ledgerId: whole ? entry.id : undefined,
      };
      const pulledAt = new Date(options.now()).toISOString();
      const stored = await retryWhileUnavailable(() =>
        replaceDays(driver, what, within(range, report.rows(), whole), {
          pulledAt,
          check: (before, after) => {
            const kept = keptDays(range, { before, after }, {
              ...rules,
              whole,
              isDoubtful: report.isDoubtful?.() ?? false,
            });
            if (kept.held.length + kept.left.length > 0) throw new DaysKept(kept);
          },
        })
      );
      rows += stored;
    } catch (error) {
      if (!(error instanceof DaysKept)) throw error;
      held.push(...error.kept.held);
      const kept = new Set([...error.kept.held, ...error.kept.left]);
      for (const part of joinDays([...eachDay(range)].filter((day) => !kept.has(day)))) {
        await store(part, false);
      }
    }
  };
  await store({ start: entry.start, end: entry.end }, true);
  return { rows, shrunk: held.length === 0 ? undefined : shrinkError(held) };
}

class DaysKept extends Error {
  readonly kept: KeptDays;

  constructor(kept: KeptDays) {
    super("Some days stay as they are");
    this.kept = kept;
  }
}

async function* within(
  { start, end }: DayRange,
  batches: AsyncIterable<readonly ReportRow[]>,
  whole: boolean,
): AsyncGenerator<readonly ReportRow[]> {
  for await (const batch of batches) {
    yield whole ? batch : batch.filter(({ date }) => String(date) >= start && String(date) <= end);
  }
}

function shrinkError(days: readonly Day[]): ShrinkError {
  const ranges = joinDays([...days].sort());
  const text = ranges.map(({ start, end }) => start === end ? start : `${start}..${end}`).join(", ");
  const count = ranges.reduce((sum, range) => sum + countDays(range), 0);
  return new ShrinkError(
    `Held back ${count} ${
      count === 1 ? "day" : "days"
    } (${text}): the report has far fewer rows or less cost ` +
      "than the stored data. To accept it anyway, sync these days with the option acceptShrink",
    ranges,
  );
}
