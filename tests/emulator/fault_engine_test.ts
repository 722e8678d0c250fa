import { deepEqual, equal, throws } from "../support/assert.ts";
import { Emulator } from "../../src/emulator/mod.ts";
import { FaultEngine, type FaultSubject } from "../../src/emulator/faults/fault_engine.ts";
import type { FaultMatch, FaultRule } from "../../src/emulator/faults/fault_rule.ts";
import { parseFaultRules } from "../../src/emulator/faults/parse_fault_rules.ts";

const SUBJECT: FaultSubject = {
  operation: "sponsored-products:UpdateSponsoredProductsKeywords",
  method: "PUT",
  path: "/sp/keywords",
  host: "NA",
  profileId: "7",
};

function acts(rule: Omit<FaultRule, "effects">, requests: number): boolean[] {
  const engine = new FaultEngine("seed");
  engine.setRules([{ ...rule, effects: { delay: 1 } }]);
  return Array.from({ length: requests }, () => engine.choose(SUBJECT).delay === 1);
}

const MATCHES: readonly [match: FaultMatch, expected: boolean][] = [
  [{}, true],
  [{ operation: "sponsored-products:UpdateSponsoredProductsKeywords" }, true],
  [{ operation: "UpdateSponsoredProductsKeywords" }, true],
  [{ operation: "*Keywords" }, true],
  [{ operation: "sponsored-products:*" }, true],
  [{ operation: "UpdateSponsoredProducts" }, false],
  [{ operation: "Keywords*" }, false],
  [{ path: "/sp/*" }, true],
  [{ path: "/sp/*words" }, true],
  [{ path: "/sp/keywords/list" }, false],
  [{ path: "/s*p*/key*s" }, true],
  [{ method: "put" }, true],
  [{ method: "POST" }, false],
  [{ region: "NA", profileId: "7" }, true],
  [{ region: "EU" }, false],
  [{ profileId: "8" }, false],
];

for (const [match, expected] of MATCHES) {
  Deno.test(`a rule for ${JSON.stringify(match)} ${expected ? "acts on" : "passes by"} a keyword update`, () => {
    deepEqual(acts({ match }, 1), [expected]);
  });
}

Deno.test("a rule skips, acts on every n-th request and stops after so many times", () => {
  deepEqual(acts({ skip: 2 }, 4), [false, false, true, true]);
  deepEqual(acts({ times: 2 }, 4), [true, true, false, false]);
  deepEqual(acts({ every: 3 }, 6), [false, false, true, false, false, true]);
  deepEqual(acts({ skip: 1, every: 2, times: 1 }, 6), [false, false, true, false, false, false]);
});

Deno.test("a rule with a probability acts on that share of requests, each time on the same ones", () => {
  const first = acts({ probability: 0.3 }, 1000);
  deepEqual(acts({ probability: 0.3 }, 1000), first);
  const share = first.filter((acted) => acted).length / 1000;
  equal(Math.abs(share - 0.3) < 0.05, true, `the share was ${share}`);
});

Deno.test("the effects of several rules come together, the later one winning", () => {
  const engine = new FaultEngine("seed");
  engine.setRules([
    { effects: { delay: 1, truncate: 5 } },
    { effects: { delay: 2 } },
  ]);
  deepEqual(engine.choose(SUBJECT), { delay: 2, truncate: 5 });
  deepEqual(engine.report().map(({ seen, acted }) => [seen, acted]), [[1, 1], [1, 1]]);
});

Deno.test("rules without an operation pass by unknown paths", () => {
  const engine = new FaultEngine("seed");
  engine.setRules([{ match: { operation: "*" }, effects: { delay: 1 } }]);
  deepEqual(engine.choose({ ...SUBJECT, operation: undefined }), {});
});

const UNUSABLE: readonly [rules: unknown, problem: RegExp][] = [
  [undefined, /list of rules/],
  [{}, /list of rules/],
  [[1], /rule 0 is not an object/],
  [[{ effects: {} }, {}], /rule 1 has no "effects"/],
  [
    [{ effects: { explode: true } }],
    /^Cannot set faults: "effects" of rule 0 .*"explode". Expected one of delay/,
  ],
  [
    [{ effects: { drop: "sometimes" } }],
    /"drop" of "effects" of rule 0 is "sometimes". Expected before, after/,
  ],
  [[{ effects: { response: { body: 1 } } }], /"response" of "effects" of rule 0 has no "status"/],
  [[{ effects: { response: { status: 99 } } }], /"status" of "response" .* is 99. Expected 200 to 599/],
  [
    [{ effects: { itemErrors: { every: 0, errorType: "x" } } }],
    /"every" of "itemErrors" .*whole number from 1/,
  ],
  [[{ effects: { itemErrors: {} } }], /has no "errorType"/],
  [[{ effects: {}, probability: 2 }], /"probability" of rule 0/],
  [[{ effects: {}, every: 0 }], /"every" of rule 0/],
  [[{ effects: {}, when: 1 }], /unknown field "when". Expected one of name, match/],
  [[{ effects: {}, constructor: 1 }], /unknown field "constructor"/],
  [[{ effects: {}, match: { host: "NA" } }], /"match" of rule 0 has the unknown field "host"/],
  [{ profil: "storm" }, /"profil" is unknown. Expected "profile", "rules" or both/],
  [{ profile: "gale" }, /fault profile "gale". Expected one of calm, busy-day, storm/],
  [[{ effects: { dely: 1 }, tims: 2 }, 3], /"dely"[^]*"tims"[^]*rule 1 is not an object/],
];

for (const [rules, problem] of UNUSABLE) {
  Deno.test(`fault rules like ${JSON.stringify(rules)} are refused by name`, () => {
    throws(
      () => parseFaultRules(rules as never),
      (error: Error) => error instanceof RangeError && problem.test(error.message),
    );
  });
}

Deno.test("a program sets faults as a request does, and unknown fields change nothing", async () => {
  const emulator = await Emulator.start({ faults: [{ effects: { delay: 0 } }] });
  try {
    throws(
      () => emulator.setFaults([{ effects: { dely: 1, drop: "befor" } }] as never),
      (error: Error) => /"dely"/.test(error.message) && /"befor"/.test(error.message),
    );
    emulator.setFaults({
      profile: "storm",
      rules: [{ name: "mine", effects: { delay: undefined as never } }],
    });
    emulator.setFaults([]);
  } finally {
    await emulator.stop();
  }
});
