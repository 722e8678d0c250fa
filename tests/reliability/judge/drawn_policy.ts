import type { SeededRandom } from "../../support/seeded_random.ts";
import type { AccountImage } from "../../../src/interfaces/arena/account/account_image.ts";
import type { Market } from "./drawn_account.ts";
import type { Amounts, Limits } from "./forbidden.ts";

/** How often a limit is drawn, compared with others. */
const SHARES: Readonly<Partial<Record<keyof Limits, number>>> = {
  maxIncrease: 8,
  excepted: 8,
  // A day on which nothing may change shows little.
  hours: 1,
  freeze: 1,
};
const USUAL_SHARE = 2;

/** Draws the limits of a policy: some of all that there are. */
export function drawnLimits(
  random: SeededRandom,
  { account, busy, always }: {
    account: AccountImage;
    busy: ReadonlySet<string>;
    /** A limit that is one of them. */
    always: keyof Limits | undefined;
  },
): Limits {
  const ids = (kinds: RegExp): string[] =>
    [...account.keys()].map((key) => key.split(" ")).filter(([, kind = "", id = ""]) =>
      kinds.test(kind) && (busy.has(id) || random.integer(0, 3) === 0)
    ).map(([, , id = ""]) => id);
  const places = ids(/campaigns$|portfolios/);
  // Bids are from 0.3 to 2.5, budgets from 10 to 90: a limit is near them.
  const amounts = (draw: () => number): Amounts => {
    const first = draw();
    return random.integer(0, 1) === 0 ? [first, first] : [first, draw()];
  };
  const draws: { readonly [name in keyof Limits]-?: () => Limits[name] } = {
    maxBid: () => amounts(() => random.integer(10, 30) / 10),
    maxEffectiveBid: () => amounts(() => random.integer(15, 40) / 10),
    maxBudget: () => amounts(() => random.integer(30, 100)),
    maxIncrease: () => random.pick([0.1, 0.3, 0.5]),
    maxDecrease: () => random.pick([0.2, 0.5]),
    maxPlacement: () => random.pick([0.2, 0.5]),
    maxSpendIncrease: () => amounts(() => random.pick([1, 15, 60])),
    maxArchives: () => random.integer(0, 3),
    maxChanges: () => random.integer(2, 25),
    cooling: () => random.pick([1, 14]),
    protectedIds: () => [random.pick(places)],
    protectedName: () => "Brand",
    protectedKinds: () => [random.pick(["portfolios", "sp.campaigns", "sp.keywords", "sp.ad_groups"])],
    protectedLabel: () => [random.pick(places)],
    allowedKinds: () => [
      ...["sp.keywords", "sp.campaigns", "portfolios"],
      ...random.integer(0, 1) === 0 ? ["sp.global_campaigns"] : [],
    ],
    excepted: () => [random.pick(places), random.pick(places)],
    allowAuto: () => "rest",
    maxFactor: () => random.pick([0.5, 1, 1.2]),
    scheduleHours: () => random.pick(["closed", "closed", "open"]),
    hours: () => random.pick(["closed", "open", "open", "open"]),
    freeze: () => random.pick(["closed", "open", "open", "open"]),
    ruled: () => "creates",
  };
  const all = Object.keys(draws) as (keyof Limits)[];
  const names = all.flatMap((name) => Array.from({ length: SHARES[name] ?? USUAL_SHARE }, () => name));
  const wanted = random.pick([1, 2, 2, 3, 4, 5, 8]);
  const own = new Set(Array.from({ length: wanted }, () => random.pick(names)));
  if (always !== undefined) own.add(always);
  // Exceptions are made from limits that there are.
  if (own.has("excepted")) own.add(random.pick(LIFTED));
  return Object.fromEntries(all.filter((name) => own.has(name)).map((name) => [name, draws[name]()]));
}

/** Limits that the drawn exceptions lift. */
const LIFTED = [
  "maxBid",
  "maxEffectiveBid",
  "maxBudget",
  "maxIncrease",
  "maxDecrease",
  "maxSpendIncrease",
] as const;

/** The limits as a policy file. */
export function policyText(
  limits: Limits,
  { random, markets }: { random: SeededRandom; markets: readonly [Market, Market] },
): string {
  const by = (amounts: Amounts | undefined): unknown => {
    if (amounts === undefined) return undefined;
    const [first, second] = amounts;
    if (first === second && random.integer(0, 2) === 0) return first;
    const spelt = ({ code, country }: Market): string => random.pick([code, code, country]);
    // A limit that is not the market's own is far from what holds there.
    return { [spelt(markets[0])]: first, [spelt(markets[1])]: second, default: 1000 };
  };
  const time = (is: Limits["hours"]): unknown =>
    is === undefined
      ? undefined
      : is === "open"
      ? { from: "00:00", to: "24:00" }
      : { from: "02:00", to: "03:00" };
  const day = (is: Limits["freeze"]): unknown =>
    is === undefined ? undefined : [{ from: "2026-09-29", to: is === "open" ? "2026-09-29" : "2026-10-01" }];
  const rule = {
    name: "no-new-keywords",
    kinds: ["sp.keywords"],
    when: 'change.op == "create"',
    level: "deny",
    message: "drawn",
  };
  const lines: readonly (readonly [key: string, value: unknown])[] = [
    ["version", 1],
    ["max_bid", by(limits.maxBid)],
    ["max_effective_bid", by(limits.maxEffectiveBid)],
    ["max_budget", by(limits.maxBudget)],
    ["max_increase", limits.maxIncrease],
    ["max_decrease", limits.maxDecrease],
    ["max_placement_adjustment", limits.maxPlacement],
    ["max_spend_increase_per_day", by(limits.maxSpendIncrease)],
    ["max_archives", limits.maxArchives],
    ["max_changes", limits.maxChanges],
    ["cooling", limits.cooling && `${limits.cooling}d`],
    ["allow_kinds", limits.allowedKinds],
    ["allow_auto", limits.allowAuto && [limits.allowAuto]],
    ["max_schedule_factor", limits.maxFactor],
    ["schedule_hours", time(limits.scheduleHours)],
    ["hours", time(limits.hours)],
    ["freeze", day(limits.freeze)],
    ["labels", limits.protectedLabel && { kept: limits.protectedLabel }],
    ["protect", protect(limits)],
    ["rules", limits.ruled && [rule]],
    ["exceptions", limits.excepted && EXCEPTED.map((rule) => exception(rule, limits.excepted!))],
  ];
  return lines.flatMap(([key, value]) => value === undefined ? [] : [`${key}: ${JSON.stringify(value)}`])
    .join("\n");
}

/** Rules that the drawn exceptions lift. */
const EXCEPTED = [
  "max_bid",
  "max_effective_bid",
  "max_budget",
  "max_increase",
  "max_decrease",
  "max_placement_adjustment",
  "max_spend_increase_per_day",
];

function exception(rule: string, ids: readonly string[]): unknown {
  return { rule, reason: "drawn", until: "2030-12-31", ids };
}

function protect(
  { protectedIds: ids, protectedName, protectedKinds: kinds, protectedLabel }: Limits,
): unknown {
  const lists = {
    ids,
    kinds,
    names: protectedName && [`${protectedName}*`],
    labels: protectedLabel && ["kept"],
  };
  const own = Object.entries(lists).filter(([, list]) => list !== undefined);
  return own.length === 0 ? undefined : Object.fromEntries(own);
}
