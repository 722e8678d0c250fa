import { z } from "zod";
import { fieldsOf } from "../../base/json/fields_of.ts";
import { fileSystem } from "../../base/runtime/file_system.ts";
import { readNamedFile } from "../../base/runtime/read_named_file.ts";
import { ruleFile } from "../../base/runtime/rule_file.ts";
import { type CampaignSelect, SELECT_FIELDS } from "../../plans/policy/campaign_select.ts";
import type { Parts } from "../../base/runtime/valid_parts.ts";
import { type MarginsFile, parseMargins } from "./margins_file.ts";

/** Bounds of a goal; amounts are in the currency of the profile. */
export interface GoalBounds {
  /** Maximum spend of its campaigns in a calendar month. @default no amount */
  readonly month?: number | undefined;
  /** Share of `month` left unplanned for clicks that are reported late. @default 0.01 */
  readonly reserve: number;
  /** Lowest bid. @default that of the market */
  readonly minBid?: number | undefined;
  /** Highest bid. @default that of the market */
  readonly maxBid?: number | undefined;
  /** Largest increase of a bid in one plan, 0.3 for 30 %. @default 0.3 */
  readonly raise: number;
  /** Largest decrease of a bid in one plan, 0.3 for 30 %. @default 0.3 */
  readonly cut: number;
  /** Days before a changed bid may change again. @default 7 */
  readonly cooling: number;
  /** Lowest daily budget of a campaign. @default that of the market */
  readonly minBudget?: number | undefined;
  /** Highest daily budget of a campaign. @default that of the market */
  readonly maxBudget?: number | undefined;
  /** Campaigns, ad groups and keywords that are never touched. */
  readonly never?: {
    /** Ids of campaigns, ad groups, keywords or targets. */
    readonly ids?: readonly string[] | undefined;
    /** Names of campaigns or keyword texts; `*` matches any text. */
    readonly names?: readonly string[] | undefined;
  } | undefined;
}

/** Figure that a goal maximizes. */
export type GoalKind = "profit" | "sales" | "orders" | "spend";

export const GOAL_KINDS: readonly GoalKind[] = ["sales", "profit", "orders", "spend"];

/** A goal: campaigns, a figure to maximise, and bounds. */
export interface Goal {
  /** Name, as in the file. */
  readonly name: string;
  /** ISO 4217 code that the profile must have. @default not checked */
  readonly currency?: string | undefined;
  /** Campaigns of the goal. @default every campaign of Sponsored Products */
  readonly select?: CampaignSelect | undefined;
  /** Figure to maximize. */
  readonly aim: GoalKind;
  /** Maximum ACOS for the aim `sales`: cost divided by sales, 0.25 for 25 %. */
  readonly acos?: number | undefined;
  /** Maximum cost per order for the aim `orders`, in the profile's currency. */
  readonly costPerOrder?: number | undefined;
  /**
   * For the aim `profit`: margin before advertising costs, as a share of sales, for products that `margins` does not
   * list.
   */
  readonly margin?: number | undefined;
  /** Profit margins by ASIN or SKU, keys in upper case. */
  readonly margins: ReadonlyMap<string, number>;
  /** Brand terms, and the fraction of their sales that advertising causes. */
  readonly brand?: { readonly terms: readonly string[]; readonly incremental: number } | undefined;
  /** Bounds. */
  readonly limits: GoalBounds;
  /** Share of spend for testing targets with little data. @default 0.02 */
  readonly explore: number;
}

/** Contents of a goals file. */
export interface GoalsFile {
  /** Path of the file, for errors. */
  readonly source: string;
  /** The goals, in file order. */
  readonly goals: readonly Goal[];
  /** Fraction of the changed bids to hold back for comparison; 0 for none. @default 0.2 */
  readonly holdBack: number;
  /** True if the file itself sets `hold_back`. */
  readonly isHoldBackGiven: boolean;
}

const MAX_PROBLEMS = 20;
const RESERVE = 0.01;
const MAX_EXPLORE = 0.2;

const Share = z.union([
  z.string().regex(/^\d+(\.\d+)?%$/).transform((text) => Number((Number.parseFloat(text) / 100).toFixed(6))),
  z.number(),
], { error: "Expected a percentage such as 25%" });
const tooMuch = (most: number) => ({ input }: { readonly input?: unknown }) =>
  `Expected ${most * 100}% at most. Write 25% or 0.25 for a quarter` +
  (typeof input === "number" && input > 1 ? `; this is ${Number((input * 100).toFixed(2))}%` : "");
