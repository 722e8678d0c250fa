import { deepEqual, equal, throws } from "../support/assert.ts";
import { compileCondition, type ConditionFacts } from "../../src/plans/policy/condition.ts";

const FACTS: ConditionFacts = {
  entity: { kind: "sp.keywords", state: "ENABLED", keywordText: "red shoes", matchType: "EXACT" },
  adGroup: { name: "Shoes" },
  campaign: { name: "Brand", labels: ["team:blue"] },
  figures: { clicks30d: 12, acos7d: 0.3 },
  bid: 0.8,
};

const CASES: readonly (readonly [text: string, judged: boolean])[] = [
  ["clicks30d >= 10", true],
  ["clicks30d > 12", false],
  ["figures.acos7d == 0.3", true],
  ["bid * 2 > 1.5 && state == 'ENABLED'", true],
  ["entity.keywordText == keywordText", true],
  ["adGroup.name == 'Shoes' && like(campaign.name, 'br*')", true],
  ["campaign.labels[0] == 'team:blue'", true],
  ["matchType != 'EXACT'", false],
];

for (const [text, judged] of CASES) {
  Deno.test(`the condition ${text} is ${judged} for a keyword`, () => {
    equal(compileCondition(text).judge(FACTS), judged);
  });
}

Deno.test("a condition knows how many days its figures reach back", () => {
  const days = (text: string): number => compileCondition(text).days;
  equal(days("clicks30d > 1"), 30);
  equal(days("figures.acos7d > 1 && clicks14d > 1"), 14);
  equal(days("bid > 1"), 0);
});

Deno.test("what is unknown of an entity is named, and is neither true nor false", () => {
  const bare: ConditionFacts = { entity: {}, figures: {} };
  deepEqual(compileCondition("clicks30d > 1").judge(bare), { unknown: "clicks30d is unknown" });
  deepEqual(compileCondition("figures.acos7d > 1").judge(bare), { unknown: "figures.acos7d is unknown" });
  deepEqual(compileCondition("campaign.name == 'x'").judge(bare), { unknown: "campaign is unknown" });
  deepEqual(compileCondition("entity.bid > 1").judge(bare), { unknown: "entity.bid is unknown" });
  deepEqual(compileCondition("campaign.labels[1] == 'x'").judge(FACTS), {
    unknown: "No such key: index out of bounds, index 1 >= size 1",
  });
});

const REFUSED: readonly (readonly [text: string, message: string])[] = [
  ["clics30d > 1", '"clics30d" is not known. Did you mean "clicks30d"?'],
  ["figures.acso7d > 1", '"figures.acso7d" is not known. Did you mean "figures.acos7d"?'],
  ["ctr30d > 1%", '"ctr30d" is not known. Did you mean "ctr30d.est"?'],
  ["figures.cvr7d > 1%", '"figures.cvr7d" is not known. Did you mean "figures.cvr7d.est"?'],
  ["campaign.nmae == 'x'", '"campaign.nmae" is not known. Did you mean "campaign.name"?'],
  ["bid > 'x'", "no such overload: double > string (character 1)"],
  ["bid >", "It ends before it is complete (character 6)"],
  ["orders30d = 0", 'Values are compared with "==", and not with "="'],
  ["not state='=' and (bid =1 or bid == 2)", 'Values are compared with "==", and not with "="'],
  ["state == '=' and bid >", "It ends before it is complete (character 22)"],
  ["bid", "The condition must be true or false, and is of type double"],
];

for (const [text, message] of REFUSED) {
  Deno.test(`the condition ${text} is refused, and the message says why`, () => {
    throws(() => compileCondition(text), {
      name: "RangeError",
      message: `Cannot read the condition "${text}": ${message}`,
    });
  });
}

Deno.test("rates have an estimate and ends, written with a point, and a condition says over which windows", () => {
  const facts = {
    ...FACTS,
    figures: { ...FACTS.figures, acos30d_low: 0.35, acos30d_high: 0.7, cvr14d_est: 0.04 },
  };
  const judge = (text: string) => compileCondition(text).judge(facts);
  equal(judge("acos30d.low > 30%"), true);
  equal(judge("figures.acos30d.high < 60%"), false);
  equal(judge("cvr14d.est < 5% and clicks30d >= 10"), true);
  deepEqual(judge("acos7d.est > 0.1"), { unknown: "acos7d_est is unknown" });
  equal(judge("keywordText == 'acos30d.low'"), false, "texts stay as they are");
  const { intervals, days, readsSales } = compileCondition("acos30d.low > 0.3 && ctr7d.high < 0.1");
  deepEqual([[...intervals].sort(), days, readsSales], [[30, 7], 30, true]);
  deepEqual(compileCondition("acos30d > 0.3").intervals, []);
  equal(compileCondition("ctr7d.high < 0.1").readsSales, false);
  throws(
    () => compileCondition("acos30d.lo > 0.3"),
    /"acos30d\.lo" is not known\. Did you mean "acos30d\.low"/,
  );
  throws(() => compileCondition("clicks30d.low > 3"), /"clicks30d\.low" is not known/);
  throws(() => compileCondition("whatever > 3"), /Expected one of .*acos30d\.low, .*campaign$/);
});
