import { isObject, type Json, type JsonObject } from "../../core/json.ts";
import type { Clock } from "../../core/clock.ts";
import { type Refusal, refusal } from "../../http/refusal.ts";
import type { ProfileState } from "../../state/profile_state.ts";
import { addDays } from "../../core/day_span.ts";
import { RATES } from "./currency_rates.ts";
import { FIELD_RULES, isMetric } from "./field_rules.ts";
import type { FreeReportRequest, RowFilter } from "./free_report.ts";

export interface ReportProblem {
  readonly code: string;
  readonly message: string;
  /** For example `$.reports[0].query.fields[2]`. */
  readonly fieldLocation: string;
}

const TIMES: readonly (readonly [field: string, history: string, longest: string])[] = [
  ["hour.value", "14d", "14d"],
  ["date.value", "15m", "120d"],
  ["day.value", "15m", "15m"],
  ["week.value", "15m", "15m"],
  ["month.value", "72m", "25m"],
  ["year.value", "72m", "72m"],
  ["dateRange.value", "72m", "72m"],
];
const FORMATS = ["CSV", "GZIP_JSON", "PARTITIONED_CSV", "PARTITIONED_GZIP_JSON"];
const REPORT = "$.reports[0]";
const MAX_PROBLEMS = 20;

/** Malformed bodies are rejected as a whole; violations by fields, days and accounts are returned as problems. */
export function checkFreeRequest(
  body: Json | undefined,
  { accounts: served, clock }: { accounts: ReadonlyMap<string, readonly ProfileState[]>; clock: Clock },
): FreeReportRequest | ReportProblem[] {
  const { accessRequestedAccounts: accounts, reports } = isObject(body) ? body : {};
  if (!Array.isArray(accounts) || accounts.length > 2000) {
    throw bad("accessRequestedAccounts must be a list of 1 to 2000 accounts");
  }
  // The live service does not check for it.
  if (accounts.length === 0) throw refusal(500, "Internal server error", "unified");
  if (!Array.isArray(reports) || reports.length !== 1 || !isObject(reports[0])) {
    throw bad("reports must be a list of exactly one report");
  }
  const report = reports[0];
  const fields = fieldsOf(report);
  const { startDate, endDate } = periodOf(report);
  if (!FORMATS.includes(String(report.format))) throw bad(`format must be one of ${FORMATS.join(", ")}`);
  const { currencyOfView } = report;
  if (currencyOfView !== undefined && typeof currencyOfView !== "string") {
    throw bad("currencyOfView must be a text");
  }
  const query = report.query as JsonObject;
  const filter = query.filter === undefined ? undefined : readFilter(query.filter);

  const named = accounts.map((account, index) => findAccount(account, index, served));
  const profiles = named.flatMap((one) => "code" in one ? [] : one);
  const today = clock.day(profiles[0]?.record.timezone ?? "UTC");
  const problems = [
    ...named.filter((one) => "code" in one),
    ...fieldProblems(fields, currencyOfView),
    ...filterProblems(filter),
    ...dayProblems({ startDate, endDate }, fields, today),
  ];
  if (currencyOfView !== undefined && !RATES.has(currencyOfView)) {
    problems.push(
      ...problem("FIELD_VALUE_IS_INVALID", `${currencyOfView} is not a currency`, ".currencyOfView"),
    );
  }
  if (problems.length > 0) return problems.slice(0, MAX_PROBLEMS);
  return {
    profileIds: [...new Set(profiles.map(({ id }) => id))],
    startDate,
    endDate,
    fields,
    format: String(report.format),
    ...(filter === undefined ? {} : { filter }),
    ...(currencyOfView === undefined ? {} : { currencyOfView }),
  };
}

function fieldsOf({ query }: JsonObject): string[] {
  const fields = isObject(query) ? query.fields : undefined;
  if (!Array.isArray(fields) || fields.length === 0 || fields.length > 1000) {
    throw bad("query.fields must be a list of 1 to 1000 fields");
  }
  if (!fields.every((field) => typeof field === "string")) throw bad("query.fields must be a list of texts");
  return fields as string[];
}

function periodOf({ periods }: JsonObject): { startDate: string; endDate: string } {
  const [period] = Array.isArray(periods) && periods.length === 1 ? periods : [];
  const days = isObject(period) ? period.datePeriod : undefined;
  if (!isObject(days)) throw bad("periods must be a list of exactly one period");
  const { startDate, endDate } = days;
  for (const [name, day] of Object.entries({ startDate, endDate })) {
    const time = /^\d{4}-\d{2}-\d{2}$/.test(String(day)) ? Date.parse(`${day}T00:00:00Z`) : NaN;
    if (Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== day) {
      throw bad(`${name} must be a date of the form yyyy-MM-dd`);
    }
  }
  return { startDate: String(startDate), endDate: String(endDate) };
}

