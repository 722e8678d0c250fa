import { ChangePlan } from "../../mod.ts";
import { parsePolicy } from "../../src/plans/policy/mod.ts";
import { type BenchLine, benchLine, median, processorTime } from "./bench.ts";

const RULES = 50;
const CHANGES = 20_000;
const ROUNDS = 5;

/** Measures judging a large plan by many rules, in time of the processor. */
export async function bench(): Promise<BenchLine[]> {
  const rules = Array.from(
    { length: RULES },
    (_, at) =>
      `  - { name: rule-${at}, when: 'has(after.bid) && after.bid > ${
        90 + at
      }.0 && before.state != "PAUSED"', ` +
      "level: deny, message: too high }",
  );
  const policy = parsePolicy(`version: 1\nmax_bid: 100\nrules:\n${rules.join("\n")}`);
  const changes = Array.from({ length: CHANGES }, (_, at) => ({
    kind: "sp.keywords",
    op: "update" as const,
    id: String(at + 1),
    before: { bid: 1 },
    after: { bid: 1 + at % 5 / 10 },
    label: `keyword ${at}`,
    campaignId: "1",
  }));
  const plan = new ChangePlan({ profileId: "1", countryCode: "US", changes });
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) times.push(await processorTime(() => policy.check(plan)));
  return [benchLine("judge 20,000 changes by 50 rules", median(times), { unit: "ms" })];
}
