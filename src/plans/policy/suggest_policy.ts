/** Figures for suggesting a first policy. */
export interface AccountFigures {
  /** Country of the profile. */
  readonly countryCode: string;
  /** ISO 4217 code. */
  readonly currency: string;
  /** Bids of the live keywords and targets. */
  readonly bids: readonly number[];
  /** Daily budgets of the live campaigns. */
  readonly budgets: readonly number[];
}

/**
 * Returns the text of a commented starter policy, with limits slightly above the account's current values.
 *
 * @example
 * ```ts
 * import { parsePolicy, suggestPolicy } from "@platform/ads/policy";
 *
 * const text = suggestPolicy({ countryCode: "CA", currency: "CAD", bids: [0.8, 1.2], budgets: [15, 40] });
 * console.log(parsePolicy(text).rules.length > 5); // true
 * ```
 */
export function suggestPolicy({ countryCode, currency, bids, budgets }: AccountFigures): string {
  const [bid, budget] = [percentile(bids), percentile(budgets)];
  const total = budgets.reduce((sum, one) => sum + one, 0);
  const line = (key: string, value: number | undefined, why: string): string =>
    value === undefined
      ? `# ${key}: { ${countryCode}: 0 } # ${why}; the account has none yet`
      : `${key}: { ${countryCode}: ${value} } # ${currency}; ${why}`;
  return `# Limits for changes in this account. Try it with adsctl policy check, policy test and policy explain.
# It applies to every write: plans, single writes, operation calls, undo, workers and the tool server.
version: 1

${line("max_bid", rounded(bid, 1.5), `1.5 times the 99th percentile of ${bids.length} live bids`)}
${
    line(
      "max_budget",
      rounded(budget, 1.5),
      `1.5 times the 99th percentile of ${budgets.length} live budgets`,
    )
  }
# Bid plans need a synced report store for this limit: unknown spend is denied.
# max_spend_increase_per_day: { ${countryCode}: ${
    rounded(total || 1, 0.2)
  } } # ${currency}; a fifth of all daily budgets
max_increase: 50% # of a bid or budget, a day
max_decrease: 80%
max_changes: 5000 # a day
max_archives: 100 # a day

# Protected entities, by id, name (* matches any text), label (key:value) or kind.
# protect:
#   names: ["Brand*"]
#   ids: ["123456789012345678"]

# hours: { from: "08:00", to: "19:00", days: [Mon, Tue, Wed, Thu, Fri] } # in the market's time zone
# freeze: [{ from: 2026-11-24, to: 2026-12-01, reason: peak week }]

# Operations that are allowed although their bodies cannot be checked.
# allow_operations: ["reporting:*"]

# Limits deny by default. levels: { max_increase: approve } asks a person instead.

rules:
  - name: no-raise-above-target
    kinds: [keywords, targets]
    ops: [update]
    when: has(figures.acos30d) && figures.acos30d > 0.4 && has(change.increase) && change.increase > 0.0
    level: approve
    message: the bid rises although 30-day ACOS is above 40 %

tests:
  - name: a bid far above the rest is denied
    market: ${countryCode}
    kind: keywords
    entity: { bid: ${bid ?? 1}, state: ENABLED }
    after: { bid: 999999 }
    expect: deny
`;
}

function percentile(values: readonly number[]): number | undefined {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length * 0.99)];
}

function rounded(value: number | undefined, factor: number): number | undefined {
  return value === undefined ? undefined : Math.max(0.01, Number((value * factor).toPrecision(2)));
}
