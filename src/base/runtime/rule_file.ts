import { z } from "zod";
import { type Parts, validParts } from "./valid_parts.ts";
import { checkVersion, nameProblems, readShape, readYamlParts, yamlRefusal } from "./yaml_document.ts";

/** Version of the files that people write for automation. */
const VERSION = 1;
export const Version = z.literal(VERSION);

type Path = readonly (string | number)[];

interface FileUse<Schema extends z.ZodType> {
  readonly source: string;
  /** Follows the name of the file: `, so nothing is paced`. */
  readonly consequence: string;
  readonly schema: Schema;
  /** @default false */
  readonly byField?: boolean | undefined;
}

interface VersionedFile<Value> {
  readonly data: object;
  readonly value: Value | undefined;
  /** Adds a problem, unless the YAML is broken there. */
  readonly at: (path: Path, message: string) => void;
  readonly hasProblems: () => boolean;
  /** @throws {ConfigurationError} if there are problems, here or in files that this one names. */
  readonly refuse: (others?: readonly string[]) => void;
}

/** @throws {ConfigurationError} when nothing is readable, or a newer release wrote it. */
export function readVersioned<Schema extends z.ZodType>(
  text: string,
  { source, consequence, schema, byField = false }: FileUse<Schema>,
  names: readonly string[] = [],
): VersionedFile<z.infer<Schema>> {
  const use = { source, consequence, isLocated: true };
  const document = readYamlParts(text, use);
  checkVersion(document, use, VERSION);
  const { value, problems } = readShape(schema, document, { byField });
  const found = [...problems, ...names.flatMap((key) => nameProblems(document, key))];
  return {
    data: document.data,
    value,
    at: (path, message) => {
      if (document.isBroken(path)) return;
      found.push(`${document.whereOf(path)}${path.join(".")}: ${message}`);
    },
    hasProblems: () => found.length > 0,
    refuse: (others = []) => {
      if (found.length + others.length > 0) throw yamlRefusal(use, found, others);
    },
  };
}

interface RuleFile<Entry extends z.ZodType, More extends z.ZodRawShape> {
  /** Key of the map of named entries. */
  readonly key: string;
  readonly entry: Entry;
  /** Other keys; maps among them are also of names. */
  readonly more: More;
  /** Follows the name of the file: `, so nothing is paced`. */
  readonly consequence: string;
  /** Word for an entry, if a file without entries is refused. */
  readonly needs?: string;
  /** True to keep an entry without its wrong fields. @default false */
  readonly byField?: boolean;
}

interface Rules<Entry extends z.ZodType, More extends z.ZodRawShape> {
  readonly data: object;
  readonly more: Partial<z.infer<z.ZodObject<More>>>;
  readonly entries: readonly (readonly [name: string, entry: z.infer<Entry>])[];
  /** Returns all entries without their wrong fields, so that one wrong field hides no problem of the others. */
  readonly parts: () => readonly (readonly [name: string, part: Parts<z.infer<Entry>>])[];
  /** Adds a problem of an entry, unless the YAML is broken there. */
  readonly at: (name: string, path: Path, message: string) => void;
  /** @throws {ConfigurationError} if there are problems, here or in files that this one names. */
  readonly refuse: (others?: readonly string[]) => void;
}

/** Returns the reader of a kind of rule file: a version, a few other keys, and a map of named entries. */
export function ruleFile<Entry extends z.ZodType, More extends z.ZodRawShape>(
  { key, entry, more, consequence, needs, byField }: RuleFile<Entry, More>,
): (text: string, source: string) => Rules<Entry, More> {
  const schema = z.strictObject({ version: Version, ...more, [key]: z.record(z.string(), entry) });
  const names = [...Object.keys(more), key];
  return (text, source) => {
    const { data, value, at, hasProblems, refuse } = readVersioned(
      text,
      { source, consequence, schema, byField },
      names,
    );
    const named = (all: unknown): [string, unknown][] =>
      Object.entries((all as Record<string, object> | undefined)?.[key] ?? {});
    const entries = named(value);
    return {
      data,
      more: (value ?? {}) as Rules<Entry, More>["more"],
      entries: entries as [string, z.infer<Entry>][],
      parts: () =>
        named(validParts(schema, data)).map(([name, part]) => [name, (part ?? {}) as Parts<z.infer<Entry>>]),
      at: (name, path, message) => at([key, name, ...path], message),
      refuse: (others) => {
        if (needs !== undefined && value !== undefined && entries.length === 0 && !hasProblems()) {
          at([key], `No ${needs} is defined${consequence}`);
        }
        refuse(others);
      },
    };
  };
}
