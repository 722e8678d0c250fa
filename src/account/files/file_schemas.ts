import { spellKind, withArticle } from "../../platform/catalog/kind_names.ts";
import type { Fields } from "../../client/entities/model/resource_wire.ts";
import { fieldNames } from "./account_settings.ts";
import {
  CAMPAIGN_KINDS,
  FILE_KINDS,
  type FileFieldType,
  type FileKind,
  hasPortfolio,
  PORTFOLIO_KEY,
  PORTFOLIO_KIND,
  specOf,
} from "./file_kinds.ts";

const DIALECT = "https://json-schema.org/draft/2020-12/schema";
const VARIABLE = { type: "string", pattern: "\\$\\{" };

export function fileSchemas(): Record<string, unknown> {
  const campaigns = Object.entries(CAMPAIGN_KINDS).map(([folder, kind]) => {
    const schema = entitySchema(kind);
    const markets = {
      type: "array",
      items: { type: "string" },
      description: "Markets that the campaign is for",
    };
    const properties = { ...schema["properties"] as Fields, markets };
    return [folder, { $schema: DIALECT, ...schema, properties, $defs: definitions() }];
  });
  const portfolios = {
    $schema: DIALECT,
    type: "object",
    properties: { portfolios: { type: ["array", "null"], items: entitySchema(PORTFOLIO_KIND) } },
    additionalProperties: false,
    $defs: definitions(),
  };
  return { ...Object.fromEntries(campaigns), portfolios, account: settingsSchema() };
}

function definitions(): Fields {
  const choice = (names: string, value: Fields): Fields => ({
    type: "object",
    propertyNames: { pattern: names },
    additionalProperties: { anyOf: [value, VARIABLE] },
    minProperties: 1,
  });
  const amount = { type: "number", minimum: 0 };
  return {
    amount: { anyOf: [amount, VARIABLE, choice("^[A-Z]{2,3}$", amount)] },
    text: { anyOf: [{ type: "string" }, choice("^[A-Z]{2,3}$", { type: "string" })] },
  };
}

function entitySchema(kind: FileKind): Fields {
  const spec = specOf(kind);
  const { clearable = [], choices = {} } = spec;
  const properties: Fields = {};
  for (const [name, type] of Object.entries(kind.fields)) {
    const words = type === "state"
      ? spec.settableStates.map((state) => spec.stateCase === "upper" ? state : state.toLowerCase())
      : choices[name];
    const schema = fieldSchema(type, words);
    properties[name] = clearable.includes(name) ? { anyOf: [schema, { type: "null" }] } : schema;
  }
  if (hasPortfolio(kind)) {
    properties[PORTFOLIO_KEY] = {
      description: "Name of the portfolio; null for none",
      type: ["string", "object", "null"],
      properties: { id: { type: "string" } },
    };
  }
  for (const child of kind.children) {
    properties[child.list ?? ""] = { type: ["array", "null"], items: entitySchema(child) };
  }
  properties["id"] = {
    type: "string",
    description: `Needed if the name alone does not identify the ${spec.noun}`,
  };
  return {
    type: "object",
    description: withArticle(spec.noun, { capital: true }),
    properties,
    additionalProperties: false,
  };
}

function fieldSchema(type: FileFieldType, words: readonly string[] | undefined): Fields {
  if (words !== undefined) return { anyOf: [{ enum: words }, { $ref: "#/$defs/text" }] };
  switch (type) {
    case "amount":
      return { $ref: "#/$defs/amount" };
    case "budget":
      return { anyOf: [{ $ref: "#/$defs/amount" }, budgetSchema()] };
    case "day":
      return { anyOf: [{ type: "string", format: "date" }, { $ref: "#/$defs/text" }] };
    case "marketplaces":
    case "object":
      return { type: ["object", "string"] };
    case "list":
      return { type: ["array", "object", "string"] };
    case "state":
    case "text":
      return { $ref: "#/$defs/text" };
  }
}

function budgetSchema(): Fields {
  return {
    type: "object",
    properties: { budget: { $ref: "#/$defs/amount" }, budgetType: { type: "string" } },
    required: ["budget"],
  };
}

function settingsSchema(): Fields {
  const spellings = FILE_KINDS.flatMap(({ kind }) =>
    [...new Set([spellKind(kind), kind])].map((name) => [name, kind] as const)
  );
  const fieldsOf = (value: (name: string) => unknown): Fields =>
    Object.fromEntries(spellings.map(([name, kind]) => [name, value(kind)]));
  const texts = { type: "array", items: { type: "string" } };
  return {
    $schema: DIALECT,
    type: "object",
    required: ["version"],
    additionalProperties: false,
    properties: {
      version: { const: 1 },
      markets: { ...texts, description: "Markets that the files are for, such as US" },
      currency: { type: "string", description: "Currency of amounts that do not name one" },
      rates: {
        type: "object",
        additionalProperties: { type: "number" },
        description: "Value of one unit of currency in other currencies",
      },
      managed: {
        type: "object",
        description: "Fields that the files own; a file that omits one clears it",
        properties: fieldsOf((kind) => ({ type: "array", items: { enum: fieldNames(kind) } })),
        additionalProperties: false,
      },
      ignore: {
        type: "object",
        description: "Campaigns, kinds and fields that the files do not manage",
        properties: {
          campaigns: { ...texts, description: "Names; * matches any text" },
          kinds: { type: "array", items: { enum: spellings.map(([name]) => name) } },
          fields: {
            type: "array",
            items: {
              enum: spellings.flatMap(([kind, name]) => fieldNames(name).map((field) => `${kind}.${field}`)),
            },
          },
        },
        additionalProperties: false,
      },
      defaults: {
        type: "object",
        description: "Values of fields that an entity leaves out",
        properties: fieldsOf((kind) => ({ type: "object", propertyNames: { enum: fieldNames(kind) } })),
        additionalProperties: false,
      },
      variables: { type: "object", description: "Values that the files use by name: ${name}" },
    },
  };
}
