import { deepEqual, equal, match } from "../support/assert.ts";
import { accountCopy } from "../../src/operations/plans/account_copy.ts";
import { interfaces } from "./support/interfaces.ts";

Deno.test("campaigns of every kind are copied, in adsctl and in the console", async () => {
  await using at = await interfaces();
  const profile = await (await at.context.ads()).profile("CA");
  for (const kind of ["sp", "sb", "sd"] as const) {
    const [campaign] = await profile[kind].campaigns.list();
    const input = {
      campaign_ids: [campaign!.campaignId],
      to: "CA",
      rename: "Copy of {name}",
      state: "PAUSED",
    };
    const { status, data } = await at.route(accountCopy, input);
    deepEqual([kind, status], [kind, 200], data.error?.message);
    const { changes } = await at.consolePlans.get(data.plan_id);
    equal(changes[0]?.label, `Copy of ${campaign!.name}`);
    const { code, stderr } = await at.adsctl(accountCopy, input, [
      "--out",
      `${at.world.folder}/${kind}.json`,
    ]);
    equal(code, 0, stderr);
    const made = JSON.parse(await Deno.readTextFile(`${at.world.folder}/${kind}.json`));
    equal(made.changes.length, changes.length, kind);
  }
  const { status, data } = await at.route(accountCopy, { campaign_ids: ["No such"], to: "CA" });
  equal(status, 400);
  match(data.error.message, /Cannot copy "No such"/);
});
