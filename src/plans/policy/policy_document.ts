import { z } from "zod";
import { KIND_NAMES, kindAdvice, kindOf } from "../../platform/catalog/kind_names.ts";
import { MARKETPLACES, normalizeCountry } from "../../base/markets/markets.ts";

export const POLICY_VERSION = 1;

const Level = z.enum(["advise", "approve", "deny"]);
const Day = z.iso.date();
const Name = z.string().min(1).max(80);
/**
 * Quoted or an integer. Unquoted ids must keep their spelling: `1e3`, `12.0` and numbers above 2^53 - 1 are rejected.
 */
const Id = z.union([z.string(), z.int().nonnegative().transform(String)], {
  error: (issue) => typeof issue.input === "number" ? "Write this id in quotes, in full" : "Expected an id",
})
  .refine((id) => !/^[+-]?\.?\d[\d.]*(e[+-]?\d+)?$|^[+-]?\.(inf|nan)$/i.test(id) || /^\d+$/.test(id), {
    error: "Write this id in quotes, in full",
    abort: true,
  })
  .refine((id) => /^[A-Za-z0-9._-]+$/.test(id), "Expected an id");
const KindName = Name.transform((kind, context): string => {
  const names = [...KIND_NAMES, "call"];
  const found = kindOf(kind, names);
  if (found !== undefined) return found;
  context.addIssue({ code: "custom", message: `There is no kind "${kind}". ${kindAdvice(kind, { names })}` });
  return z.NEVER;
});

const COUNTRY = /^[A-Z]{2}$/;

const MarketName = z.string().regex(COUNTRY).transform((name, context): string => {
  const market = normalizeCountry(name);
  if (MARKETPLACES.includes(market)) return market;
  context.addIssue({ code: "custom", message: `There is no market "${name}"` });
  return z.NEVER;
});

/** One amount for every market, or one by market: `{ US: 2.5, JP: 250, default: 3 }`. In the market's currency. */
const Amounts = z.union([
  z.number().positive(),
  z.record(
    z.string().regex(/^([A-Z]{2}|default)$/, "Expected a country code such as US, or default"),
    z.number().positive(),
  ),
], { error: "Expected an amount, or amounts by country code: { US: 2.5, default: 3 }" })
  .transform((amounts, context): number | Record<string, number> => {
    if (typeof amounts === "number") return amounts;
    const byMarket: Record<string, number> = {};
    for (const [key, amount] of Object.entries(amounts)) {
      const market = key === "default" ? key : normalizeCountry(key);
      const problem = key !== "default" && !MARKETPLACES.includes(market)
        ? `There is no market "${key}"`
        : market in byMarket
        ? `The market "${key}" is given twice`
        : undefined;
      if (problem === undefined) byMarket[market] = amount;
      else context.addIssue({ code: "custom", message: problem, path: [key] });
    }
    return byMarket;
  });

/** A share: `30%` or `0.3`. */
const Share = z.union([
  // A larger one was meant as a percentage.
  z.number().nonnegative().max(10, "Expected a percentage such as 30%, or a number such as 0.3"),
  z.string().regex(/^\d+(\.\d+)?\s*%$/, "Expected a percentage such as 30%, or a number such as 0.3")
    .transform((text) => Number.parseFloat(text) / 100),
], { error: "Expected a percentage such as 30%, or a number such as 0.3" });

const Hours = z.strictObject({
  from: z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, "Expected a time of day such as 09:00"),
  to: z.string().regex(/^(([01]\d|2[0-3]):[0-5]\d|24:00)$/, "Expected a time of day such as 18:00"),
  days: z.array(z.enum(["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"])).min(1).optional(),
}).refine(({ from, to }) => from !== to, { error: "The hours start and end at the same time", path: ["to"] });

const Freeze = z.strictObject({ from: Day, to: Day, reason: z.string().optional() })
  .refine(({ from, to }) => from <= to, { error: "The range ends before it begins", path: ["to"] });

/** An empty list would have no effect, so it is rejected. */
const some = <Item extends z.ZodType>(item: Item): z.ZodOptional<z.ZodArray<Item>> =>
  z.array(item).min(1, "Expected at least one: an empty list does nothing").optional();

const Protect = z.strictObject({
  ids: some(Id),
  names: some(Name),
  labels: some(Name),
  kinds: some(KindName),
}).refine((lists) => Object.keys(lists).length > 0, {
  error: "Expected ids, names, labels or kinds: this protects nothing",
  when: ({ issues }) => issues.length === 0,
});

const DAYS = "Expected a number of days such as 14d, at most 99d";

/** Days, written `14d`. */
const Days = z.string(DAYS).regex(/^[1-9]\d?d$/, DAYS)
  .transform((text) => Number.parseInt(text));

export const Labels = z.record(
  Name,
  z.array(Id).min(1, "Expected at least one id: this label would name nothing"),
);

const Rule = z.strictObject({
  name: Name,
  when: z.string().min(1).max(4000),
  level: Level,
  message: z.string().min(1).max(400),
  kinds: some(KindName),
  ops: some(z.enum(["create", "update", "archive", "call"])),
});

const Exception = z.strictObject({
  rule: Name,
  reason: z.string().min(1),
  until: Day,
  ids: z.array(Id).optional(),
  markets: z.array(MarketName).optional(),
});

const Fields = z.record(z.string(), z.unknown());

export const PolicyCase = z.strictObject({
  name: Name,
  market: MarketName.default("US"),
  at: z.iso.datetime().optional(),
  kind: KindName,
  op: z.enum(["create", "update", "archive"]).default("update"),
  id: Id.optional(),
  entity: Fields.default({}),
  campaign: Fields.optional(),
  ad_group: Fields.optional(),
  highest_bid_below: z.number().nonnegative().optional(),
  after: Fields.default({}),
  figures: Fields.optional(),
  today: Fields.optional(),
  expect: z.enum(["pass", "advise", "approve", "deny"], {
    error: ({ input }) =>
      ["allow", "allowed", "ok", "passes"].includes(String(input))
        ? `Write pass in place of ${input}`
        : "Expected pass, advise, approve or deny",
  }),
  rule: Name.optional(),
});

export const PolicyDocument = z.strictObject({
  version: z.literal(POLICY_VERSION),
  max_bid: Amounts.optional(),
  max_effective_bid: Amounts.optional(),
  max_budget: Amounts.optional(),
  max_increase: Share.optional(),
  max_decrease: Share.optional(),
  max_placement_adjustment: Share.optional(),
  cooling: Days.optional(),
  max_changes: z.int().nonnegative().optional(),
  max_archives: z.int().nonnegative().optional(),
  max_spend_increase_per_day: Amounts.optional(),
  labels: Labels.default({}),
  labels_file: z.string().min(1).optional(),
  protect: Protect.optional(),
  max_schedule_factor: z.number().positive().optional(),
  schedule_hours: Hours.optional(),
  hours: Hours.optional(),
  freeze: some(Freeze),
  allow_kinds: z.array(KindName).optional(),
  allow_operations: z.array(Name).default([]),
  allow_auto: z.array(Name).default([]),
  approval: z.enum(["signed", "client"]).default("signed"),
  levels: z.record(z.string(), Level).default({}),
  rules: z.array(Rule).max(500).default([]),
  exceptions: z.array(Exception).default([]),
  tests: z.array(PolicyCase).default([]),
});

export type PolicyDocument = z.infer<typeof PolicyDocument>;
export type PolicyRule = z.infer<typeof Rule>;
export type PolicyCase = z.infer<typeof PolicyCase>;
export type Amounts = z.infer<typeof Amounts>;