const shareUpTo = (most: number) =>
  Share.pipe(z.number().min(0, "Expected 0% or more").max(most, { error: tooMuch(most) }));
const shareAbove0 = (most: number) =>
  Share.pipe(z.number().gt(0, "Expected more than 0%").max(most, { error: tooMuch(most) }));
const Amount = z.number({ error: "Expected an amount above 0" }).positive("Expected an amount above 0");
const Names = z.array(z.string().min(1)).min(1);

const GoalShape = z.strictObject({
  currency: z.string().regex(/^[A-Z]{3}$/, "Expected a code such as USD").optional(),
  select: z.strictObject(SELECT_FIELDS).optional(),
  aim: z.enum(GOAL_KINDS, {
    error: ({ input }) =>
      /^new[ _-]customers$/.test(String(input))
        ? "Reports of Sponsored Products have no orders of new customers, so a click cannot be valued by them: expected " +
          "sales, profit, orders or spend"
        : "Expected sales, profit, orders or spend",
  }),
  acos: shareAbove0(5).optional(),
  roas: z.number().min(0.2, "Expected 0.2 or more").optional(),
  cost_per_order: Amount.optional(),
  margin: shareAbove0(1).optional(),
  margins: z.union([
    z.string().regex(/\.csv$/i, "Expected a file that ends in .csv"),
    z.record(z.string(), shareAbove0(1)),
  ])
    .optional(),
  brand: z.strictObject({ terms: Names, incremental: shareUpTo(1) }).optional(),
  limits: z.strictObject({
    month: Amount.optional(),
    reserve: shareUpTo(0.5).optional(),
    min_bid: Amount.optional(),
    max_bid: Amount.optional(),
    raise: shareUpTo(1).default(0.3),
    cut: shareUpTo(0.9).default(0.3),
    cooling: z.int().min(0).max(60, "Expected 60 days at most").default(7),
    min_budget: Amount.optional(),
    max_budget: Amount.optional(),
    never: z.strictObject({ ids: SELECT_FIELDS.ids, names: Names.optional() }).optional(),
  }).prefault({}),
  explore: shareUpTo(MAX_EXPLORE).default(0.02),
});

const readFile = ruleFile({
  key: "goals",
  entry: GoalShape,
  more: { hold_back: shareUpTo(0.5).default(0.2) },
  consequence: ", so nothing is planned",
  needs: "goal",
});

/**
 * Reads a goals file, YAML or JSON.
 *
 * @throws {ConfigurationError} that lists everything that is wrong, each as `file:line: message`. Nothing was sent.
 *
 * @example
 * ```ts
 * import { loadGoals } from "@platform/ads/account";
 *
 * async function names(path: string): Promise<string[]> {
 *   return (await loadGoals(path)).goals.map(({ name, aim }) => `${name}: ${aim}`);
 * }
 * ```
 */
export async function loadGoals(path: string): Promise<GoalsFile> {
  return await readGoalsText(await readNamedFile(path, "the goals file"), path);
}

export async function readGoalsText(text: string, source: string): Promise<GoalsFile> {
  const { goals } = fieldsOf(readFile(text, source).data);
  const named = Object.values(fieldsOf(goals)).flatMap((goal) => {
    const { margins } = fieldsOf(goal);
    return typeof margins === "string" && /\.csv$/i.test(margins) ? [margins] : [];
  });
  const { dirname, join } = fileSystem();
  const files = new Map<string, MarginsFile>();
  for (const name of new Set(named)) {
    const path = /^([/\\]|[A-Za-z]:)/.test(name) ? name : join(dirname(source), name);
    files.set(name, parseMargins(await readNamedFile(path, "the file of margins"), path));
  }
  return parsed(text, { source, files });
}

/**
 * Parses the text of a goals file.
 *
 * @param source Name of the file, for errors.
 * @throws {ConfigurationError} that lists everything that is wrong, each as `file:line: message`.
 *
 * @example
 * ```ts
 * import { parseGoals } from "@platform/ads/account";
 *
 * const { goals } = parseGoals("version: 1\ngoals: { shoes: { aim: sales, acos: 25% } }", "goals.yaml");
 * console.log(goals[0]?.acos); // 0.25
 * ```
 */
export function parseGoals(text: string, source: string): GoalsFile {
  return parsed(text, { source, files: new Map() });
}

