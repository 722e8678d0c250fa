import { z } from "zod";
import { located, nameProblems, readShape, readYamlParts } from "../../base/runtime/yaml_document.ts";
import {
  SCHEDULE_DAYS,
  type Workflow,
  WORKFLOW_TYPES,
  type WorkflowSchedule,
} from "../../client/clean_room/clean_room_types.ts";
import { typeProblem } from "../../client/clean_room/run_windows.ts";
import { ConfigurationError } from "../../errors.ts";
import { isTimeZone } from "../../base/markets/markets.ts";
import { sqlProblems } from "./check_sql.ts";

/** Windows over which a sync runs a query. */
export interface WorkflowSync {
  /** Calendar part of a window. */
  readonly each: "day" | "week" | "month";
  /** Number of days back from the last complete day; only whole calendar parts within them are run. */
  readonly days: number;
  /** IANA time zone of the days. */
  readonly zone: string;
}

/** A clean-room query in a file: SQL with a header that declares it. */
export interface WorkflowFile {
  /** Path of the file, for messages. */
  readonly source: string;
  /** The query with its parameters and columns. */
  readonly workflow: Workflow;
  /** Schedule on the platform, if the header defines one. */
  readonly schedule?: WorkflowSchedule | undefined;
  /** Windows of `syncWorkflows`, if the header defines them. */
  readonly sync?: WorkflowSync | undefined;
  /** Fields of the stored workflow that the header removes. Fields that the header does not mention are kept. */
  readonly removes?: readonly (keyof Workflow)[] | undefined;
}

const Name = z.string().regex(/^[A-Za-z0-9._-]{1,128}$/, "Expected letters, digits, dots, _ and -");
const Type = z.enum(WORKFLOW_TYPES, { error: `Expected a type: ${WORKFLOW_TYPES.join(", ")}` });
const Value = z.union([z.string(), z.number(), z.boolean()]).transform(String);

const Head = z.strictObject({
  workflow: Name.optional(),
  parameters: z.record(
    z.string(),
    z.union([
      Type.transform((type) => ({ type, default: undefined, description: undefined })),
      z.strictObject({
        type: Type.default("STRING"),
        default: Value.optional(),
        description: z.string().optional(),
      }),
    ], { error: 'Expected a type such as INTEGER, or "type", "default" and "description"' }),
  ).optional(),
  columns: z.record(
    z.string(),
    z.union([
      Type.transform((type) => ({ type, kind: undefined })),
      z.strictObject({
        type: Type.optional(),
        kind: z.enum(["dimension", "metric"]).optional(),
      }),
    ], { error: 'Expected a type such as INTEGER, or "type" and "kind": dimension or metric' }),
  ).optional(),
  withheld: z.string().regex(/^[A-Za-z_]\w*$/, "Expected the name of a column").nullable().optional(),
  privacy: z.enum(["rows", "values"], { error: "Expected rows or values" }).nullable().optional(),
  sync: z.strictObject({
    each: z.enum(["day", "week", "month"], { error: "Expected day, week or month" }).default("week"),
    days: z.int().min(1).max(400, "Expected days back from today, at most 400").default(28),
    zone: z.string().refine(isTimeZone, "Expected an IANA time zone such as Europe/Berlin").default("UTC"),
  }).optional(),
  schedule: z.strictObject({
    id: Name.optional(),
    every: z.enum(["day", ...SCHEDULE_DAYS.map((day) => day.toLowerCase())], {
      error: "Expected day, or a day of the week such as monday",
    }).default("day"),
    hour: z.int().min(0).max(23, "Expected an hour in UTC, 0 to 23").default(0),
    enabled: z.boolean().default(true),
  }).optional(),
});

const HEAD = /^(\s*)\/\* ---[ \t]*\r?\n([\s\S]*?)^[ \t]*--- \*\/[ \t]*(?:\r?\n|$)/m;
const MAX_PARAMETERS = 100;

/**
 * Parses a file with a clean-room query. Its header, YAML between `/* ---` and the closing line, is optional.
 *
 * @param source Path of the file; its name is the workflow's id where the head gives none.
 * @throws {ConfigurationError} that lists everything that is wrong, each as `file:line: message`.
 *
 * @example
 * ```ts
 * import { parseWorkflow } from "@platform/ads/account";
 *
 * const { workflow } = parseWorkflow(
 *   "SELECT campaign, COUNT(DISTINCT user_id) AS users FROM sponsored_ads_traffic GROUP BY campaign",
 *   "reach.sql",
 * );
 * console.log(workflow.workflowId); // reach
 * ```
 */
