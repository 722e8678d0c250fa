import { deepEqual, equal, throws } from "../../support/assert.ts";
import { type Change, ChangePlan } from "../../../mod.ts";
import { canonicalJson } from "../../../src/base/json/canonical_json.ts";
import { sha256 } from "../../../src/base/text/sha256.ts";
import { GatheredChanges } from "../../../src/plans/model/gathered_changes.ts";
import { long } from "../../support/long.ts";

Deno.test("a value that JSON cannot hold is refused by its place, also among many changes", () => {
  const gathered = new GatheredChanges();
  const good: Change = {
    kind: "sp.keywords",
    op: "update",
    id: "1",
    before: { bid: 1 },
    after: { bid: 2 },
    label: "a",
  };
  for (let number = 0; number <= 20_000; number++) gathered.add({ ...good, id: String(number) });
  throws(() => gathered.add({ ...good, after: { bid: NaN } }), /change 20001\.after\.bid: NaN/);
  throws(() => gathered.add({ ...good, id: null }), /change 20001: an update needs the id/);
});

long();
Deno.test("a plan of very many changes is the same plan, saved, read and made again", async () => {
  const changes = Array.from({ length: 25_000 }, (_, at): Change => ({
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
