import { checkDay, dayOf } from "../../base/time/calendar.ts";
import { nearest } from "../../base/text/nearest.ts";
import { columnType } from "./file/report_row.ts";
import { type FieldTable, fieldTable } from "./field_table.ts";
import { periodsOf, timeLimits, withLongerPeriods } from "./field_periods.ts";
import type {
  CheckFieldsOptions,
  ReportField,
  ReportFieldCheck,
  ReportFieldFinding,
} from "./report_field.ts";

const MAX_FIELDS = 1000;
const CONVERTED_CURRENCY = "convertedCurrency.value";
/** Fields to use for version 3 columns that are documented with several fields or none. */
const USUAL: ReadonlyMap<string, string> = new Map([
  ["campaignBudgetCurrencyCode", "budgetCurrency.value"],
  ["conversionsBrandHalo", "metric.purchasesHalo"],
  ["salesBrandHalo", "metric.salesHalo"],
]);

export async function searchFields(text: string): Promise<ReportField[]> {
  const { fields } = await fieldTable();
  const words = partsOf(text);
  const found = [...fields.values()].flatMap((field) => {
    const names = [field.field, ...field.columns, ...field.dspColumns].map((name) => ({
      name,
      parts: partsOf(name),
    }));
    const scores = names.map(({ name, parts }) => score(words, { name, parts, text }));
    const best = Math.min(...scores);
    return best === Infinity ? [] : [{ field, best }];
  });
  return found.sort((a, b) => a.best - b.best || a.field.field.localeCompare(b.field.field)).map((
    { field },
  ) => field);
}

/** Scores how closely a name matches words: 0 for the exact text, `Infinity` if a word is missing. */
function score(
  words: readonly string[],
  { name, parts, text }: { name: string; parts: readonly string[]; text: string },
): number {
  const wanted = text.trim().toLowerCase();
  if (name.toLowerCase() === wanted || name.toLowerCase() === `metric.${wanted}`) return 0;
  let sum = parts.length;
  for (const word of words) {
    if (parts.includes(word)) continue;
    if (parts.some((part) => part.startsWith(word))) sum += 10;
    else if (name.toLowerCase().includes(word)) sum += 20;
    else return Infinity;
  }
  return sum;
}

function partsOf(text: string): string[] {
  return text.replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase().split(/[^\w]+/).filter((part) => part !== "");
}

export async function checkFields(
  given: readonly string[],
  { start, end, today, currency }: CheckFieldsOptions = {},
): Promise<ReportFieldCheck> {
  const table = await fieldTable();
  const findings: ReportFieldFinding[] = [];
  const translated: { given: string; field: string; message: string }[] = [];
  const wanted = new Set<string>();
  for (const name of given) {
    const found = lookUp(name, table);
    if ("message" in found && found.field === undefined) {
      findings.push({ kind: found.kind, field: name, message: found.message });
      continue;
    }
    wanted.add(found.field);
    if (found.message !== undefined) {
      translated.push({ given: name, field: found.field, message: found.message });
    }
  }
  if (given.length === 0) {
    findings.push({
      kind: "count",
      field: "",
      message: "Name at least one field: reportFields() lists them",
    });
  }
  const periodsAdded = start === undefined || end === undefined ? [] : withLongerPeriods(wanted, {
    start: checkDay(start, "the first day"),
    end: checkDay(end, "the last day"),
  });
  const added = [...withCompanions(wanted, table, currency !== undefined), ...periodsAdded];
  const fields = [...wanted];
  if (fields.length > MAX_FIELDS) {
    const message = `A report has at most ${MAX_FIELDS} fields, not ${fields.length}. Ask for two reports`;
    findings.push({ kind: "count", field: "", message });
  }
  findings.push(...incompatible(fields, table, added), ...unconverted(fields, table, currency));
  const now = today ?? dayOf(Date.now());
  const time = timeLimits(fields, today ?? (start === undefined ? undefined : now));
  if (start === undefined || end === undefined) {
    return { fields, translated, added, findings, time, periods: [] };
  }
  const range = { start: checkDay(start, "the first day"), end: checkDay(end, "the last day") };
  const periods = periodsOf(range, { time, today: now });
  if (typeof periods === "string") findings.push({ kind: "range", field: time.field, message: periods });
  return { fields, translated, added, findings, time, periods: typeof periods === "string" ? [] : periods };
}

type FoundField =
  | { readonly field: string; readonly message?: string }
  | { readonly field?: undefined; readonly kind: ReportFieldFinding["kind"]; readonly message: string };

