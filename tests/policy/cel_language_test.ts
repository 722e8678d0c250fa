import { deepEqual, equal, match, throws } from "../support/assert.ts";
import { compileRule, type RuleFacts } from "../../src/plans/policy/cel_rules.ts";
import { compileCondition } from "../../src/plans/policy/condition.ts";

const CALCULATIONS: readonly (readonly [text: string, judged: boolean])[] = [
  ["1 + bid == 3.5", true],
  ["bid + 1 == 3.5", true],
  ["1 - bid == -1.5", true],
  ["bid - 1 == 1.5", true],
  ["2 * bid == 5.0", true],
  ["bid * 2 == 5.0", true],
  ["5 / bid == 2.0", true],
  ["bid / 5 == 0.5", true],
  ["bid == 2", false],
  ["bid / 0 > 1000000.0", true],
  ["bid in [1, 2.5, 'any']", true],
  ["bid in [1.0, 2.0]", false],
];

for (const [text, judged] of CALCULATIONS) {
  Deno.test(`the condition ${text} is ${judged} for a bid of 2.5`, () => {
    equal(compileCondition(text).judge({ entity: {}, figures: {}, bid: 2.5 }), judged);
  });
}

const SHARES: readonly (readonly [text: string, judged: boolean])[] = [
  ["acos30d > 29%", true],
  ["acos30d > 30.5%", false],
  ["acos30d < 100%", true],
  ["acos30d * 100.0 > 29", true],
  ["acos30d < 9.99", true],
  ["acos30d > 0.5% && acos30d >= 30%", true],
  ["size(keywordText) % 2 == 1", true],
  ["keywordText == '30%' && acos30d == 30 %", true],
  ['keywordText == "30%" || acos30d > 40%', true],
];

for (const [text, judged] of SHARES) {
  Deno.test(`the condition ${text} is ${judged} for an ACOS of 0.3`, () => {
    const figures = { acos30d: 0.3, clicks30d: 12 };
    equal(compileCondition(text).judge({ entity: { keywordText: "30%" }, figures }), judged);
  });
}

Deno.test("a share that is compared with a number of percent is refused with the number to write", () => {
  for (
    const text of ["acos30d > 10", "figures.acos30d >= 30", "clicks30d > 5 && ctr30d < 12.5", "(cvr30d > 10)"]
  ) {
    const number = /[\d.]+(?=\)?$)/.exec(text)![0];
    throws(() => compileCondition(text), {
      message: new RegExp(`is a share, and ${number} is .* %\\. Write ${number}%`),
    });
  }
});

const listOf = (length: number): string => Array.from({ length }, () => "1").join(",");
const mapOf = (length: number): string => Array.from({ length }, (_, at) => `${at}: 1`).join(",");
const parentheses = (depth: number): string => `${"(".repeat(depth)}true${")".repeat(depth)}`;
const orOf = (length: number): string => Array.from({ length }, () => "true").join("||");
const callOf = (length: number): string => `like(${Array.from({ length }, () => "'a'").join(",")})`;

/** The largest text of each form that is read, and the smallest that is refused. */
const LIMITS: readonly (readonly [text: string, larger: string, message: RegExp])[] = [
  [`!${orOf(250)}`, orOf(251), /maxAstNodes \(500\)/],
  [parentheses(29), parentheses(30), /maxDepth \(30\)/],
  [`1 in [${listOf(200)}]`, `1 in [${listOf(201)}]`, /maxListElements \(200\)/],
  [`1 in {${mapOf(50)}}`, `1 in {${mapOf(51)}}`, /maxMapEntries \(50\)/],
  [
    "[1].all(x, [1].exists(y, x == y))",
    "[1].all(x, [1].exists(y, [1].exists_one(z, z == x)))",
    /Cannot nest more than two macros/,
  ],
  [
    "[1].all(x, x == 1) && [1].exists(x, x == 1) && size([1].filter(x, x == 1)) == 1",
    "size([1].map(x, [1].map(y, [1].map(z, z)))) == 1",
    /Cannot nest more than two macros/,
  ],
  ["size(string(size(string(size('a'))))) == 1", "'a'.matches('a')", /Cannot use matches/],
];

for (const [text, larger, message] of LIMITS) {
  Deno.test(`conditions have a limit: ${message.source}`, () => {
    compileCondition(text);
    throws(() => compileCondition(larger), message);
  });
}

Deno.test("a call has at most eight arguments, whatever it calls", () => {
  throws(() => compileCondition(callOf(8)), /no matching overload/);
  throws(() => compileCondition(callOf(9)), /maxCallArguments \(8\)/);
});

Deno.test("an error names the name that is wrong, and never a variable of a macro", () => {
  const message = (text: string): string => {
    try {
      compileCondition(text);
    } catch (error) {
      return (error as Error).message.split('": ')[1] ?? "";
    }
    return "";
  };
  match(message("campaign.labels.exists(one, one > 1)"), /^no such overload: string > int \(character 29\)/);
  match(message("campaign.labels.exists(one, onw == 'x')"), /^"onw" is not known/);
  match(message("keywordText.startsWith(matchTyp)"), /^"matchTyp" is not known. Did you mean "matchType"/);
  match(message("campaign['nmae'] == 'x'"), /^"campaign.nmae" is not known. Did you mean "campaign.name"/);
  match(message("(bid > 1.0 ? entity : campaign).name == 'x'"), /^Ternary branches must have the same type/);
  match(message("entity > 1"), /^no such overload/);
  match(message("state.name == 'x'"), /^Cannot index type 'string'|^No such|^no such/);
  match(message("entity.bid > 'x'"), /^no such overload: double > string \(character 1\)/);
});

