import { fieldsOf } from "../json/fields_of.ts";
import { isMap, isNode, isPair, isScalar, isSeq, LineCounter, type Pair, parseDocument, visit } from "yaml";
import type { z } from "zod";
import { ConfigurationError } from "../../errors.ts";
import { nearest } from "../text/nearest.ts";

/** In characters. */
const MAX_TEXT = 1_000_000;
/** Maximum number of aliases of one value, because a few nested aliases can exhaust memory. */
const MAX_ALIASES = 100;
const MAX_PROBLEMS = 100;

export type WhereOf = (path: readonly PropertyKey[]) => string;

interface YamlDocument {
  readonly data: object;
  readonly whereOf: WhereOf;
}

interface YamlParts extends YamlDocument {
  readonly problems: readonly string[];
  readonly isBroken: (path: readonly PropertyKey[]) => boolean;
}

interface YamlUse {
  readonly source: string;
  readonly consequence?: string;
  readonly isLocated?: boolean;
}

export function readYaml(text: string, use: YamlUse): YamlDocument {
  const { problems, ...document } = readYamlParts(text, use);
  if (problems.length > 0) throw yamlRefusal(use, problems);
  return document;
}

/**
 * Parses a YAML document for callers that report every problem. Reads as much as possible despite syntax errors.
 *
 * @throws {ConfigurationError} when nothing is readable.
 */
export function readYamlParts(text: string, use: YamlUse): YamlParts {
  if (text.length > MAX_TEXT) throw yamlRefusal(use, ["It is larger than 1,000,000 characters"]);
  const lines = new LineCounter();
  const parsed = parseDocument(text, { lineCounter: lines, uniqueKeys: true, merge: false });
  const at = (offset: number): string => `Line ${lines.linePos(offset).line}: `;
  const problems = parsed.errors.map(({ message, pos }) => `${at(pos[0])}${message.split("\n")[0]}`);
  const { contents } = parsed;
  if (!isMap(contents)) {
    if (problems.length > 0) throw yamlRefusal(use, problems);
    throw yamlRefusal(use, [contents === null ? "It is empty" : "It holds no keys"]);
  }
  // An id such as 007 or 0x1F would otherwise become another id.
  visit(parsed, {
    Scalar: (_key, node, path) => {
      const { value, source = "" } = node;
      if (typeof value !== "number") return;
      if (/^0[0-9a-z]/i.test(source)) node.value = source;
      // Ids and items of lists keep their spelling: 1e3, 12.0 and +7 would become other texts.
      else if (!/^(-?\d+|)$/.test(source) && (isSeq(path.at(-1)) || isIdOf(path.at(-1)))) {
        if (String(value) !== source) node.value = source;
      }
    },
  });
  let data: object;
  try {
    data = parsed.toJS({ maxAliasCount: MAX_ALIASES });
  } catch (error) {
    throw yamlRefusal(use, [...problems, (error as Error).message]);
  }
  const whereOf: WhereOf = (path) => {
    for (let length = path.length; length > 0; length--) {
      const key = path[length - 1];
      const parent = length === 1 ? contents : parsed.getIn(path.slice(0, length - 1), true);
      const pair = pairOf(parent, key);
      // A field begins with its name, which may be lines before what it holds.
      const node = pair?.key ?? parsed.getIn(path.slice(0, length), true);
      if (isNode(node) && node.range) return at(node.range[0]);
    }
    return "";
  };
  const isBroken = ([first, second]: readonly PropertyKey[]): boolean => {
    if (problems.length === 0) return false;
    const file = pairOf(contents, first);
    const entry = second === undefined ? file : pairOf(file?.value, second);
    // What is missing may have been swallowed.
    if (entry === undefined || !isNode(entry.key)) return true;
    const start = entry.key.range?.[0] ?? 0;
    const end = isNode(entry.value) ? entry.value.range?.[2] ?? start : Infinity;
    return parsed.errors.some(({ pos }) => pos[0] >= start && pos[0] <= end);
  };
  return { data, whereOf, problems, isBroken };
}

function pairOf(map: unknown, key: PropertyKey | undefined): Pair | undefined {
  return isMap(map) ? map.items.find((item) => isScalar(item.key) && item.key.value === key) : undefined;
}

function isIdOf(parent: unknown): boolean {
  return isPair(parent) && isScalar(parent.key) && /^id$|Id$|_id$/.test(String(parent.key.value));
}

/** @throws {ConfigurationError} with the line and field of every problem. */
export function checkYaml<Schema extends z.ZodType>(
  schema: Schema,
  { data, whereOf }: YamlDocument,
  use: YamlUse,
): z.infer<Schema> {
  const { value, problems } = readShape(schema, { data, whereOf });
  if (problems.length > 0) throw yamlRefusal(use, problems);
  return value!;
}

/** @throws {ConfigurationError} when a newer release wrote the document. */
export function checkVersion(
  { data, whereOf, problems = [] }: YamlDocument & Partial<YamlParts>,
  use: YamlUse,
  version: number,
): void {
  const { version: own } = fieldsOf(data);
  if (typeof own !== "number" || own <= version) return;
  throw yamlRefusal(use, [
    ...problems,
    `${
      whereOf(["version"])
    }version: It is of version ${own}, and this release reads version ${version}. Install a newer release`,
  ]);
}