export function addedText({ field, requiredBy }: ReportFieldCheck["added"][number]): string {
  return `${field} was added: ${requiredBy.join(", ")} requires it`;
}

export function historyText({ field, history, longest, firstDay }: ReportFieldCheck["time"]): string {
  const since = firstDay === undefined ? "" : `, since ${firstDay}`;
  return `${field}: ${history} are kept${since}; one report gives ${longest}`;
}

export async function noFieldText(words: string): Promise<string> {
  const names = (await searchFields("")).flatMap(({ field, columns }) => [field, ...columns]);
  const joined = words.replaceAll(" ", "");
  const near = nearest(`metric.${joined}`, names) ?? nearest(joined, names);
  return `Cannot find a field with "${words}". ${
    near === undefined ? "Try fewer words" : `Did you mean ${near}?`
  }`;
}

export function lookUp(name: string, { fields, byColumn }: FieldTable): FoundField {
  if (fields.has(name)) return { field: name };
  const meant = byColumn.get(name) ?? [];
  const field = USUAL.get(name) ?? (meant.length === 1 ? meant[0] : undefined);
  if (field !== undefined) {
    const window = /^(?:sales|purchases|unitsSold|roas).*?(\d+)d$/.exec(name)?.[1];
    const days = fields.get(field)?.columns.some((one) => one !== name && /\d+d$/.test(one));
    const note = window !== undefined && days
      ? ", which counts 7 days for sellers and 14 days for vendors"
      : "";
    return { field, message: `${name} is ${field} here${note}` };
  }
  if (meant.length > 1) {
    return { kind: "ambiguous", message: `"${name}" is ${meant.join(" or ")} here. Name one of them` };
  }
  const near = nearest(name, fields.keys()) ?? nearest(`metric.${name}`, fields.keys());
  const hint = near === undefined ? "reportFields() lists them" : `did you mean ${near}?`;
  const why = columnType(name) === undefined
    ? `There is no field "${name}"`
    : `"${name}" is a column of old reports without a field`;
  return { kind: "unknown", message: `${why}, ${hint}` };
}

/** Adds the fields that other fields require, recursively. With a currency, converted amounts are added as well. */
function withCompanions(
  wanted: Set<string>,
  { fields }: FieldTable,
  isConverted: boolean,
): { field: string; requiredBy: string[] }[] {
  const added = new Map<string, string[]>();
  // A set that grows while it is walked is walked to its new end.
  for (const name of wanted) {
    const { requires = [], converted } = fields.get(name) ?? {};
    for (const field of [...requires, ...isConverted && converted !== undefined ? [converted] : []]) {
      if (wanted.has(field) && !added.has(field)) continue;
      wanted.add(field);
      added.set(field, [...added.get(field) ?? [], name]);
    }
  }
  return [...added].map(([field, requiredBy]) => ({ field, requiredBy }));
}

function incompatible(
  names: readonly string[],
  { fields }: FieldTable,
  added: readonly { field: string; requiredBy: readonly string[] }[],
): ReportFieldFinding[] {
  const findings: ReportFieldFinding[] = [];
  for (const name of names) {
    const excludes = fields.get(name)?.excludes ?? [];
    const others = names.filter((other) => excludes.includes(other.split(".")[0] ?? ""));
    if (others.length === 0) continue;
    const list = others.map((other) => {
      const by = added.find(({ field }) => field === other)?.requiredBy;
      return by === undefined ? other : `${other} (required by ${by.join(", ")})`;
    });
    const message = `${name} does not go with ${list.join(", ")}: the platform does not divide it by ` +
      `${
        [...new Set(others.map((other) => other.split(".")[0]))].join(", ")
      }. Leave out one or the other, or ask for two reports`;
    findings.push({ kind: "incompatible", field: name, message });
  }
  return findings;
}

function unconverted(
  names: readonly string[],
  { fields }: FieldTable,
  currency: string | undefined,
): ReportFieldFinding[] {
  if (currency !== undefined) {
    if (/^[A-Z]{3}$/.test(currency)) return [];
    const message = `"${currency}" is not a currency: three capital letters such as USD`;
    return [{ kind: "currency", field: CONVERTED_CURRENCY, message }];
  }
  const converted = names.filter((name) =>
    name === CONVERTED_CURRENCY || fields.get(name)?.requires.includes(CONVERTED_CURRENCY)
  );
  if (converted.length === 0) return [];
  const message = `${converted.join(", ")}: amounts are converted to no currency. Name one, for example USD`;
  return [{ kind: "currency", field: converted[0]!, message }];
}
