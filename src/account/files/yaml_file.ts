import { type Document, isNode, LineCounter, parseDocument } from "yaml";
import type { FileProblem } from "./file_problem.ts";
import { readFlowLines } from "./flow_lines.ts";
import { visibleJson } from "../../base/text/visible_text.ts";
import type { Fields } from "../../client/entities/model/resource_wire.ts";

export type FilePath = readonly (string | number)[];

/** In characters. */
const MAX_TEXT = 64_000_000;
const MAX_ALIASES = 1000;
const OPTIONS = { uniqueKeys: true, merge: false, prettyErrors: false } as const;

export interface YamlFile {
  /** Relative to the account's folder. */
  readonly file: string;
  readonly data: unknown;
  readonly problems: readonly FileProblem[];
  problem(path: FilePath, message: string): FileProblem;
}

/** Parses a YAML file. Never throws; errors are in `problems`. */
export function readYamlFile(file: string, text: string): YamlFile {
  if (text.length > MAX_TEXT) {
    const problems = [{ file, message: `It has ${text.length} characters; at most ${MAX_TEXT} are read` }];
    return {
      file,
      data: undefined,
      problems,
      problem: (path, message) => withField({ file, message }, path),
    };
  }
  let parsed: { document: Document; lines: LineCounter } | undefined;
  const document = (): { document: Document; lines: LineCounter } => {
    if (parsed !== undefined) return parsed;
    const lines = new LineCounter();
    return parsed = { document: parseDocument(text, { ...OPTIONS, lineCounter: lines }), lines };
  };
  const problem = (path: FilePath, message: string): FileProblem => {
    const { document: tree, lines } = document();
    for (let length = path.length; length > 0; length--) {
      const node = tree.getIn(path.slice(0, length), true);
      if (!isNode(node) || !node.range) continue;
      return withField({ file, line: lines.linePos(node.range[0]).line, message }, path);
    }
    // A field that is missing at the top belongs to the file's first entry.
    const start = path.length > 0 ? tree.contents?.range?.[0] : undefined;
    return withField(
      { file, ...(start === undefined ? {} : { line: lines.linePos(start).line }), message },
      path,
    );
  };
  const quick = readFlowLines(text);
  if (quick !== undefined) return { file, data: quick.data, problems: [], problem };
  const { document: tree, lines } = document();
  const problems: FileProblem[] = tree.errors.map(({ message, pos }) => ({
    file,
    line: lines.linePos(pos[0]).line,
    message: message.split("\n")[0] ?? message,
  }));
  if (problems.length > 0) return { file, data: undefined, problems, problem };
  try {
    return { file, data: tree.toJS({ maxAliasCount: MAX_ALIASES }), problems, problem };
  } catch (error) {
    // Aliases that repeat each other could fill the memory.
    if (!(error instanceof ReferenceError)) throw error;
    return { file, data: undefined, problems: [{ file, message: error.message }], problem };
  }
}

function withField(problem: FileProblem, path: FilePath): FileProblem {
  const { message, ...place } = problem;
  return { ...place, ...(path.length === 0 ? {} : { field: path.join(".") }), message };
}

const PLAIN = /^(?:\p{L}|\d+ (?=\p{L}))[\p{L}\p{M}\p{N}_.+%'()/&|-]*(?: [\p{L}\p{M}\p{N}_.+%'()/&|-]+)*$/u;
const DAY = /^\d{4}-\d{2}-\d{2}$/;
const RESERVED = /^(?:true|false|null|yes|no|on|off|y|n)$/i;

export function yamlValue(value: unknown): string {
  if (typeof value === "string") return yamlString(value);
  if (typeof value === "number" || typeof value === "boolean" || value === null) return String(value);
  if (Array.isArray(value)) return `[${value.map(yamlValue).join(", ")}]`;
  return yamlMap(value as Fields);
}

export function yamlMap(fields: Fields): string {
  const parts: string[] = [];
  for (const name in fields) {
    const value = fields[name];
    if (value !== undefined) parts.push(`${yamlString(name)}: ${yamlValue(value)}`);
  }
  return parts.length === 0 ? "{}" : `{ ${parts.join(", ")} }`;
}

/** Quotes a text for YAML, and doubles a dollar sign before a brace, which would otherwise start a variable. */
export function yamlString(text: string): string {
  const literal = text.includes("${") ? text.replaceAll("${", () => "$${") : text;
  if (PLAIN.test(literal) && !RESERVED.test(literal) || DAY.test(literal)) return literal;
  return visibleJson(JSON.stringify(literal));
}
