import { deepEqual, equal, match } from "../support/assert.ts";
import { Rollout } from "../../src/account/mod.ts";
import { foldersBeside, rememberFolder } from "../../src/account/rollout/known_folders.ts";
import { ChangePlan, PlanStore } from "../../mod.ts";
import { besideServer } from "../../src/interfaces/mcp/connect.ts";
import { readSettings } from "../../src/interfaces/mcp/context/settings.ts";
import type { PlanStoreOptions } from "../../src/plans/store/plan_store.ts";
import { emulated as emulatedAccount } from "../support/emulated.ts";
import { settingsOf } from "./support/emulated.ts";
import { runCli } from "./support/run_cli.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";
import { withoutPolicy } from "../support/without_policy.ts";

const WORKFLOW = { workflowId: "reach", sqlQuery: "SELECT campaign FROM sponsored_ads_traffic" };

withoutPolicy("its plans are applied without an approval");
Deno.test("plan undo of a plan and of a rollout leaves out a call that a plan of a remembered folder put back", async () => {
  await using world = await emulatedAccount();
  await using folder = await temporaryFolder();
  const { us, ads, emulator } = world;
  const env = settingsOf(emulator, folder.path);
  const [{ instanceId } = {}] = await ads.cleanRooms({ region: "NA" });
  const room = await ads.cleanRoom(String(instanceId));
  const calls = (): string[] =>
    emulator.requests().filter(({ method, path }) => /POST|DELETE/.test(method) && /\/workflows/.test(path))
      .map(({ method }) => method);
  const elsewhere = PlanStore.open(folder.file("elsewhere"));
  const clientOf = ({ profileId, countryCode }: ChangePlan) => ads.profileFrom(profileId, countryCode);
  /** A call that is carried out from a folder, and put back from another. */
  const putBack = async (name: string): Promise<ChangePlan> => {
    const body = { ...WORKFLOW, workflowId: name };
    const plan = await us.planCall<string>("workflow-management-service:createWorkflow", body, room.place);
    const rollout = await Rollout.create(folder.file(name), [plan], { note: name });
    equal((await rollout.apply(clientOf, { approvedBy: () => "Ann" })).ok, true);
    const undo = await rollout.store.get(`${plan.id}-undo`);
    const copy = new ChangePlan({ ...undo, id: `copy-${name}` });
    await elsewhere.save(copy);
    equal((await elsewhere.apply(copy, us)).result.ok, true);
    return plan;
  };
  const single = await putBack("single");
  await putBack("rollout");
  await rememberFolder(elsewhere.path, { env, demo: false });
  deepEqual(calls(), ["POST", "DELETE", "POST", "DELETE"]);

  const file = `${folder.file("single")}/plan-${single.id}.json`;
  for (const name of [file, folder.file("rollout")]) {
    const { code, stderr, stdout } = await runCli(["plan", "undo", name, "--yes"], { env });
    equal(code === 0, false, stdout);
    match(`${stdout}${stderr}`, /plan copy-single put it back at|1 failed, 1 of them never sent/);
  }
  deepEqual(calls(), ["POST", "DELETE", "POST", "DELETE"]);
});

Deno.test("no other folder is known in a rehearsal, and none to the server of a tenant", async () => {
  const world = { env: {}, demo: false };
  deepEqual(await foldersBeside(["own"], { ...world, isRehearsal: true })(), []);
  deepEqual(await foldersBeside(["own"], { ...world, isRehearsal: false })(), ["own"]);
  const settings = await readSettings([], { HOME: "home" });
  deepEqual(await call(besideServer(settings, {})), [settings.planFolder]);
  equal(besideServer({ ...settings, tenant: "a" }, {}), undefined);
  deepEqual(await call(besideServer({ ...settings, rehearsal: "copy" }, {})), []);
});

const call = async (folders: PlanStoreOptions["beside"]) =>
  typeof folders === "function" ? await folders() : folders;
