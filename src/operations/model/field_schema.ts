import * as z from "zod";
import { checkInput } from "./check_input.ts";
import { defaultOf, type Field, type Fields, inputFrom, type InputOf, requestFields } from "./field.ts";
import { JSON_SPELLING, type Operation } from "./operation.ts";
import { fromPercent, shareAdvice, shareForms } from "./share_text.ts";

/** Item limit, which is already more than a person can review. */
const MAX_ITEMS = 1000;

const MAX_DOCUMENT = 200_000;

/** Some clients reject an object schema without properties. */
const ITEM = z.record(z.string(), z.unknown()).meta({ properties: { state: { type: "string" } } });

const TOO_MANY = `a plan takes at most ${MAX_ITEMS} items. Make several plans`;

const TEXTS = { type: "array", items: { type: "string" } } as const;

const CONFIGURATION = z.record(z.string(), z.unknown()).meta({ properties: { fields: TEXTS } });

const PAIR_VALUES = {
  text: z.string(),
  word: z.union([z.string(), z.int()]),
  words: z.array(z.string()),
  any: z.unknown(),
} as const;

/** @throws {TypeError} naming each value of a wrong type; also the errors of {@linkcode checkInput}. */
export async function jsonInput<Of extends Fields>(
  operation: Pick<Operation<Of, never, unknown>, "input" | "check">,
  values: Readonly<Record<string, unknown>>,
): Promise<InputOf<Of>> {
  const read = z.strictObject(fieldShape(operation.input)).safeParse(values);
  if (!read.success) {
    const problems = read.error.issues.map(({ path, message }) =>
      path.length === 0 ? message : `${path.join(".")}: ${message}`
    );
    throw new TypeError(`Cannot use this input: ${problems.join("; ")}`);
  }
  const input = inputFrom(operation.input, read.data);
  await checkInput(operation, input, JSON_SPELLING);
  return input;
}

export function fieldShape(fields: Fields): Record<string, z.ZodType> {
  return Object.fromEntries(
    Object.entries(requestFields(fields)).map(([name, field]) => [name, schemaOf(field)]),
  );
}

export function rareFields(fields: Fields): string[] {
  return Object.keys(requestFields(fields)).filter((name) => fields[name]?.isRare);
}

function schemaOf(field: Field): z.ZodType {
  const value = valueSchema(field);
  const fixed = defaultOf(field);
  const optional = field.required ? value : fixed === undefined ? value.optional() : value.default(fixed);
  // Rare fields are missing from the lists that agents always carry, so their descriptions need not be short.
  const text = field.brief ?? (field.isRare ? field.help : undefined);
  return text === undefined ? optional : optional.describe(text);
}

/** A number above 1 may be meant as percent, so more than 100 % is accepted as text only. */
function shareSchema(or: string | undefined): z.ZodType {
  const expected = `expected a share such as ${shareForms(or)}`;
  const word = or === undefined ? [] : [z.literal(or)];
  const forms = [z.number(), z.string().regex(PERCENT, expected), ...word];
  return z.union(forms, expected).transform((value, { addIssue }) => {
    if (value === or) return value;
    if (typeof value === "string") return fromPercent(Number.parseFloat(value));
    if (Math.abs(value) <= 1) return value;
    addIssue(`${value} is ambiguous: ${shareAdvice(value, '"')}`);
    return z.NEVER;
  });
}

const PERCENT = /^\s*[+-]?\d+(?:\.\d+)?\s*%\s*$/;

function valueSchema(field: Field): z.ZodType {
  switch (field.type) {
    case "text":
      return field.maxLength === undefined
        ? z.string()
        : z.string().max(field.maxLength, `it has more than ${field.maxLength} characters`);
    case "document":
      return z.string().max(field.maxLength ?? MAX_DOCUMENT);
    case "files":
      return z.record(z.string(), z.string().max(MAX_DOCUMENT))
        .meta({ properties: { "sp/spring.yaml": { type: "string" } } });
    case "sheet":
    case "sheets":
    case "map":
      return z.never();
    case "step":
    case "entity":
    case "moment":
    case "day":
    case "span":
      return z.string();
    case "items":
      return z.array(ITEM).min(1).max(MAX_ITEMS, TOO_MANY);
    case "choice":
      return z.enum(field.choices);
    case "choices":
      return z.array(z.enum(field.choices));
    case "whole":
      return z.int().min(field.min).max(field.max ?? Number.MAX_SAFE_INTEGER);
    // The operation refuses an amount of 0: here it would count as an argument that was left out.
    case "share":
      return shareSchema(field.or);
    case "amount":
      return field.or === undefined ? z.number() : z.union([z.number(), z.literal(field.or)]);
    case "rate":
      return z.number().positive();
    case "positions":
      return z.array(z.int().min(0));
    case "ids":
      return z.array(z.string().refine((id) => /^\d+$/.test(id), "is not an id: an id is digits only"));
    case "words":
    case "names":
      return field.required
        ? z.array(z.string()).min(1).max(MAX_ITEMS, `give at most ${MAX_ITEMS} at a time`)
        : z.array(z.string());
    case "codes":
      return z.array(z.string());
    case "parameters":
      return z.array(z.union([z.string(), z.number(), z.null()]));
    case "switch":
      return z.boolean();
    case "json":
      return z.unknown();
    case "pairs": {
      const pairs = z.record(z.string(), PAIR_VALUES[field.values]);
      return field.sample === undefined ? pairs : pairs.meta({ properties: { [field.sample]: TEXTS } });
    }
    case "report":
      return z.union([z.string(), CONFIGURATION]);
    case "part":
      return z.union([z.boolean(), z.literal("only")]);
    case "reporting":
      return z.literal([3, 1]);
    case "table":
      return z.array(z.strictObject(columnShape(field.columns))).max(field.maxRows);
  }
}

function columnShape(
  columns: Extract<Field, { readonly type: "table" }>["columns"],
): Record<string, z.ZodType> {
  const own = Object.entries(columns).filter(([, { isInFiles }]) => !isInFiles);
  return Object.fromEntries(own.map(([name, { type, required }]) => {
    const cell = type === "amount" ? z.number() : z.string();
    return [name, required ? cell : cell.optional()];
  }));
}