function parsed(
  text: string,
  { source, files }: { readonly source: string; readonly files: ReadonlyMap<string, MarginsFile> },
): GoalsFile {
  const file = readFile(text, source);
  for (const [name, part] of file.parts()) {
    for (const [path, message] of meaningProblems(part)) file.at(name, path, message);
    const { margins } = part;
    if (typeof margins === "string" && !files.has(margins)) {
      file.at(
        name,
        ["margins"],
        "A file of margins is only read for goals in a file: write margins: { ASIN: 35% }",
      );
    }
  }
  const ofFiles = [...files.values()].flatMap(({ problems: own }) => own);
  file.refuse([
    ...ofFiles.slice(0, MAX_PROBLEMS),
    ...(ofFiles.length > MAX_PROBLEMS ? [`and ${ofFiles.length - MAX_PROBLEMS} more`] : []),
  ]);
  return {
    source,
    goals: file.entries.map(([name, shape]) => goalOf(name, shape, files)),
    holdBack: file.more.hold_back ?? 0,
    isHoldBackGiven: Object.hasOwn(file.data, "hold_back"),
  };
}

type Shape = z.infer<typeof GoalShape>;

function goalOf(
  name: string,
  { cost_per_order: cost, roas, acos, margins = {}, limits, ...rest }: Shape,
  files: ReadonlyMap<string, MarginsFile>,
): Goal {
  const { min_bid, max_bid, min_budget, max_budget, reserve = RESERVE, ...bounds } = limits;
  return {
    name,
    ...rest,
    acos: acos ?? (roas === undefined ? undefined : 1 / roas),
    costPerOrder: cost,
    margins: typeof margins === "string"
      ? files.get(margins)?.margins ?? new Map()
      : new Map(Object.entries(margins).map(([product, margin]) => [product.toUpperCase(), margin])),
    limits: {
      ...{ ...bounds, reserve },
      ...{ minBid: min_bid, maxBid: max_bid, minBudget: min_budget, maxBudget: max_budget },
    },
  };
}

const OF_AIMS = {
  acos: "sales",
  roas: "sales",
  cost_per_order: "orders",
  margin: "profit",
  margins: "profit",
} as const;

function meaningProblems(part: Parts<Shape>): [path: string[], message: string][] {
  const { aim, limits = {} } = part;
  const problems: [string[], string][] = [];
  const has = (field: keyof typeof OF_AIMS): boolean => Object.hasOwn(part, field);
  if (aim !== undefined) {
    for (const [field, own] of Object.entries(OF_AIMS)) {
      if (own === aim || !Object.hasOwn(part, field)) continue;
      problems.push([[field], `It is for aim: ${own}, and does nothing for aim: ${aim}`]);
    }
  }
  if (aim === "sales" && !has("acos") && !has("roas")) {
    problems.push([["aim"], "Sales need a target: write acos: 25%, or roas: 4"]);
  }
  if (aim === "sales" && has("acos") && has("roas")) {
    problems.push([["roas"], "ACOS and ROAS are the same target: write only one"]);
  }
  if (aim === "orders" && !has("cost_per_order")) {
    problems.push([["aim"], "Orders need a target: write cost_per_order: 8"]);
  }
  if (aim === "spend" && limits.month === undefined) {
    problems.push([["aim"], "An amount to spend evenly is missing: write limits: { month: 3000 }"]);
  }
  if (aim === "profit" && !has("margin") && !has("margins")) {
    problems.push([
      ["aim"],
      "Profit needs margins: write margin: 30%, or margins by ASIN or SKU, or margins: margins.csv",
    ]);
  }
  const pairs = [["min_bid", "max_bid"], ["min_budget", "max_budget"]] as const;
  for (const [low, high] of pairs) {
    const [least, most] = [limits[low], limits[high]];
    if (least === undefined || most === undefined || least <= most) continue;
    problems.push([["limits", high], `It is below ${low}, ${least}`]);
  }
  if (limits.raise === 0 && limits.cut === 0) {
    problems.push([["limits", "raise"], "With raise and cut of 0% no bid can move"]);
  }
  if (Object.hasOwn(limits, "reserve") && !Object.hasOwn(limits, "month")) {
    problems.push([["limits", "reserve"], "It needs limits.month, which is missing"]);
  }
  const { never } = limits;
  if (never !== undefined && never.ids === undefined && never.names === undefined) {
    problems.push([["limits", "never"], "It names nothing: write ids or names"]);
  }
  return problems;
}
