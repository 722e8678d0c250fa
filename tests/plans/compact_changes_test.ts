import { deepEqual, equal, throws } from "../support/assert.ts";
import fc from "fast-check";
import { type Change, ChangePlan } from "../../mod.ts";
import { canonicalJson } from "../../src/internal/canonical_json.ts";
import { sha256 } from "../../src/internal/sha256.ts";
import { CompactChanges } from "../../src/plans/changes/compact_changes.ts";
import { GatheredChanges, MAX_PLAIN } from "../../src/plans/changes/gathered_changes.ts";
import { planFingerprint } from "../../src/plans/file/plan_hash.ts";
import { anyText } from "../support/any_text.ts";

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

Deno.test("changes that are kept in little memory come back as they were, and cannot be altered", () => {
  fc.assert(
    fc.property(fc.array(change, { maxLength: 20 }), (changes) => {
      const compact = new CompactChanges();
      for (const one of changes) compact.add(one);
      const list = compact.list();
      deepEqual([...list], changes);
      for (const one of list) {
        equal(Object.isFrozen(one), true);
        equal(Object.isFrozen(one.after), true);
      }
      const plain = { profileId: "1", countryCode: "US", changes };
      const expected = sha256(canonicalJson({ profile_id: "1", country_code: "US", changes }));
      equal(planFingerprint({ ...plain, changes: list }), expected);
    }),
    { seed: 5, numRuns: 300 },
  );
});

Deno.test("a value that JSON cannot hold is refused by its place, also among very many changes", () => {
  const gathered = new GatheredChanges();
  const good: Change = {
    kind: "sp.keywords",
    op: "update",
    id: "1",
    before: { bid: 1 },
    after: { bid: 2 },
    label: "a",
  };
  for (let number = 0; number <= MAX_PLAIN; number++) gathered.add({ ...good, id: String(number) });
  throws(() => gathered.add({ ...good, after: { bid: NaN } }), /change 20001\.after\.bid: NaN/);
  throws(() => gathered.add({ ...good, id: null }), /change 20001: an update needs the id/);
});

Deno.test("a plan of more changes than are kept as they are is the same plan, saved, read and made again", async () => {
  const changes = Array.from({ length: MAX_PLAIN + 5000 }, (_, at): Change => ({
    kind: "sp.keywords",
    op: "update",
    id: String(281_474_976_710_656_000 + at),
    before: { bid: (at % 7) / 4 },
    after: { bid: at % 3 === 0 ? 1.25 : (at % 11) / 4, ...(at % 1000 === 0 ? { state: "PAUSED" } : {}) },
    label: `"schöne Schuhe ${at}" (EXACT)`,
    ...(at % 5 === 0 ? {} : { campaignId: String(at % 50) }),
  }));
  const plan = new ChangePlan({ profileId: "1", countryCode: "DE", changes, findings: [] });
  equal(plan.changes.length, changes.length);
  deepEqual(plan.changes[20_500], changes[20_500]);
  equal(plan.fingerprint, sha256(canonicalJson({ profile_id: "1", country_code: "DE", changes })));
  const { checksum, ...content } = plan.toData();
  equal(checksum, sha256(canonicalJson(content)));
  equal(plan.toJson(), `${JSON.stringify(plan.toData(), null, 2)}\n`);

  const folder = await Deno.makeTempDir();
  try {
    const path = await plan.save(`${folder}/plan.json`);
    equal(await Deno.readTextFile(path), plan.toJson());
    const back = await ChangePlan.load(path);
    equal(back.fingerprint, plan.fingerprint);
    equal(back.toJson(), plan.toJson());
    const minified = ChangePlan.fromJson(JSON.stringify(JSON.parse(plan.toJson())));
    equal(minified.fingerprint, plan.fingerprint);
    const edited = plan.toJson().replace('"schöne Schuhe 24000"', "another");
    throws(
      () => ChangePlan.fromJson(edited.replace('\\"schöne Schuhe 24000', '\\"other')),
      /fingerprint does not match/,
    );
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
  const noted = new ChangePlan({ ...plan, note: "why" });
  equal(noted.changes, plan.changes);
});
