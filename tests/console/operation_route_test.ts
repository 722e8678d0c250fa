import { deepEqual, match } from "../support/assert.ts";
import { describedRoute } from "../../src/interfaces/console/http/operation_route.ts";
import { planPacing } from "../../src/operations/automation/pacing.ts";
import { planFrom } from "../../src/operations/plans/account_files.ts";
import { fillStore } from "./support/fill_store.ts";
import { consoleWorld, signIn } from "./support/console_world.ts";

Deno.test("routes take texts where commands take paths, and have no fields that are only of commands", () => {
  const { takes = {} } = describedRoute(planFrom);
  deepEqual(Object.keys(takes), ["files", "note", "skip_denied"]);
  match(takes["files"] ?? "", /^YAML by path: .*; required$/);
  deepEqual(describedRoute(planPacing).takes, { pacing: "YAML of pacing.yaml; required" });
});

Deno.test("a plan of pacing says which amounts it left alone, and why", async () => {
  await using world = await consoleWorld();
  await fillStore(world);
  const page = await signIn(world);
  const path = `/api/profiles/${world.us.profileId}/auto/plan/pacing`;
  const pacing = "version: 1\nbudgets: { spring: { amount: 3000, from: 2099-03-01, to: 2099-04-01 } }\n";
  const { data } = await page.ask(path, { pacing });
  deepEqual([data.plan_id, data.notes], [null, ["spring: today is outside of its dates"]]);
});
