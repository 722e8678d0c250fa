import { kindAdvice, kindAndField, kindOf } from "../../platform/catalog/kind_names.ts";
import { z } from "zod";
import { isCountryCode, marketOf } from "../../base/markets/markets.ts";
import { nearest } from "../../base/text/nearest.ts";
import { namePattern } from "../../plans/policy/name_pattern.ts";
import { KINDS } from "../../client/entities/kinds/kinds.ts";
import type { EntityFields } from "../../plans/model/change.ts";
import { FILE_KINDS, hasPortfolio, PORTFOLIO_KEY } from "./file_kinds.ts";
import type { FileProblem } from "./file_problem.ts";
import { type FilePath, readYamlFile } from "./yaml_file.ts";

export const SETTINGS_FILE = "account.yaml";

/** Settings that apply to all files of an account. */
export interface AccountSettings {
  /** Markets that the files are for, as country codes; `undefined` for any. */
  readonly markets: readonly string[] | undefined;
  /** Default currency of amounts; `undefined` for the profile's currency. */
  readonly currency: string | undefined;
  /** Value of one unit of `currency` in other currencies. */
  readonly rates: Readonly<Record<string, number>>;
  /** Fields that the files manage, by kind; a kind not listed has all its fields managed. */
  readonly managed: Readonly<Record<string, readonly string[]>>;
  /** Parts of the account that the files do not manage. */
  readonly ignore: {
    /** Names of campaigns; `*` matches any text. */
    readonly campaigns: readonly string[];
    /** Kinds of entities. */
    readonly kinds: readonly string[];
    /** Fields, for example `sp.keywords.bid`. */
    readonly fields: readonly string[];
  };
  /** Default values of omitted fields, by kind. */
  readonly defaults: Readonly<Record<string, EntityFields>>;
  /** Variables that the files can use as `${name}`. */
  readonly variables: Readonly<Record<string, unknown>>;
}

const KIND_NAMES: readonly string[] = FILE_KINDS.map(({ kind }) => kind);
const List = z.array(z.string()).default([]);
const Document = z.strictObject({
  version: z.literal(1, { error: "This release reads version 1" }),
  markets: z.array(z.string()).min(1).optional(),
  currency: z.string().optional(),
  rates: z.record(z.string(), z.number().positive()).default({}),
  managed: z.record(z.string(), z.array(z.string())).default({}),
  ignore: z.strictObject({ campaigns: List, kinds: List, fields: List })
    .default({ campaigns: [], kinds: [], fields: [] }),
  defaults: z.record(z.string(), z.record(z.string(), z.unknown())).default({}),
  variables: z.record(z.string(), z.unknown()).default({}),
});

export const NO_SETTINGS: AccountSettings = {
  markets: undefined,
  currency: undefined,
  rates: {},
  managed: {},
  ignore: { campaigns: [], kinds: [], fields: [] },
  defaults: {},
  variables: {},
};

export function readSettings(text: string): { settings: AccountSettings; problems: FileProblem[] } {
  const yaml = readYamlFile(SETTINGS_FILE, text);
  if (yaml.problems.length > 0) return { settings: NO_SETTINGS, problems: [...yaml.problems] };
  const read = Document.safeParse(yaml.data ?? {});
  if (!read.success) {
    const problems = read.error.issues.flatMap((issue) => {
      const path = issue.path.map((part) => typeof part === "symbol" ? String(part) : part);
      if (issue.code !== "unrecognized_keys") return [yaml.problem(path, issue.message)];
      return issue.keys.map((key) =>
        yaml.problem([...path, key], unknownKey(key, Object.keys(Document.shape)))
      );
    });
    return { settings: NO_SETTINGS, problems };
  }
  const { version: _, ...found } = read.data;
  const settings: AccountSettings = { ...found, markets: found.markets, currency: found.currency };
  const problems = meaningProblems(settings).map(({ path, message }) => yaml.problem(path, message));
  return { settings: byPlanNames(settings), problems };
}

function byPlanNames(settings: AccountSettings): AccountSettings {
  const { managed, ignore, defaults } = settings;
  const kinds = <Value>(values: Readonly<Record<string, Value>>): Record<string, Value> =>
    Object.fromEntries(Object.entries(values).map(([kind, value]) => [planName(kind), value]));
  return {
    ...settings,
    managed: kinds(managed),
    defaults: kinds(defaults),
    ignore: { ...ignore, kinds: ignore.kinds.map(planName), fields: ignore.fields.map(planName) },
  };
}

