import assert from "node:assert/strict";
import fc from "fast-check";
import { refsIn } from "../../src/plans/model/change_ref.ts";
import { canonicalJson } from "../../src/base/json/canonical_json.ts";
import { sha256 } from "../../src/base/text/sha256.ts";
import { type Change, ChangePlan, ConfigurationError, PlanStateError } from "../../mod.ts";
import { anyText } from "../support/any_text.ts";
import { inFolder } from "../support/in_folder.ts";

const CHANGES: Change[] = [
  {
    kind: "sp.keywords",
    op: "update",
    id: "18446744073709551615",
    before: { bid: 0.5 },
    after: { bid: 0.6 },
    label: "ü – 日本 👩‍👩‍👧",
    campaignId: "11",
  },
  {
    kind: "sp.keywords",
    op: "create",
    id: null,
    before: {},
    after: { keywordText: "new", bid: 1 },
    label: "new",
  },
  {
    kind: "sp.ad_groups",
    op: "archive",
    id: "7",
    before: { state: "PAUSED" },
    after: { state: "ARCHIVED" },
    label: "",
  },
];

const PLAN = new ChangePlan({
  id: "20260930-120000-abcdef12",
  createdAt: "2026-09-30T12:00:00.000Z",
  profileId: "100",
  countryCode: "UK",
  changes: CHANGES,
  missing: ["404"],
  warnings: ["careful"],
  note: "raise",
  reverses: "20260929-120000-12345678",
});

function refused(text: string, pattern: RegExp): void {
  assert.throws(
    () => ChangePlan.fromJson(text),
    (error: Error) =>
      (/was edited after/.test(error.message)
        ? error instanceof PlanStateError && error.reason === "edited"
        : error instanceof ConfigurationError) && pattern.test(error.message),
    text,
  );
}

/** The plan file with one part replaced. */
function edited(parts: Record<string, unknown>): string {
  return JSON.stringify({ ...PLAN.toData(), ...parts });
}

Deno.test("A plan file has the documented fields, in their order", () => {
  assert.deepEqual(Object.keys(PLAN.toData()), [
    "format",
    "id",
    "created_at",
    "profile_id",
    "country_code",
    "note",
    "changes",
    "missing",
    "warnings",
    "findings",
    "money",
    "names",
    "reverses",
    "fingerprint",
    "checksum",
  ]);
  assert.deepEqual(PLAN.toData().changes.map((change) => Object.keys(change)), [
    ["kind", "op", "id", "before", "after", "label", "campaign_id"],
    ["kind", "op", "id", "before", "after", "label"],
    ["kind", "op", "id", "before", "after", "label"],
  ]);
});

Deno.test("A plan comes back from its text whole", () => {
  const back = ChangePlan.fromJson(PLAN.toJson());
  assert.deepEqual({ ...back }, { ...PLAN });
  assert.equal(back.toJson(), PLAN.toJson());
});

Deno.test("Any plan comes back from its text whole, with the same fingerprint", () => {
  // A reference to another change must lead somewhere, and these lead nowhere.
  const fields = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 4 })
    .filter((one) => refsIn(one).length === 0);
  const change = fc.record({
    kind: fc.constant("sp.keywords"),
    op: fc.constant("update" as const),
    id: fc.bigInt({ min: 1n, max: 2n ** 64n }).map(String),
    before: fields,
    after: fields,
    label: anyText(),
  });
  fc.assert(
    fc.property(fc.array(change, { maxLength: 4 }), fc.option(fc.string()), (changes, note) => {
      const plan = new ChangePlan({ profileId: "1", countryCode: "US", changes, note });
      const back = ChangePlan.fromJson(plan.toJson());
      assert.equal(back.fingerprint, plan.fingerprint);
      assert.equal(back.toJson(), plan.toJson());
    }),
    { numRuns: 200 },
  );
});

