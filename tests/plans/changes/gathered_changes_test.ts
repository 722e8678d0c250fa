import { deepEqual, equal } from "../../support/assert.ts";
import fc from "fast-check";
import type { Change } from "../../../mod.ts";
import { canonicalJson } from "../../../src/base/json/canonical_json.ts";
import { sha256 } from "../../../src/base/text/sha256.ts";
import { gatherChanges, GatheredChanges } from "../../../src/plans/model/gathered_changes.ts";
import { planFingerprint } from "../../../src/plans/change_plan/plan_file.ts";
import { anyText } from "../../support/any_text.ts";

const text = anyText({ maxLength: 8 });
const fields = fc.dictionary(fc.oneof(fc.constantFrom("bid", "state"), text), fc.jsonValue({ maxDepth: 2 }), {
  maxKeys: 3,
});
const change: fc.Arbitrary<Change> = fc.record({
  kind: fc.constantFrom("sp.keywords", "sp.campaigns"),
  op: fc.constantFrom("update", "create", "archive"),
  id: fc.oneof(fc.constant(null), fc.stringMatching(/^[0-9]{1,20}$/)),
  before: fields,
  after: fields,
  label: text,
  campaignId: text,
  ref: text,
  dependsOn: fc.array(text, { maxLength: 2 }),
  ofAnotherVersion: fc.jsonValue({ maxDepth: 1 }),
}, { requiredKeys: ["kind", "op", "id", "before", "after", "label"] })
  .map((one): Change => JSON.parse(JSON.stringify(one)));

Deno.test("changes that are gathered come back as they were, equal values once, and cannot be altered", () => {
  fc.assert(
    fc.property(fc.array(change, { maxLength: 20 }), (some) => {
      const changes = some.map((one) => one.op === "create" ? one : { ...one, id: one.id ?? "1" });
      const gathered = new GatheredChanges();
      for (const one of changes) gathered.add(one);
      const list = gathered.list();
      deepEqual(list, changes);
      equal(gatherChanges(list), list, "a list that was gathered is not copied");
      equal(
        new Set(list.map(({ after }) => after)).size,
        new Set(list.map(({ after }) => JSON.stringify(after))).size,
      );
      for (const one of list) {
        equal(Object.isFrozen(one), true);
        equal(Object.isFrozen(one.after), true);
      }
      const plain = { profileId: "1", countryCode: "US", changes, experiment: null, rehearsal: null };
      const expected = sha256(canonicalJson({ profile_id: "1", country_code: "US", changes }));
      equal(planFingerprint({ ...plain, changes: list }), expected);
    }),
    { seed: 5, numRuns: 300 },
  );
});

Deno.test("a value that is altered after its change was added stays as it was", () => {
  const gathered = new GatheredChanges();
  const list = [1];
  const add = (): void =>
    gathered.add({ kind: "k", op: "update", id: "1", before: {}, after: { list }, label: "" });
  add();
  list.push(2);
  add();
  deepEqual([...gathered.list()].map(({ after }) => after["list"]), [[1], [1, 2]]);
});