export function parseWorkflow(text: string, source: string): WorkflowFile {
  const { head, sql, sqlLine, problems: form } = splitHead(text.replace(/^\uFEFF/, ""));
  const problems = [...form];
  const read = head === undefined ? { value: Head.parse({}), problems: [] } : readHead(head, source);
  problems.push(...read.problems);
  const { parameters = {}, columns = {}, withheld, privacy, schedule, sync, workflow } = read.value;
  const workflowId = workflow ?? nameOf(source);
  if (workflow === undefined && !Name.safeParse(workflowId).success) {
    problems.push(
      `Line 1: The name of the file is not usable as an id: give one in the head, such as "workflow: reach"`,
    );
  }
  problems.push(...sqlProblems(sql, { line: sqlLine, parameters: Object.keys(parameters) }));
  if (problems.length > 0) {
    const shown = problems.toSorted((a, b) => lineOf(a) - lineOf(b)).map((one) =>
      `\n${located(one, source)}`
    );
    throw new ConfigurationError(`Cannot use ${source}:${shown.join("")}`);
  }
  const inputParameters = Object.entries(parameters).map((
    [name, { type, default: otherwise, description }],
  ) => ({
    name,
    dataType: type,
    ...(otherwise === undefined ? {} : { defaultValue: otherwise }),
    ...(description === undefined ? {} : { description }),
  }));
  const outputColumns = Object.entries(columns).map(([name, { type, kind }]) => ({
    name,
    ...(type === undefined ? {} : { dataType: type }),
    ...(kind === undefined
      ? {}
      : { columnType: kind === "metric" ? "METRIC" as const : "DIMENSION" as const }),
  }));
  const removes = removedFields(read.value);
  return {
    source,
    workflow: {
      workflowId,
      sqlQuery: sql.trim(),
      ...(inputParameters.length === 0 ? {} : { inputParameters }),
      ...(outputColumns.length === 0 ? {} : { outputColumns }),
      ...(withheld == null ? {} : { filteredMetricsDiscriminatorColumn: withheld }),
      ...(privacy == null ? {} : {
        privacyFilteringBehavior: privacy === "rows" ? "REMOVE_ROWS" as const : "REMOVE_VALUES" as const,
      }),
    },
    ...(removes.length === 0 ? {} : { removes }),
    ...(schedule === undefined ? {} : { schedule: scheduleFor(workflowId, schedule) }),
    ...(sync === undefined ? {} : { sync }),
  };
}

function removedFields(
  { parameters, columns, withheld, privacy }: z.infer<typeof Head>,
): (keyof Workflow)[] {
  const isEmpty = (record: object | undefined): boolean =>
    record !== undefined && Object.keys(record).length === 0;
  return [
    ...(isEmpty(parameters) ? ["inputParameters" as const] : []),
    ...(isEmpty(columns) ? ["outputColumns" as const] : []),
    ...(withheld === null ? ["filteredMetricsDiscriminatorColumn" as const] : []),
    ...(privacy === null ? ["privacyFilteringBehavior" as const] : []),
  ];
}

function scheduleFor(
  workflowId: string,
  { id, every, hour, enabled }: NonNullable<z.infer<typeof Head>["schedule"]>,
): WorkflowSchedule {
  const day = SCHEDULE_DAYS.find((name) => name.toLowerCase() === every);
  return {
    scheduleId: id ?? workflowId,
    workflowId,
    aggregationPeriod: day === undefined ? "Daily" : "Weekly",
    ...(day === undefined ? {} : { aggregationStartDay: day }),
    aggregationHourUtc: hour,
    scheduleEnabled: enabled,
  };
}

interface Split {
  readonly head: string | undefined;
  readonly sql: string;
  readonly sqlLine: number;
  readonly problems: readonly string[];
}

function splitHead(text: string): Split {
  const found = HEAD.exec(text);
  if (found !== null && text.slice(0, found.index).trim() === "") {
    const before = text.slice(0, found.index) + (found[1] ?? "");
    const end = found.index + found[0].length;
    const head = "\n".repeat(lineBreaksIn(before) + 1) + (found[2] ?? "");
    return { head, sql: text.slice(end), sqlLine: lineBreaksIn(text.slice(0, end)) + 1, problems: [] };
  }
  const opened = /^\s*\/\* ?---/.exec(text);
  const problems = opened === null ? [] : [
    `Line ${
      lineBreaksIn(opened[0]) + 1
    }: The head has no end: write "/* ---" and "--- */" on lines of their own`,
  ];
  return { head: undefined, sql: opened === null ? text : "SELECT COUNT(*)", sqlLine: 1, problems };
}

function readHead(
  head: string,
  source: string,
): { value: z.infer<typeof Head>; problems: readonly string[] } {
  const empty = Head.parse({});
  if (head.trim() === "") return { value: empty, problems: [] };
  let yaml: ReturnType<typeof readYamlParts>;
  try {
    yaml = readYamlParts(head, { source });
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    return { value: empty, problems: error.message.split("\n").slice(1).map((line) => line.trim()) };
  }
  const { value = empty, problems } = readShape(Head, yaml, { byField: true });
  const names = ["parameters", "columns"].flatMap((key) => nameProblems(yaml, key));
  const values = Object.entries(value.parameters ?? {}).flatMap(([name, { type, default: otherwise }]) => {
    const why = otherwise === undefined ? undefined : typeProblem(otherwise, type);
    if (why === undefined) return [];
    return [
      `${
        yaml.whereOf(["parameters", name, "default"])
      }parameters.${name}.default: "${otherwise}" is not ${why}`,
    ];
  });
  const count = Object.keys(value.parameters ?? {}).length;
  const many = count > MAX_PARAMETERS
    ? [`${yaml.whereOf(["parameters"])}parameters: ${count} given, at most ${MAX_PARAMETERS} allowed`]
    : [];
  return { value, problems: [...problems, ...names, ...values, ...many] };
}

function nameOf(source: string): string {
  return (source.split(/[\\/]/).at(-1) ?? source).replace(/\.sql$/i, "");
}

function lineBreaksIn(text: string): number {
  return text.split("\n").length - 1;
}

function lineOf(problem: string): number {
  return Number(/^Line (\d+)/.exec(problem)?.[1] ?? 0);
}
