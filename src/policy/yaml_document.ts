import { isMap, isNode, isScalar, LineCounter, parseDocument } from "yaml";
import type { z } from "zod";
import { ConfigurationError } from "../errors.ts";

/** Largest file, in characters. */
const MAX_TEXT = 1_000_000;

/** Says in which line a field stands: `Line 3: `, or nothing where that is not known. */
export type WhereOf = (path: readonly PropertyKey[]) => string;

/** A YAML or JSON file as data. */
export interface YamlDocument {
  readonly data: unknown;
  readonly whereOf: WhereOf;
}

/** Which file it is, for messages. */
export interface YamlUse {
  /** Name of the file. */
  readonly source: string;
  /** What follows from a problem in it, after its name: `, so nothing may be sent`. @default nothing is said */
  readonly consequence?: string;
}

/**
 * Reads a file of settings that is YAML or JSON.
 *
 * @throws {ConfigurationError} with every problem of its syntax, each with its line.
 */
export function readYaml(text: string, use: YamlUse): YamlDocument {
  if (text.length > MAX_TEXT) throw yamlRefusal(use, ["It is larger than 1,000,000 characters"]);
  const lines = new LineCounter();
  const parsed = parseDocument(text, { lineCounter: lines, uniqueKeys: true, merge: false });
  const at = (offset: number | undefined): string =>
    offset === undefined ? "" : `Line ${lines.linePos(offset).line}: `;
  if (parsed.errors.length > 0) {
    throw yamlRefusal(use, parsed.errors.map(({ message, pos }) => `${at(pos[0])}${message.split("\n")[0]}`));
  }
  const data: unknown = parsed.toJS({ maxAliasCount: 100 });
  if (typeof data !== "object" || data === null) throw yamlRefusal(use, ["It is empty"]);
  const whereOf: WhereOf = (path) => {
    for (let length = path.length; length > 0; length--) {
      const key = path[length - 1];
      const parent = length === 1 ? parsed.contents : parsed.getIn(path.slice(0, length - 1), true);
      const pair = isMap(parent)
        ? parent.items.find((item) => isScalar(item.key) && item.key.value === key)
        : undefined;
      // A field begins with its name, which may be lines before what it holds.
      const node = pair?.key ?? parsed.getIn(path.slice(0, length), true);
      if (isNode(node) && node.range) return at(node.range[0]);
    }
    return "";
  };
  return { data, whereOf };
}

/**
 * Checks the shape of such a file.
 *
 * @throws {ConfigurationError} with every problem, each with its line and field.
 */
export function checkYaml<Schema extends z.ZodType>(
  schema: Schema,
  { data, whereOf }: YamlDocument,
  use: YamlUse,
): z.infer<Schema> {
  const result = schema.safeParse(data);
  if (result.success) return result.data;
  throw yamlRefusal(use, result.error.issues.map((issue) => issueText(issue, whereOf)));
}

/** The error that lists what is wrong in a file. */
export function yamlRefusal(
  { source, consequence = "" }: YamlUse,
  problems: readonly string[],
): ConfigurationError {
  const shown = problems.slice(0, 100).map((problem) => `\n  ${problem}`).join("");
  const more = problems.length > 100 ? `\n  and ${problems.length - 100} more` : "";
  return new ConfigurationError(`Cannot use ${source}${consequence}:${shown}${more}`);
}

function issueText(issue: z.core.$ZodIssue, whereOf: WhereOf): string {
  const path = issue.path.map(String).join(".");
  if (issue.code === "unrecognized_keys") {
    const place = path === "" ? "" : ` in ${path}`;
    return `${whereOf([...issue.path, ...issue.keys.slice(0, 1)])}Unknown key ${
      issue.keys.join(", ")
    }${place}`;
  }
  return `${whereOf(issue.path)}${path === "" ? "" : `${path}: `}${issue.message}`;
}