function planName(text: string): string {
  const kind = kindOf(text, KIND_NAMES);
  const found = kindAndField(text, KIND_NAMES);
  return kind ?? (found === undefined ? text : `${found.kind}.${found.field}`);
}

export function unknownKey(key: string, known: readonly string[]): string {
  const near = nearest(key, known);
  return near === undefined
    ? `"${key}" is not known. Expected one of ${known.join(", ")}`
    : `"${key}" is not known. Did you mean "${near}"?`;
}

export function isManaged({ managed, ignore }: AccountSettings, kind: string, field: string): boolean {
  return !ignore.fields.includes(`${kind}.${field}`) && (managed[kind]?.includes(field) ?? true);
}

export function isIgnoredCampaign({ ignore }: AccountSettings, name: unknown): boolean {
  return ignore.campaigns.some((pattern) => namePattern(pattern)(String(name ?? "")));
}

interface Misfit {
  readonly path: FilePath;
  readonly message: string;
}

function meaningProblems(settings: AccountSettings): Misfit[] {
  const found: Misfit[] = [];
  const isCurrency = (text: string): boolean => /^[A-Z]{3}$/.test(text);
  settings.markets?.forEach((market, at) => {
    if (!isCountryCode(market) || marketOf(market) === undefined) {
      found.push({ path: ["markets", at], message: `${JSON.stringify(market)} is not a market code` });
    }
  });
  if (settings.currency !== undefined && !isCurrency(settings.currency)) {
    found.push({ path: ["currency"], message: "is not a currency code such as USD" });
  }
  for (const code of Object.keys(settings.rates)) {
    if (!isCurrency(code)) {
      found.push({ path: ["rates", code], message: "is not a currency code such as USD" });
    } else if (settings.currency === undefined) {
      found.push({
        path: ["rates", code],
        message: "needs `currency`, the currency that rates convert from",
      });
    }
  }
  for (const key of ["managed", "defaults"] as const) {
    const kinds = Object.keys(settings[key]);
    const names = kinds.map(planName);
    kinds.forEach((kind, at) => {
      const first = names.indexOf(planName(kind));
      if (first < at) found.push({ path: [key, kind], message: `is the same kind as "${kinds[first]}"` });
    });
  }
  for (const [kind, fields] of Object.entries(settings.managed)) {
    found.push(...kindProblems(["managed", kind], kind));
    fields.forEach((field, at) => found.push(...fieldProblems(["managed", kind, at], kind, field)));
  }
  for (const [kind, fields] of Object.entries(settings.defaults)) {
    found.push(...kindProblems(["defaults", kind], kind));
    for (const field of Object.keys(fields)) {
      found.push(...fieldProblems(["defaults", kind, field], kind, field));
    }
  }
  settings.ignore.kinds.forEach((kind, at) => found.push(...kindProblems(["ignore", "kinds", at], kind)));
  settings.ignore.fields.forEach((path, at) => {
    const named = kindAndField(path, KIND_NAMES);
    const place = ["ignore", "fields", at];
    if (named === undefined) {
      found.push({ path: place, message: `"${path}" is not a field such as keywords.bid` });
    } else found.push(...fieldProblems(place, named.kind, named.field));
  });
  return found;
}

function kindProblems(path: FilePath, kind: string): Misfit[] {
  if (kindOf(kind, KIND_NAMES) !== undefined) return [];
  return [{ path, message: `"${kind}" is not a kind. ${kindAdvice(kind, { names: KIND_NAMES })}` }];
}

function fieldProblems(path: FilePath, kind: string, field: string): Misfit[] {
  const name = kindOf(kind, KIND_NAMES);
  if (name === undefined) return [];
  const known = fieldNames(name);
  return known.includes(field) ? [] : [{ path, message: unknownKey(field, known) }];
}

export function fieldNames(kind: string): string[] {
  const fileKind = FILE_KINDS.find((one) => one.kind === kind);
  if (fileKind === undefined) return [];
  return [...Object.keys(fileKind.fields), ...(hasPortfolio(fileKind) ? [PORTFOLIO_KEY] : [])];
}

export function nounOf(kind: string): string {
  return Object.values(KINDS).find((one) => one.kind === kind)?.noun ?? kind;
}
