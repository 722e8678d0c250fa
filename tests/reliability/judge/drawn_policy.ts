import type { SeededRandom } from "../../support/seeded_random.ts";
import type { AccountImage } from "../../../src/interfaces/arena/account/account_image.ts";
import type { Limits } from "./forbidden.ts";

/** Draws the limits of a policy: some of all that there are. */
export function drawnLimits(random: SeededRandom, account: AccountImage): Limits {
  const maybe = <T>(value: T): T | undefined => random.integer(0, 2) === 0 ? value : undefined;
  const keys = [...account.keys()].map((key) => key.split(" "));
  const campaigns = keys.filter(([, kind = ""]) => /campaigns$|portfolios/.test(kind)).map(([, , id = ""]) =>
    id
  );
  const limits = {
    maxBid: maybe(random.integer(12, 30) / 10),
    maxBudget: maybe(random.integer(50, 100)),
    maxIncrease: random.integer(0, 3) > 0 ? random.pick([0.1, 0.3, 0.5]) : undefined,
    maxDecrease: maybe(random.pick([0.2, 0.5])),
    maxSpendIncrease: random.integer(0, 4) === 0 ? random.pick([1, 15, 60]) : undefined,
    maxArchives: maybe(random.integer(0, 3)),
    maxChanges: maybe(random.integer(5, 40)),
    protectedIds: maybe([random.pick(campaigns)]),
    protectedName: maybe("Brand"),
    allowedKinds: random.integer(0, 7) === 0 ? ["sp.keywords", "sp.campaigns", "portfolios"] : undefined,
    excepted: maybe([random.pick(campaigns)]),
    allowAuto: maybe("rest"),
  };
  return Object.fromEntries(Object.entries(limits).filter(([, value]) => value !== undefined));
}

/** The limits as a policy file. */
export function policyText(limits: Limits): string {
  const lines: unknown[] = [
    ["version", 1],
    ["max_bid", limits.maxBid],
    ["max_budget", limits.maxBudget],
    ["max_increase", limits.maxIncrease],
    ["max_decrease", limits.maxDecrease],
    ["max_spend_increase_per_day", limits.maxSpendIncrease],
    ["max_archives", limits.maxArchives],
    ["max_changes", limits.maxChanges],
    ["allow_kinds", limits.allowedKinds],
    ["allow_auto", limits.allowAuto && [limits.allowAuto]],
    ["protect", protect(limits)],
    [
      "exceptions",
      limits.excepted &&
      ["max_bid", "max_budget", "max_increase", "max_decrease", "max_spend_increase_per_day"].map((rule) => ({
        rule,
        reason: "drawn",
        until: "2030-12-31",
        ids: limits.excepted,
      })),
    ],
  ].flatMap(([key, value]) => value === undefined ? [] : [`${key}: ${JSON.stringify(value)}`]);
  return lines.join("\n");
}

function protect({ protectedIds, protectedName }: Limits): unknown {
  return protectedIds === undefined && protectedName === undefined ? undefined : {
    ...(protectedIds === undefined ? {} : { ids: protectedIds }),
    ...(protectedName === undefined ? {} : { names: [`${protectedName}*`] }),
  };
}