Deno.test("save() writes a file, or a file of the plan's name into what looks like a folder", () =>
  inFolder(async (folder) => {
    const name = `plan-${PLAN.id}.json`;
    await Deno.mkdir(`${folder}/there.is`);
    const targets: readonly [path: string, expected: string][] = [
      ["mine.json", "mine.json"],
      ["deep/er/mine.plan", "deep/er/mine.plan"],
      ["plans", `plans/${name}`],
      ["plans.d/", `plans.d/${name}`],
      ["there.is", `there.is/${name}`],
      [".hidden", `.hidden/${name}`],
      ["deep/.hidden", `deep/.hidden/${name}`],
      [".hidden/mine.json", ".hidden/mine.json"],
    ];
    for (const [path, expected] of targets) {
      assert.equal(await PLAN.save(`${folder}/${path}`), `${folder}/${expected}`);
      const loaded = await ChangePlan.load(`${folder}/${expected}`);
      assert.equal(loaded.fingerprint, PLAN.fingerprint);
      if (Deno.build.os === "windows") continue;
      assert.equal((await Deno.stat(`${folder}/${expected}`)).mode! & 0o777, 0o600);
    }
  }));

Deno.test("A plan made without an id gets one that holds its time and is safe in a file name", () => {
  const plan = new ChangePlan({
    profileId: "1",
    countryCode: "US",
    changes: [],
    createdAt: "2026-09-30T12:34:56.789Z",
  });
  assert.match(plan.id, /^20260930-123456-[0-9a-f]{8}$/);
  const other = new ChangePlan({ profileId: "1", countryCode: "US", changes: [] });
  assert.notEqual(other.id, plan.id);
  assert.ok(Math.abs(Date.parse(other.createdAt) - Date.now()) < 60_000);
});

Deno.test("A file with any part of its effect edited is refused", () => {
  const [first, second, third] = PLAN.toData().changes;
  const edits: Record<string, unknown>[] = [
    { profile_id: "101" },
    { country_code: "US" },
    { fingerprint: "0".repeat(64) },
    { changes: [] },
    { changes: [first, second] },
    { changes: [second, first, third] },
    { changes: [first, second, third, { ...third, id: "8" }] },
    ...[
      { kind: "sp.targets" },
      { op: "archive" },
      { id: "302" },
      { before: { bid: 0.49 } },
      { after: { bid: 60 } },
      { after: { bid: 0.6, state: "PAUSED" } },
      { after: { bid: "0.6" } },
      { after: {} },
      { label: "harmless" },
      { campaign_id: "12" },
      { campaign_id: undefined },
    ].map((part) => ({ changes: [{ ...first, ...part }, second, third] })),
    { changes: [first, { ...second, after: { keywordText: "other", bid: 1 } }, third] },
  ];
  for (const edit of edits) refused(edited(edit), /edited after it was made.*Make a new plan/);
});

Deno.test("A file with anything edited that a reader is shown is refused", () => {
  const finding = { code: "X", level: "note" as const, message: "m" };
  const money = { currency: "USD", perDay: { low: 0, high: 1 }, known: 1, unknown: 0, basis: [] };
  const edits: Record<string, unknown>[] = [
    { id: "20260930-120000-abcdef13" },
    { created_at: "2026-09-30T12:00:01.000Z" },
    { note: "harmless" },
    { note: null },
    { missing: [] },
    { warnings: [] },
    { reverses: null },
    { findings: [finding] },
    { money },
    { names: { campaigns: { "11": "Other" }, ad_groups: {} } },
    { more: "text" },
    { checksum: undefined },
    { checksum: "0".repeat(64) },
  ];
  for (const edit of edits) {
    refused(edited(edit), /edited after it was made: its checksum does not match.*Make a new plan/);
  }
});

Deno.test("A file of format 1, which had no checksum, is still read", () => {
  const { checksum: _, findings: __, money: ___, names: ____, ...old } = PLAN.toData();
  const back = ChangePlan.fromJson(JSON.stringify({ ...old, format: 1 }));
  assert.deepEqual({ ...back }, { ...PLAN });
  refused(
    JSON.stringify({ ...old, format: 1, changes: old.changes.slice(1) }),
    /edited after it was made: its fingerprint does not match/,
  );
});

