import { type Fields, fieldsOf } from "../../base/json/fields_of.ts";

export type VerdictKind = "success" | "partial" | "error" | "unknown";

interface VerdictEntry {
  readonly entry: unknown;
  /** Position of the item in the request; `NaN` if the entry names none. */
  readonly index: number;
  readonly kind: VerdictKind;
}

const LISTS: readonly [name: RegExp, kind: VerdictKind][] = [
  [/^(success(es|List)?|\w+SuccessResults)$/, "success"],
  [/^partialSuccess$/, "partial"],
  [/^(errors?|errors?List|failed|failures?|failed[A-Z]\w*|\w+ErrorResults)$/, "error"],
];

const MIXED = /^(responses|results)$/;

/**
 * Handles all published shapes: lists of successes and failures under several names, at the top level or one below; a
 * list of responses; an array in request order.
 *
 * @param entityKey Field with the lists, if known.
 * @returns `undefined` for a body without item entries.
 */
export function verdictEntries(body: unknown, entityKey?: string): VerdictEntry[] | undefined {
  if (Array.isArray(body)) return body.map((entry, index) => ({ entry, index, kind: kindOf(entry) }));
  const fields = fieldsOf(body);
  const inner = entityKey === undefined ? undefined : listsIn(fields[entityKey]);
  const lists = inner ?? listsIn(fields) ?? firstOf(Object.values(fields), listsIn);
  if (lists !== undefined) return lists;
  const [, mixed] =
    Object.entries(fields).find(([name, value]) => MIXED.test(name) && Array.isArray(value)) ?? [];
  return (mixed as unknown[] | undefined)?.map((entry, at) => {
    const index = indexOf(fieldsOf(entry));
    return { entry, index: Number.isNaN(index) ? at : index, kind: kindOf(entry) };
  });
}

export function bodyVerdict(body: unknown): VerdictKind {
  const fields = fieldsOf(body);
  if (fields["success"] === false) return "error";
  const { code, status } = fields;
  if (code !== undefined && code !== null) return isSuccessCode(code) ? "success" : "error";
  if (/^(fail|reject|error|invalid)/i.test(String(status))) return "error";
  return complains(fields, ["errors", "error", "errorDetails"]) ? "error" : "success";
}

function listsIn(value: unknown): VerdictEntry[] | undefined {
  const fields = fieldsOf(value);
  let found = false;
  const entries: VerdictEntry[] = [];
  for (const [pattern, kind] of LISTS) {
    for (const [name, list] of Object.entries(fields)) {
      if (!pattern.test(name) || !Array.isArray(list)) continue;
      found = true;
      for (const entry of list) {
        const own = fieldsOf(entry);
        entries.push({
          entry,
          index: indexOf(own),
          kind: kind === "success" && hasFailed(own) ? "error" : kind,
        });
      }
    }
  }
  return found ? entries : undefined;
}

function firstOf<Value, Result>(
  values: readonly Value[],
  find: (value: Value) => Result | undefined,
): Result | undefined {
  for (const value of values) {
    const found = find(value);
    if (found !== undefined) return found;
  }
  return undefined;
}

function kindOf(entry: unknown): VerdictKind {
  const fields = fieldsOf(entry);
  if (fields["code"] !== undefined && fields["code"] !== null) {
    return isSuccessCode(fields["code"]) ? "success" : "error";
  }
  if (hasFailed(fields)) return "error";
  if (
    ["errors", "description", "details", "message"].some((name) => name in fields && !isEmpty(fields[name]))
  ) {
    return "error";
  }
  const ids = (one: Fields): boolean =>
    Object.keys(one).some((name) => /(Id|ID)$|^id$/.test(name) && one[name] !== null);
  return ids(fields) || Object.values(fields).some((value) => ids(fieldsOf(value))) ? "success" : "unknown";
}

function hasFailed(fields: Fields): boolean {
  const { code } = fields;
  if (code !== undefined && code !== null && !isSuccessCode(code)) return true;
  if (complains(fields, COMPLAINTS)) return true;
  for (const value of Object.values(fields)) {
    if (typeof value === "object" && value !== null && complains(value as Fields, INNER_COMPLAINTS)) {
      return true;
    }
  }
  return false;
}

const COMPLAINTS = ["errors", "error", "errorDetails", "errorCode", "failureReason", "subErrors"];
const INNER_COMPLAINTS = COMPLAINTS.slice(0, 3);

function complains(fields: Fields, names: readonly string[]): boolean {
  return names.some((name) => name in fields && !isEmpty(fields[name]));
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === "" ||
    typeof value === "object" && Object.keys(value).length === 0;
}

function isSuccessCode(code: unknown): boolean {
  return /^(success|successful|ok|2\d\d)$/i.test(String(code));
}

function indexOf(fields: Fields): number {
  const index = fields["index"] ?? fields["targetRequestIndex"];
  return typeof index === "number" || (typeof index === "string" && index !== "") ? Number(index) : NaN;
}
