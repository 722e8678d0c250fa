import assert from "node:assert/strict";
import { join } from "node:path";
import { ChangePlan } from "../../mod.ts";
import { proposedChanges } from "../../src/operations/plans/plan_edits.ts";
import { changeDraft, draftPath, type Edit } from "../../src/plans/store/edit_draft.ts";
import { PlanStore } from "../../src/plans/store/plan_store.ts";
import { emulated } from "./support/emulated.ts";
import { runCli } from "./support/run_cli.ts";

Deno.test("plan from a draft makes the plan of its edits, and lists what others changed meanwhile", async () => {
  await using world = await emulated();
  const [one, two] = JSON.parse((await runCli("list keywords -m US --json", world)).stdout)
    .filter(({ bid }: { bid?: number }) => bid !== undefined);
  const profiles = JSON.parse((await runCli("auth profiles --json", world)).stdout);
  const profileId =
    profiles.find(({ countryCode }: { countryCode: string }) => countryCode === "US").profileId;
  const edit = (row: { keywordId: string; bid: number }, seen = row.bid): Edit => ({
    kind: "sp.keywords",
    id: row.keywordId,
    field: "bid",
    value: 0.77,
    seen,
    label: "a keyword",
  });
  const place = { folder: join(world.folder, "plans"), profileId };
  await changeDraft(place, { revision: 0, set: [edit(one), edit(two, 0.31)] });
  const refused = await runCli(["plan", "from", draftPath(place)], world);
  assert.equal(refused.code, 2);
  assert.match(refused.stderr, /1 field has changed in the account in the meantime/);
  assert.match(refused.stderr, new RegExp(`${two.keywordId} "a keyword": bid was 0.31 and is ${two.bid}`));
  await changeDraft(place, { revision: 1, set: [edit(two)] });
  const out = join(world.folder, "monday.json");
  const words = ["--note", "Monday", "--out", out, "--json"];
  const made = await runCli(["plan", "from", draftPath(place), ...words], world);
  assert.equal(made.code, 0, made.stderr);
  const view = JSON.parse(made.stdout);
  const plan = await ChangePlan.load(view.file);
  assert.deepEqual(plan.changes.map(({ id, after }) => [id, after]), [
    [one.keywordId, { bid: 0.77 }],
    [two.keywordId, { bid: 0.77 }],
  ]);
  assert.equal(plan.note, "Monday");
  const other = await runCli(["plan", "from", draftPath(place), "-m", "CA"], world);
  assert.match(other.stderr, new RegExp(`its edits are of profile ${profileId}`));
  const pruned = await runCli(["plan", "from", draftPath(place), "--prune"], world);
  assert.match(pruned.stderr, /Cannot use --prune with a draft/);
});

Deno.test("plan from the draft of a plan saves what it keeps, and closes that plan", async () => {
  await using world = await emulated();
  const rows = JSON.parse((await runCli("list keywords -m US --json", world)).stdout)
    .filter(({ bid }: { bid?: number }) => bid !== undefined).slice(0, 2);
  const folder = join(world.folder, "plans");
  const csv = await world.write(
    "bids.csv",
    `keywordId,bid\n${rows.map(({ keywordId }: { keywordId: string }) => `${keywordId},0.66`).join("\n")}\n`,
  );
  const file = join(folder, "plan-bids.json");
  const made = await runCli(["plan", "update", "keywords", csv, "-m", "US", "--out", file], world);
  assert.equal(made.code, 0, made.stderr);
  const plan = await ChangePlan.load(file);
  const edits = proposedChanges(plan).flatMap(({ edits }) => edits);
  const place = { folder, profileId: plan.profileId, revises: { planId: plan.id, edits } };
  await changeDraft(place, { revision: 0, discard: edits.slice(0, 1) });
  const elsewhere = await runCli(
    ["plan", "from", draftPath(place), "--out", join(world.folder, "x.json")],
    world,
  );
  assert.equal(elsewhere.code, 2);
  assert.match(elsewhere.stderr, /the new plan replaces plan .*, so it is saved beside it/);
  assert.equal((await PlanStore.open(folder).status(plan.id)).state, "open");
  const denied = { code: "POLICY_MAX_BID", level: "deny", change: 0, message: "above the policy" } as const;
  await new ChangePlan({ ...plan, findings: [denied] }).save(file);
  const unjudged = await runCli(["plan", "from", draftPath(place)], world);
  assert.match(unjudged.stderr, /without the policy that it was made under/);
  assert.notEqual(unjudged.code, 0);
  await plan.save(file);
  const older = draftPath(place).replace(/[^/\\]+$/, "older.draft.json");
  await Deno.copyFile(draftPath(place), older);
  await changeDraft(place, { revision: 1, set: edits.slice(1) });
  const late = await runCli(["plan", "from", older], world);
  assert.equal(late.code, 2);
  assert.match(
    late.stderr,
    /Cannot replace plan .*: its draft has been edited since the version in ".*older\.draft\.json"/,
  );
  assert.equal((await PlanStore.open(folder).status(plan.id)).state, "open");
  // Without a draft in its place there is nothing to lose: one under another name is used.
  const moved = draftPath(place).replace(/[^/\\]+$/, "moved.draft.json");
  await Deno.rename(draftPath(place), moved);
  const run = await runCli(["plan", "from", moved, "--json"], world);
  assert.equal(run.code, 0, run.stderr);
  const view = JSON.parse(run.stdout);
  const next = await ChangePlan.load(join(folder, `plan-${view.id}.json`));
  assert.deepEqual(next.changes.map(({ id }) => id), plan.changes.slice(1).map(({ id }) => id));
  const status = await PlanStore.open(folder).status(plan.id);
  assert.deepEqual(status.state === "refused" && status.replacedBy, next.id);
  const applied = await runCli(["plan", "apply", file, "--yes"], world);
  assert.match(applied.stderr, new RegExp(`by plan ${next.id}. Apply that plan`));
  const again = await runCli(["plan", "from", moved], world);
  assert.match(again.stderr, new RegExp(`by plan ${next.id}`));
  assert.notEqual(again.code, 0);
});