Deno.test("Findings, money at risk, names, references and dependencies come back from the text", () => {
  const { profileId, countryCode, changes: [first, second] } = PLAN;
  const plan = new ChangePlan({
    profileId,
    countryCode,
    changes: [{ ...second!, ref: "c1" }, { ...first!, dependsOn: ["c1"] }],
    findings: [{
      code: "X",
      level: "deny",
      change: 1,
      rule: "r",
      message: "m",
      allowed: "a",
      hint: "h",
      refused: true,
    }],
    money: { currency: "USD", perDay: { low: -1, high: 2 }, known: 1, unknown: 1, basis: ["b"] },
    names: { campaigns: { "11": "Spring" }, ad_groups: { "21": "Shoes" } },
  });
  const back = ChangePlan.fromJson(plan.toJson());
  assert.deepEqual({ ...back }, { ...plan });
  const malformed = [
    { findings: [{ ...plan.findings[0], level: "shout" }] },
    { findings: [{ ...plan.findings[0], message: 5 }] },
    { money: { ...plan.money, perDay: { low: "0", high: 1 } } },
    { names: { campaigns: { "11": 5 }, ad_groups: {} } },
    { findings: "none" },
  ];
  for (const part of malformed) {
    const { checksum: _, ...content } = { ...plan.toData(), ...part };
    const text = JSON.stringify({ ...content, checksum: sha256(canonicalJson(content)) });
    refused(text, /its findings, money or names are malformed/);
  }
});

Deno.test("A file that is no plan, or half of one, says what is wrong", () => {
  const [first] = PLAN.toData().changes;
  refused("", /the plan: it is not JSON/);
  refused(PLAN.toJson().slice(0, -30), /it is not JSON/);
  for (const text of ["null", "[]", "5", '"x"', "{}", '{"id":"x"}']) refused(text, /it is not a plan/);
  refused(edited({ format: 3 }), /its format is 3, and this version reads the formats 1 and 2/);
  refused(edited({ format: undefined }), /its format is undefined/);
  for (const name of ["id", "created_at", "profile_id", "country_code", "fingerprint"]) {
    refused(edited({ [name]: undefined }), /missing/);
    refused(edited({ [name]: 5 }), /missing/);
  }
  refused(edited({ id: "../../etc/passwd" }), /its id contains invalid characters/);
  refused(edited({ profile_id: "100 (UK)" }), /its profile is not a row of digits/);
  refused(
    edited({ country_code: "UK)? Nothing is sent\n\n(UK" }),
    /its country is not a code of two letters/,
  );
  refused(edited({ reverses: "x\u001b[2J" }), /the id of the plan it undoes is malformed/);
  for (
    const part of [
      { kind: 5 },
      { op: "delete" },
      { id: null },
      { id: "" },
      { id: 5 },
      { id: "302\u001b[1A" },
      { id: "../302" },
      { kind: "sp.keywords\n" },
      { campaign_id: "11\u001b[2K" },
      { campaign_id: 11 },
      { before: null },
      { after: [] },
      { after: undefined },
      { label: null },
    ]
  ) refused(edited({ changes: [{ ...first, ...part }] }), /one of its changes is malformed/);
  refused(edited({ changes: [{ ...first, op: "create" }] }), /one of its changes is malformed/);
  refused(edited({ changes: [null] }), /malformed/);
  refused(edited({ changes: "all" }), /malformed/);
});

Deno.test("A plan file that cannot be read is refused by its name", () =>
  inFolder(async (folder) => {
    await assert.rejects(
      ChangePlan.load(`${folder}/gone.json`),
      (error: Error) =>
        error instanceof ConfigurationError && /gone\.json": there is no such file/.test(error.message),
    );
    await assert.rejects(ChangePlan.load(folder), /the plan file ".*": it is a folder/);
    await Deno.writeTextFile(`${folder}/bad.json`, "{}");
    await assert.rejects(
      ChangePlan.load(`${folder}/bad.json`),
      /the plan file ".*bad\.json": it is not a plan/,
    );
    await Deno.writeTextFile(`${folder}/bom.json`, `\uFEFF${PLAN.toJson().replaceAll("\n", "\r\n")}`);
    assert.equal((await ChangePlan.load(`${folder}/bom.json`)).fingerprint, PLAN.fingerprint);
  }));

Deno.test("A plan of an account copy says which, and only a moment names one", () => {
  const rehearsed = new ChangePlan({ ...PLAN, rehearsal: "2026-09-30T11:00:00.000Z" });
  const data = rehearsed.toData();
  assert.equal(ChangePlan.fromJson(JSON.stringify(data)).rehearsal, "2026-09-30T11:00:00.000Z");
  for (const rehearsal of ["yesterday", 7, {}]) {
    refused(JSON.stringify({ ...data, rehearsal }), /its reference to an account copy is malformed/);
  }
  refused(JSON.stringify({ ...data, rehearsal: "2026-09-29T11:00:00.000Z" }), /was edited after/);
});
