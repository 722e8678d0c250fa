import { readDayRange } from "../../base/time/moment.ts";
import type { FieldCondition, FieldsReport } from "../../client/reports/fields_report.ts";
import type { ReportFieldCheck } from "../../client/reports/report_field.ts";
import { JSON_SPELLING, type Spelling } from "../model/operation.ts";

interface FieldsInput {
  readonly start: string;
  readonly end?: string | undefined;
  readonly filters?: Filters | undefined;
}

type Filters = Readonly<Record<string, readonly string[]>>;

type Wanted = Pick<FieldsReport, "fields" | "currency" | "wholeAccount" | "profiles">;

/**
 * Makes a report of fields from an input. Rows of several profiles name their account.
 *
 * @throws {RangeError | TypeError} naming every problem of the fields, days or filters.
 */
export async function fieldsAsked(
  { fields, profiles, ...wanted }: Wanted,
  { filters, ...days }: FieldsInput,
  { today, spelling }: { readonly today: string; readonly spelling?: Spelling },
): Promise<{ readonly report: FieldsReport; readonly check: ReportFieldCheck }> {
  const { checkedFields } = await import("../../client/reports/run_fields.ts");
  const { withAccount } = await import("../../client/reports/account_reports.ts");
  const report: FieldsReport = {
    ...wanted,
    ...readDayRange(days, today),
    fields: (profiles?.length ?? 1) === 1 ? fields : withAccount(fields),
    filter: fieldConditions(filters, spelling),
    profiles,
  };
  return { report, check: await checkedFields(report, today) };
}

/** Reads filters of a report of fields: `campaign.id` allows the values, `campaign.id!` excludes them. */
export function fieldConditions(
  filters: Filters = {},
  { field }: Spelling = JSON_SPELLING,
): Record<string, FieldCondition> {
  const conditions: Record<string, FieldCondition> = {};
  for (const [word, values] of Object.entries(filters)) {
    const name = filteredField(word);
    if (Object.hasOwn(conditions, name)) {
      throw new TypeError(`Cannot use ${field("filters")} with "${name}" and "${name}!": take one of them`);
    }
    conditions[name] = word === name ? values : { not: values };
  }
  return conditions;
}

function filteredField(word: string): string {
  return word.replace(/!$/, "");
}
