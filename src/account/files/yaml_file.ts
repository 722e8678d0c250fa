import { visibleJson } from "../../base/text/visible_text.ts";
import type { Fields } from "../../client/entities/model/resource_wire.ts";
import type { FileProblem } from "./file_problem.ts";
import { type Document, isNode, LineCounter, parseDocument } from "yaml";

const ITEM = /^( *- )(\{ .* \})$/;
/** Placeholder for an item while the rest is parsed; files that contain it use the full parser. */
const MARK = "\u0001";
const WORDS = /[\p{L}\p{M}\p{N}_.+%'()/&|-]+(?: [\p{L}\p{M}\p{N}_.+%'()/&|-]+)*/uy;
const NUMBER = /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/;

/**
 * Fast path for files that consist mostly of flow-style items.
 *
 * @returns `undefined` if the file needs the full YAML parser.
 */
export function readFlowLines(text: string): { readonly data: unknown } | undefined {
  if (text.includes(MARK)) return undefined;
  const items: unknown[] = [];
  const lines = text.split("\n").map((line) => {
    const [, start, flow] = ITEM.exec(line) ?? [];
    if (start === undefined || flow === undefined) return line;
    const value = new FlowReader(flow).whole();
    if (value === UNREADABLE) return line;
    items.push(value);
    return `${start}"\\u0001${items.length - 1}"`;
  });
  if (items.length === 0) return undefined;
  const document = parseDocument(lines.join("\n"), { uniqueKeys: true, merge: false, prettyErrors: false });
  if (document.errors.length > 0) return undefined;
  let put = 0;
  try {
    const data = replaced(document.toJS({ maxAliasCount: 1000 }), (at) => {
      put++;
      return items[at];
    });
    // Within a text of several lines such a line is no item.
    return put === items.length ? { data } : undefined;
  } catch {
    // An alias of nothing, which the parser reports.
    return undefined;
  }
}

function replaced(value: unknown, item: (at: number) => unknown): unknown {
  if (typeof value === "string") {
    return value.startsWith(MARK) ? item(Number(value.slice(1))) : value;
  }
  if (Array.isArray(value)) return value.map((part) => replaced(part, item));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, replaced(part, item)]));
}

const UNREADABLE = Symbol("unreadable");

class FlowReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  whole(): unknown {
    const value = this.#value();
    return this.#at === this.#text.length ? value : UNREADABLE;
  }

  #value(): unknown {
    const char = this.#text[this.#at];
    if (char === "{") return this.#map();
    if (char === "[") return this.#list();
    if (char === '"') return this.#quoted();
    const word = this.#word();
    if (word === "true" || word === "false") return word === "true";
    if (word === "null") return null;
    if (NUMBER.test(word)) return Number(word);
    if (/^\d{4}-\d{2}-\d{2}$/.test(word)) return word;
    // What looks like a number in another notation, or like an empty value, is left to the parser.
    return /^\p{L}|^\d+ \p{L}/u.test(word) && !/^(?:true|false|null)$/i.test(word) ? word : UNREADABLE;
  }

  #map(): unknown {
    if (this.#text.startsWith("{}", this.#at)) {
      this.#at += 2;
      return {};
    }
    if (!this.#take("{ ")) return UNREADABLE;
    const fields: Record<string, unknown> = {};
    do {
      const name = this.#text[this.#at] === '"' ? this.#quoted() : this.#word();
      if (typeof name !== "string" || name === "" || name === "__proto__" || Object.hasOwn(fields, name)) {
        return UNREADABLE;
      }
      if (!/^\p{L}/u.test(name) || /^(?:true|false|null)$/i.test(name) || !this.#take(": ")) {
        return UNREADABLE;
      }
      const value = this.#value();
      if (value === UNREADABLE) return UNREADABLE;
      fields[name] = value;
    } while (this.#take(", "));
    return this.#take(" }") ? fields : UNREADABLE;
  }

  #list(): unknown {
    if (this.#text.startsWith("[]", this.#at)) {
      this.#at += 2;
      return [];
    }
    if (!this.#take("[")) return UNREADABLE;
    const values: unknown[] = [];
    do {
      const value = this.#value();
      if (value === UNREADABLE) return UNREADABLE;
      values.push(value);
    } while (this.#take(", "));
    return this.#take("]") ? values : UNREADABLE;
  }

  #quoted(): unknown {
    let end = this.#at + 1;
    while (end < this.#text.length && this.#text[end] !== '"') end += this.#text[end] === "\\" ? 2 : 1;
    const raw = this.#text.slice(this.#at, end + 1);
    this.#at = end + 1;
    try {
      return JSON.parse(raw);
    } catch {
      return UNREADABLE;
    }
  }

  #word(): string {
    WORDS.lastIndex = this.#at;
    const [word = ""] = WORDS.exec(this.#text) ?? [];
    this.#at += word.length;
    return word;
  }

  #take(text: string): boolean {
    if (!this.#text.startsWith(text, this.#at)) return false;
    this.#at += text.length;
    return true;
  }
}

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