function readFilter(value: Json): RowFilter {
  const { and, on } = isObject(value) ? value : {};
  if (isObject(and) && Array.isArray(and.filters) && and.filters.length > 0 && and.filters.length <= 10) {
    return { and: { filters: and.filters.map(readFilter) } };
  }
  const { field, comparisonOperator, not, values } = isObject(on) ? on : {};
  if (
    typeof field !== "string" || !/^[a-zA-Z0-9]+\.[a-zA-Z0-9]+$/.test(field) || typeof not !== "boolean" ||
    (comparisonOperator !== "EQUALS" && comparisonOperator !== "IN") || !Array.isArray(values) ||
    values.length === 0 || values.length > 2000 || !values.every((one) => typeof one === "string")
  ) throw bad("query.filter must be an and of 1 to 10 filters, or a comparison with 1 to 2000 values");
  return { on: { field, comparisonOperator, not, values: values as string[] } };
}

function findAccount(
  account: Json,
  index: number,
  served: ReadonlyMap<string, readonly ProfileState[]>,
): readonly ProfileState[] | ReportProblem {
  const { advertiserAccountId, managerAccountId } = isObject(account) ? account : {};
  if (typeof (advertiserAccountId ?? managerAccountId) !== "string") {
    throw bad("accessRequestedAccounts must have an advertiserAccountId or a managerAccountId each");
  }
  return served.get(String(advertiserAccountId)) ?? {
    code: "FIELD_VALUE_NOT_FOUND",
    message: `Account ${advertiserAccountId ?? managerAccountId} was not found`,
    fieldLocation: `$.accessRequestedAccounts[${index}]`,
  };
}

function fieldProblems(fields: readonly string[], currency: string | undefined): ReportProblem[] {
  return fields.flatMap((name, index) => {
    const at = `.query.fields[${index}]`;
    const rule = FIELD_RULES.get(name);
    if (rule === undefined) return problem("FIELD_VALUE_IS_INVALID", `${name} is not a field`, at);
    if (fields.indexOf(name) !== index) {
      return problem("DUPLICATE_FIELD_VALUE_FOUND", `${name} is named twice`, at);
    }
    const missing = rule.required.filter((other) => !fields.includes(other));
    if (missing.length > 0) {
      return problem("FIELD_VALUE_MISMATCH", `${name} requires ${missing.join(", ")}`, at);
    }
    const barred = fields.filter((other) => rule.barred.includes(other.split(".")[0]!));
    if (barred.length > 0) {
      return problem("FIELD_VALUE_MISMATCH", `${name} is incompatible with ${barred.join(", ")}`, at);
    }
    if (name === "convertedCurrency.value" && currency === undefined) {
      return problem("FIELD_VALUE_IS_NULL", `${name} requires currencyOfView`, ".currencyOfView");
    }
    return [];
  });
}

function filterProblems(filter: RowFilter | undefined): ReportProblem[] {
  if (filter === undefined) return [];
  if ("and" in filter) return filter.and.filters.flatMap(filterProblems);
  const { field, comparisonOperator, values } = filter.on;
  const at = ".query.filter";
  if (!FIELD_RULES.has(field) || isMetric(field)) {
    return problem("FIELD_VALUE_IS_INVALID", `${field} is not a dimension that rows can be filtered by`, at);
  }
  if (comparisonOperator === "EQUALS" && values.length !== 1) {
    return problem("FIELD_SIZE_IS_ABOVE_MAXIMUM_LIMIT", "EQUALS takes one value", at);
  }
  return [];
}

function dayProblems(
  { startDate, endDate }: { startDate: string; endDate: string },
  fields: readonly string[],
  today: string,
): ReportProblem[] {
  const [field, history, longest] = TIMES.find(([name]) => fields.includes(name)) ?? TIMES.at(-1)!;
  const at = ".periods[0].datePeriod";
  const out = (message: string): ReportProblem[] => problem("FIELD_VALUE_IS_OUT_OF_RANGE", message, at);
  if (startDate > endDate) return out("startDate must not be after endDate");
  if (endDate > today) return out(`endDate must not be after ${today}`);
  const first = moved(today, history, -1);
  if (startDate < first) return out(`startDate must not be before ${first}: ${field} is kept for ${history}`);
  const last = addDays(moved(startDate, longest, 1), -1);
  // A report over the whole history has one day more than the history says: today.
  const isWhole = history === longest && startDate >= first;
  return endDate > last && !isWhole ? out(`${field} takes at most ${longest} a report`) : [];
}

function moved(day: string, span: string, sign: 1 | -1): string {
  const count = sign * parseInt(span);
  if (span.endsWith("d")) return addDays(day, count);
  const [year = 0, month = 1, date = 1] = day.split("-").map(Number);
  const last = new Date(Date.UTC(year, month + count, 0)).getUTCDate();
  return new Date(Date.UTC(year, month - 1 + count, Math.min(date, last))).toISOString().slice(0, 10);
}

function problem(code: string, message: string, at: string): ReportProblem[] {
  return [{ code, message, fieldLocation: `${REPORT}${at}` }];
}

function bad(message: string): Refusal {
  return refusal(400, message, "unified");
}
