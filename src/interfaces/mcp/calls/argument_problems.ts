import * as z from "zod";
import { nearest } from "../../../base/text/nearest.ts";
import { visibleText } from "../../../base/text/visible_text.ts";

type Issue = z.core.$ZodIssue;

export function argumentProblems(
  { issues }: z.ZodError,
  { name, args, input }: { readonly name: string; readonly args: unknown; readonly input: z.ZodObject },
): string {
  const problems = issues.flatMap((issue) => problemsOf(issue, args, input));
  return `Cannot call ${name}: ${problems.join("; ")}. Expected ${callText(name, args, input)}`;
}

const GENERAL = /^(?:Invalid|Too|Unrecognized) /;

function problemsOf(issue: Issue, args: unknown, input: z.ZodObject): string[] {
  const path = issue.path.map(String).join(".");
  if (!GENERAL.test(issue.message)) return [path === "" ? issue.message : `${path}: ${issue.message}`];
  switch (issue.code) {
    case "unrecognized_keys":
      return issue.keys.map((key) => {
        const names = issue.path.length === 0 ? Object.keys(input.shape) : [];
        // A tool with one argument was probably given that one under another name.
        const near = nearest(key, names) ?? (names.length === 1 ? names[0] : undefined);
        const place = path === "" ? "" : ` of ${path}`;
        return `"${visibleText(key)}" is not an argument${place}${adviceOf(near)}`;
      });
    case "invalid_type":
      return [
        valueAt(args, issue.path) === undefined
          ? `${path} is missing`
          : `${path} is not ${TYPES[issue.expected] ?? issue.expected}`,
      ];
    case "invalid_value": {
      const given = valueAt(args, issue.path);
      const names = issue.values.map(String);
      const near = typeof given === "string" ? nearest(given, names) : undefined;
      if (given === undefined) return [`${path} is missing: one of ${names.join(", ")}`];
      return [`${path} is not one of ${names.join(", ")}${adviceOf(near)}`];
    }
    case "too_small":
      return [`${path} needs at least ${issue.minimum}${countOf(issue.origin, issue.minimum)}`];
    case "too_big":
      return [`${path} takes at most ${issue.maximum}${countOf(issue.origin, issue.maximum)}`];
    default:
      return [path === "" ? issue.message : `${path}: ${issue.message}`];
  }
}

const TYPES: Readonly<Record<string, string>> = {
  array: "a list",
  object: "an object",
  record: "an object",
  string: "text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
};

function countOf(origin: string, count: unknown): string {
  const noun = origin === "array" ? "entr" : origin === "string" ? "character" : undefined;
  if (noun === undefined) return "";
  const ending = noun === "entr" ? (count === 1 ? "y" : "ies") : count === 1 ? "" : "s";
  return ` ${noun}${ending}`;
}

function adviceOf(near: string | undefined): string {
  return near === undefined ? "" : ` (did you mean "${near}"?)`;
}

const MAX_VALUE = 60;

export function callText(name: string, args: unknown, input: z.ZodObject): string {
  const fields = typeof args === "object" && args !== null ? Object.entries(args) : [];
  const names = Object.keys(input.shape);
  const given = new Map(
    fields.map(([key, value]) => [names.includes(key) ? key : nearest(key, names), value] as const),
  );
  const parts = names.filter((key) => given.has(key) || isRequired(input, key)).map((key) => {
    const value = given.get(key);
    const holds = value !== undefined && z.safeParse(input.shape[key]!, value).success;
    const text = holds ? JSON.stringify(value) : "";
    return `${JSON.stringify(key)}: ${text === "" || text.length > MAX_VALUE ? "…" : visibleText(text)}`;
  });
  const others = names.filter((key) => !given.has(key) && !isRequired(input, key));
  const rest = others.length === 0 ? "" : `, and if wanted ${others.join(", ")}`;
  return `${name}({${parts.join(", ")}})${rest}`;
}

function isRequired(input: z.ZodObject, key: string): boolean {
  const schema: z.core.$ZodType | undefined = input.shape[key];
  return schema !== undefined && !z.safeParse(schema, undefined).success;
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let at = value;
  for (const part of path) {
    if (typeof at !== "object" || at === null) return undefined;
    at = (at as Readonly<Record<PropertyKey, unknown>>)[part];
  }
  return at;
}