Deno.test("a figure is the same however it is written", () => {
  for (const text of ["acos14d < 0.2", "figures.acos14d < 0.2", "figures['acos14d'] < 0.2"]) {
    const condition = compileCondition(text);
    equal(condition.days, 14, text);
    equal(condition.judge({ entity: {}, figures: { acos14d: 0.1 } }), true, text);
  }
});

Deno.test("a name that is computed is not taken for the name of a field", () => {
  const { judge } = compileCondition("entity.fields[keywordText] == 1");
  deepEqual(judge({ entity: { fields: {}, keywordText: "x" }, figures: {} }), {
    unknown: "entity.fields is unknown",
  });
  equal(judge({ entity: { fields: { x: 1n }, keywordText: "x" }, figures: {} }), true);
});

Deno.test("the bid of a condition is the one that holds, else that of the entity, else unknown", () => {
  const { judge } = compileCondition("bid == 2.0");
  equal(judge({ entity: { bid: 1 }, figures: {}, bid: 2 }), true);
  equal(judge({ entity: { bid: 2 }, figures: {} }), true);
  deepEqual(judge({ entity: {}, figures: {} }), { unknown: "bid is unknown" });
});

const EMPTY: RuleFacts = {
  change: {},
  before: {},
  after: {},
  entity: {},
  market: {},
  figures: {},
  plan: {},
  today: {},
};

function verdict(when: string, facts: Partial<RuleFacts> = {}): unknown {
  return compileRule({ name: "r", when, level: "deny", message: "m" }).judge({ ...EMPTY, ...facts });
}

const VERDICTS: readonly (readonly [when: string, facts: Partial<RuleFacts>, verdict: unknown])[] = [
  ["after.bid > 2.0", { after: { bid: 3 } }, "matches"],
  ["after.bid > 2.0", { after: { bid: 1 } }, "passes"],
  ["after.bid > 2.0", {}, "passes"],
  ["change.increase > 0.5", {}, "passes"],
  ["entity['bid'] > 2.0", {}, "passes"],
  ["campaign.portfolioId == '7'", { campaign: { name: "A" } }, "passes"],
  ["campaign.portfolioId == '7'", {}, "passes"],
  ["campaign.portfolioId == '7'", { change: { campaignUnknown: true } }, { failed: "campaign is unknown" }],
  ["before.bid > 2.0", { change: { campaignUnknown: true } }, "passes"],
  ["figures.acos7d > 0.5", {}, { failed: "figures.acos7d is unknown", isUnknown: true }],
  ["figures['acos7d'] > 0.5", {}, { failed: "figures.acos7d is unknown", isUnknown: true }],
  ["today.spendIncrease > 5.0", {}, { failed: "today.spendIncrease is unknown", isUnknown: true }],
  ["dyn(after.fields).x == 1", { after: { fields: {} } }, { failed: "a value is unknown" }],
  ["1 / 0 == 1", {}, { failed: "division by zero" }],
];

for (const [when, facts, expected] of VERDICTS) {
  Deno.test(`the rule ${when} says ${JSON.stringify(expected)} of ${JSON.stringify(facts)}`, () => {
    deepEqual(verdict(when, facts), expected);
  });
}

Deno.test("a rule that breaks while it judges denies, and a condition is unknown", () => {
  const broken = {
    get bid(): number {
      throw new Error("out of reach");
    },
  };
  deepEqual(verdict("after.bid > 1.0", { after: broken }), { failed: "out of reach" });
  deepEqual(
    compileCondition("entity.name == 'x'").judge({
      entity: {
        get name(): string {
          throw new Error("out of reach");
        },
      },
      figures: {},
    }),
    { unknown: "out of reach" },
  );
});

Deno.test("rules read the market, the plan and the day, each value of its own type", () => {
  const facts = {
    market: { country: "CA", currency: "CAD", day: "2026-09-30", hour: 12.5, weekday: "Wed" },
    plan: { note: "peak" },
    today: { changes: 3 },
  };
  for (
    const [text, expected] of [
      ["market.hour > 12.0 && market.weekday == 'Wed' && market.country == 'CA'", "matches"],
      ["market.currency == 'CAD' && market.day < '2026-10-01'", "matches"],
      ["plan.note == 'peak' && today.changes >= 3.0", "matches"],
      ["plan.note == 'Peak'", "passes"],
    ] as const
  ) equal(verdict(text, facts), expected, text);
  for (
    const text of ["market.hour == 'noon'", "plan.nothing > 1.0", "market.zone == 'x'", "today.note == 'x'"]
  ) {
    throws(() => verdict(text), { name: "SyntaxError" }, text);
  }
});
