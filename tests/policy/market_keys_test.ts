import { deepEqual, throws } from "../support/assert.ts";
import { ChangePlan } from "../../mod.ts";
import { parsePolicy } from "../../src/plans/policy/mod.ts";

const raise = (countryCode: string): ChangePlan =>
  new ChangePlan({
    profileId: "1",
    countryCode,
    changes: [{
      kind: "sp.keywords",
      op: "update",
      id: "9",
      before: { bid: 1 },
      after: { bid: 2 },
      label: "k",
    }],
  });

for (const key of ["GB", "UK"]) {
  Deno.test(`a limit for ${key} holds for a profile in the United Kingdom, however the profile spells it`, () => {
    const policy = parsePolicy(
      `version: 1
max_bid: { ${key}: 1, default: 9 }
exceptions: [{ rule: max_bid, reason: test, until: 2020-01-01, markets: [${key}] }]
tests: [{ name: t, market: ${key}, kind: sp.keywords, expect: pass }]`,
    );
    for (const country of ["UK", "GB"]) {
      deepEqual(policy.check(raise(country)).map(({ rule, level }) => `${rule} ${level}`), ["max_bid deny"]);
    }
    deepEqual(policy.check(raise("US")), []);
  });
}

Deno.test("a key of a limit that is no market of the platform is refused by its line, each of them", () => {
  const text = `version: 1
max_bid:
  US: 3
  UX: 1
max_budget: { EU: 100, default: 9 }
exceptions: [{ rule: max_bid, reason: x, until: 2030-01-01, markets: [ZZ] }]
`;
  throws(
    () => parsePolicy(text),
    /Line 4: max_bid\.UX: There is no market "UX".*\n.*Line 5: max_budget\.EU: There is no market "EU".*\n.*There is no market "ZZ"/,
  );
  throws(() => parsePolicy("version: 1\nmax_bid: { UK: 1, GB: 2 }"), /"GB" is given twice/);
});
