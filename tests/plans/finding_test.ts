import assert from "node:assert/strict";
import {
  type Finding,
  highestLevel,
  isFinding,
  overrideOf,
  readOverride,
} from "../../src/plans/model/finding.ts";
import { isMoneyAtRisk } from "../../src/plans/model/plan_data.ts";

const FINDING: Finding = {
  code: "X",
  level: "deny",
  change: 1,
  rule: "r",
  message: "m",
  allowed: "a",
  hint: "h",
  refused: true,
};

Deno.test("a finding comes back from a file only with all of its parts in their form", () => {
  const { code, level, message } = FINDING;
  for (const good of [FINDING, { code, level, message }, { ...FINDING, change: 0, refused: false }]) {
    assert.equal(isFinding(good), true, JSON.stringify(good));
  }
  for (const level of ["note", "advise", "approve"]) assert.equal(isFinding({ ...FINDING, level }), true);
  const wrong = {
    code: 5,
    level: "shout",
    message: null,
    change: 0.5,
    rule: 5,
    allowed: {},
    hint: 0,
    refused: "yes",
  };
  for (const [name, value] of Object.entries(wrong)) {
    assert.equal(isFinding({ ...FINDING, [name]: value }), false, name);
  }
  for (const name of ["code", "level", "message"]) {
    assert.equal(isFinding({ ...FINDING, [name]: undefined }), false, name);
  }
  for (const other of [null, undefined, "x", []]) assert.equal(isFinding(other), false);
});

Deno.test("the highest level among findings is the one that asks most", () => {
  const highest = (...levels: Finding["level"][]) =>
    highestLevel(levels.map((level) => ({ ...FINDING, level })));
  assert.equal(highest(), undefined);
  assert.equal(highest("note", "note"), "note");
  assert.equal(highest("note", "advise", "note"), "advise");
  assert.equal(highest("approve", "advise"), "approve");
  assert.equal(highest("approve", "deny", "note"), "deny");
});

Deno.test("money at risk comes back from a file only with numbers and texts", () => {
  const money = { currency: "USD", perDay: { low: -1, high: 2 }, known: 1, unknown: 0, basis: ["b"] };
  assert.equal(isMoneyAtRisk(money), true);
  const wrong = [
    { currency: 5 },
    { perDay: { low: "0", high: 1 } },
    { perDay: { low: 0 } },
    { perDay: null },
    { known: "1" },
    { unknown: undefined },
    { basis: "b" },
    { basis: ["b", 5] },
  ];
  for (const part of wrong) assert.equal(isMoneyAtRisk({ ...money, ...part }), false, JSON.stringify(part));
});

const APPROVAL = { plan_id: "p", fingerprint: "f", approved_at: "a", expires_at: "e", signature: "s" };

Deno.test("findings that are overridden are kept once, with who approved them", () => {
  assert.equal(overrideOf([], { by: "Ann", approval: APPROVAL }), undefined);
  assert.deepEqual(overrideOf([FINDING, { ...FINDING }], { by: "Ann", approval: undefined }), {
    by: "Ann",
    findings: [FINDING],
    approval: null,
  });
  const other = { ...FINDING, change: 2 };
  assert.deepEqual(overrideOf([FINDING, other], { by: "Ann", approval: APPROVAL }), {
    by: "Ann",
    findings: [FINDING, other],
    approval: APPROVAL,
  });
});

Deno.test("an override comes back from a result file, and nothing else is taken for one", () => {
  const override = { by: "Ann", findings: [FINDING], approval: APPROVAL };
  assert.deepEqual(readOverride(override), override);
  assert.deepEqual(readOverride({ ...override, approval: { ...APPROVAL, signature: 5 } }), {
    ...override,
    approval: null,
  });
  for (const part of [{ by: 5 }, { findings: "none" }, { findings: [{ ...FINDING, code: 5 }] }]) {
    assert.equal(readOverride({ ...override, ...part }), undefined);
  }
  assert.equal(readOverride(null), undefined);
});
