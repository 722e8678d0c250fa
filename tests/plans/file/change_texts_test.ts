import assert from "node:assert/strict";
import { canonicalJson } from "../../../src/base/json/canonical_json.ts";
import { sha256 } from "../../../src/base/text/sha256.ts";
import type { Change } from "../../../src/plans/model/change.ts";
import { ChangePlan } from "../../../src/plans/change_plan/change_plan.ts";
import {
  ChangeTexts,
  FILE_WORDS,
  OWN_WORDS,
  planFileParts,
} from "../../../src/plans/change_plan/plan_file.ts";

const CHANGE: Change = {
  kind: "sp.keywords",
  op: "update",
  id: "9",
  before: { bid: 1, a: { b: [] } },
  after: { bid: 2, a: { b: [1] } },
  label: 'ü "shoes"',
};

/** A change as a plan file may hold it, with what another version knows. */
function changed(parts: Record<string, unknown>): Change {
  return { ...CHANGE, ...parts } as Change;
}

const CHANGES: readonly Change[] = [
  CHANGE,
  changed({ campaignId: "1" }),
  changed({ ref: "c1" }),
  changed({ dependsOn: ["c1", "c2"] }),
  changed({ ref: "c1", campaignId: "1", dependsOn: [] }),
  changed({ op: "create", id: null }),
  changed({ id: 'a"b' }),
  changed({ id: "" }),
  changed({ ofAnotherVersion: [1], campaignId: "1", dependsOn: ["c1"] }),
  changed({ ofAnotherVersion: null }),
  changed({ label: 5 }),
  changed({ before: null }),
  changed({ after: null }),
];

function inFile({ campaignId, dependsOn, ...change }: Change): Record<string, unknown> {
  return {
    ...change,
    ...(campaignId === undefined ? {} : { campaign_id: campaignId }),
    ...(dependsOn === undefined ? {} : { depends_on: dependsOn }),
  };
}

Deno.test("the text of a change is its canonical JSON, by the names of memory or of files", () => {
  for (const change of CHANGES) {
    assert.equal(new ChangeTexts(OWN_WORDS).canonical(change), canonicalJson(change));
    assert.equal(new ChangeTexts(FILE_WORDS).canonical(change), canonicalJson(inFile(change)));
  }
});

Deno.test("the text that people read is indented as an item of a list, and means the same", () => {
  for (const change of CHANGES) {
    const text = new ChangeTexts(FILE_WORDS).readable(change);
    const value = JSON.parse(text);
    assert.deepEqual(value, inFile(change));
    assert.equal(
      text,
      JSON.stringify([value], null, 2).split("\n").slice(1, -1).map((line) => `  ${line}`).join("\n"),
    );
  }
});

function planOf(count: number): ChangePlan {
  const changes = Array.from({ length: count }, (_, at) => changed({ id: `${at}` }));
  return new ChangePlan({ profileId: "1", countryCode: "US", changes, warnings: ["w"] });
}

Deno.test("a plan file is the JSON of its data on lines of two spaces, with the checksum of all of it", () => {
  for (const count of [0, 1, 2, 600]) {
    const plan = planOf(count);
    assert.equal(plan.toJson(), `${JSON.stringify(plan.toData(), null, 2)}\n`);
    const { checksum, ...content } = plan.toData();
    assert.equal(checksum, sha256(canonicalJson(content)));
  }
});

Deno.test("a plan file comes in parts of 250 changes", () => {
  const parts = (count: number): number[] =>
    [...planFileParts(planOf(count))].map((part) => part.match(/"kind"/g)?.length ?? 0);
  assert.deepEqual(parts(249), [0, 249, 0]);
  assert.deepEqual(parts(250), [0, 250, 0, 0]);
  assert.deepEqual(parts(501), [0, 250, 250, 1, 0]);
});

/** A plan file with the first change altered, and its checksum as whoever wrote it would have made it. */
function fileWith(parts: Record<string, unknown>, edit: (text: string) => string = (text) => text): string {
  const { checksum: _, ...data } = planOf(2).toData();
  const [first, ...others] = data.changes;
  const content = { ...data, changes: [{ ...first, ...parts }, ...others] };
  return edit(JSON.stringify({ ...content, checksum: sha256(canonicalJson(content)) }));
}

Deno.test("what another version of the format says of a change is read over, and cannot be edited", () => {
  const plan = ChangePlan.fromJson(fileWith({ of_another_version: { a: 1 } }));
  assert.deepEqual(plan.changes[0], changed({ id: "0" }));
  assert.throws(
    () =>
      ChangePlan.fromJson(
        fileWith({ of_another_version: 1 }, (text) => text.replace('_version":1', '_version":2')),
      ),
    /its checksum does not match/,
  );
});

Deno.test("a change whose kind, names or dependencies are malformed is refused", () => {
  const wrong: Record<string, unknown>[] = [
    { op: "call", id: null },
    { kind: "call" },
    { ref: "a b" },
    { ref: 5 },
    { depends_on: "0" },
    { depends_on: [5] },
    { depends_on: ["a b"] },
  ];
  for (const parts of wrong) {
    assert.throws(
      () => ChangePlan.fromJson(fileWith(parts)),
      /one of its changes is malformed/,
      JSON.stringify(parts),
    );
  }
  for (const changes of ["all", 5, {}, null]) {
    const text = JSON.stringify({ ...planOf(0).toData(), changes });
    assert.throws(() => ChangePlan.fromJson(text), /one of its changes is malformed/);
  }
});

Deno.test("a plan that does not fit together is refused by what does not fit", () => {
  assert.throws(
    () => ChangePlan.fromJson(fileWith({ depends_on: ["gone"] })),
    /its changes do not fit together\. Cannot plan change 0: it refers to "gone"/,
  );
});

Deno.test("a second list of changes in a plan file counts as an edit", () => {
  const plan = planOf(1);
  const second = JSON.stringify(plan.toData().changes);
  const text = plan.toJson().replace('"missing"', `"changes": ${second}, "missing"`);
  assert.throws(() => ChangePlan.fromJson(text), /edited after it was made/);
});
