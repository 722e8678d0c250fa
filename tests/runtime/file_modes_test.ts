import { equal } from "../support/assert.ts";
import { ChangePlan } from "../../mod.ts";
import { FolderLedger } from "../../src/plans/policy/folder_ledger.ts";
import { Warehouse } from "../../src/store/mod.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";

const mode = (path: string): string => (Deno.statSync(path).mode! & 0o777).toString(8);

if (Deno.build.os === "windows") console.log("No tests of file modes: Windows has none");
else {
  Deno.test("plans, the days of a policy and a new store are readable by their owner alone, and so are their folders", async () => {
    await using folder = await temporaryFolder();
    const plan = new ChangePlan({ profileId: "1", countryCode: "US", changes: [] });
    const saved = await plan.save(`${folder.path}/plans/`);
    equal([mode(saved), mode(`${folder.path}/plans`)].join(), "600,700");
    const entry = { changes: 0, creates: 0, updates: 0, archives: 0, spendIncrease: 0, first: [] };
    const place = { profileId: "1", day: "2026-11-18" };
    const ledger = new FolderLedger(`${folder.path}/days`);
    await ledger.reserve(place, { key: "a", resumes: false, decide: () => entry });
    equal([mode(`${folder.path}/days/1-2026-11-18.jsonl`), mode(`${folder.path}/days`)].join(), "600,700");
    const store = await Warehouse.open(`${folder.path}/ads.sqlite`);
    await store.close();
    equal(mode(`${folder.path}/ads.sqlite`), "600");
  });
}