/**
 * Checks a document against a schema and returns all problems with line and field. The value omits invalid entries, so
 * the meaning of the rest can be checked in the same run.
 *
 * @param options.byField True to drop only the invalid fields of an entry if it is readable without them.
 * @default false
 */
export function readShape<Schema extends z.ZodType>(
  schema: Schema,
  { data, whereOf, problems = [], isBroken = () => false }: YamlDocument & Partial<YamlParts>,
  { byField = false }: { readonly byField?: boolean } = {},
): { readonly value?: z.infer<Schema>; readonly problems: readonly string[] } {
  const result = schema.safeParse(data);
  if (result.success) return { value: result.data, problems };
  const { issues } = result.error;
  const left = byField ? withoutFaulty(data, issues, Infinity) : data;
  const again = schema.safeParse(left);
  const rest = again.success ? again : schema.safeParse(withoutFaulty(left, again.error.issues, 2));
  return {
    ...(rest.success ? { value: rest.data } : {}),
    problems: [
      ...problems,
      ...issues.filter(({ path }) => !isBroken(path))
        .flatMap((issue) => issueTexts(issue, { whereOf, schema })),
    ],
  };
}

function withoutFaulty(data: object, issues: readonly z.core.$ZodIssue[], depth: number): object {
  const copy = structuredClone(data);
  const drop = (path: readonly PropertyKey[]): void => {
    let parent = copy as Record<PropertyKey, unknown>;
    for (const [at, key] of path.entries()) {
      const below = parent[key];
      if (
        at + 1 >= Math.min(depth, path.length) || typeof below !== "object" || below === null ||
        Array.isArray(below)
      ) {
        delete parent[key];
        return;
      }
      parent = below as Record<PropertyKey, unknown>;
    }
  };
  for (const issue of issues) {
    if (issue.code !== "unrecognized_keys") drop(issue.path);
    else for (const key of issue.keys) drop([...issue.path, key]);
  }
  return copy;
}

export function located(problem: string, source: string): string {
  const line = /^Line (\d+): /.exec(problem);
  return line === null ? `${source}: ${problem}` : `${source}:${line[1]}: ${problem.slice(line[0].length)}`;
}

const ENTRY_NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,39}$/;

export function nameProblems({ data, whereOf }: YamlDocument, key: string): string[] {
  const entries: unknown = Object.entries(data).find(([name]) => name === key)?.[1];
  return Object.keys(fieldsOf(entries)).filter((name) => !ENTRY_NAME.test(name)).map((name) =>
    `${whereOf([key, name])}${key}.${name}: Expected a name of letters, digits, _ and -, 40 at most`
  );
}

/** @param others Problems of other files, which name their place. */
export function yamlRefusal(
  { source, consequence = "", isLocated = false }: YamlUse,
  problems: readonly string[],
  others: readonly string[] = [],
): ConfigurationError {
  const shown = problems.slice(0, MAX_PROBLEMS).map((problem) =>
    isLocated ? `\n${located(problem, source)}` : `\n  ${problem}`
  ).join("");
  const left = problems.length - MAX_PROBLEMS;
  const more = left > 0 ? `\n  and ${left} more` : "";
  const rest = others.map((problem) => `\n${problem}`).join("");
  return new ConfigurationError(`Cannot use ${source}${consequence}:${shown}${more}${rest}`);
}

const TYPES: ReadonlyMap<string, string> = new Map([
  ["record", "a map of names to values"],
  ["object", "a map of names to values"],
  ["array", "a list"],
  ["string", "text"],
  ["number", "a number"],
  ["int", "a whole number"],
  ["boolean", "true or false"],
]);

function plainMessage(message: string): string {
  const [, expected, received] = /^Invalid input: expected (.+?)(?:, received (.+))?$/.exec(message) ?? [];
  if (expected === undefined) return message;
  const wanted = TYPES.get(expected) ?? expected;
  return received === "undefined" ? `Missing, expected ${wanted}` : `Expected ${wanted}`;
}

function issueTexts(
  issue: z.core.$ZodIssue,
  { whereOf, schema }: { whereOf: WhereOf; schema: z.ZodType },
): string[] {
  const path = issue.path.map(String).join(".");
  if (issue.code !== "unrecognized_keys") {
    return [`${whereOf(issue.path)}${path === "" ? "" : `${path}: `}${plainMessage(issue.message)}`];
  }
  const known = keysAt(schema, issue.path);
  const place = path === "" ? "" : ` in ${path}`;
  return issue.keys.map((key) => {
    const near = nearest(key, known);
    const hint = near === undefined ? "" : `. Did you mean "${near}"?`;
    return `${whereOf([...issue.path, key])}Unknown key ${key}${place}${hint}`;
  });
}

function keysAt(schema: z.core.$ZodType, path: readonly PropertyKey[]): string[] {
  const { def } = schema._zod;
  if ("innerType" in def) return keysAt(def.innerType as z.core.$ZodType, path);
  if (path.length === 0) return "shape" in def ? Object.keys(def.shape as object) : [];
  const [first, ...rest] = path;
  const inner = "shape" in def
    ? (def.shape as Record<PropertyKey, z.core.$ZodType>)[first!]
    : "element" in def
    ? def.element as z.core.$ZodType
    : "valueType" in def
    ? def.valueType as z.core.$ZodType
    : undefined;
  return inner === undefined ? [] : keysAt(inner, rest);
}
