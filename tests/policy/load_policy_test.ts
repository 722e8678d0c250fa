import { equal, match, ok, rejects } from "../support/assert.ts";
import { loadPolicy } from "../../src/plans/policy/load_policy.ts";
import { FolderLedger } from "../../src/plans/policy/folder_ledger.ts";
import { ChangePlan } from "../../src/plans/change_plan/change_plan.ts";
import type { PlanTarget } from "../../src/plans/model/plan_target.ts";
import { inFolder } from "../support/in_folder.ts";

const NOW = Date.UTC(2026, 10, 18, 18);
const PLAN = new ChangePlan({
  profileId: "1",
  countryCode: "US",
  changes: [{
    kind: "sp.keywords",
    op: "update",
    id: "9",
    before: { bid: 1 },
    after: { bid: 1.1 },
    label: "x",
  }],
});
const CLIENT = {
  profileId: "1",
  countryCode: "US",
  resource: () => ({ getMany: () => Promise.resolve(new Map()) }),
} as unknown as PlanTarget;

Deno.test("a policy file remembers a day in the folder that is given, by the clock that is given", () =>
  inFolder(async (folder) => {
    const path = `${folder}/policy.yaml`;
    await Deno.writeTextFile(path, "version: 1\nmax_changes: 1\n");
    for (const ledger of [`${folder}/days`, new FolderLedger(`${folder}/other`, { now: () => NOW })]) {
      const policy = await loadPolicy(path, { ledger, now: () => NOW });
      equal(policy.source, path);
      await policy.admit({
        plan: PLAN,
        open: PLAN.changes.map((change, at) => ({ change, at })),
        client: CLIENT,
        resumes: false,
        approvedBy: undefined,
        signal: undefined,
      });
      const kept = typeof ledger === "string" ? ledger : ledger.folder;
      match(await Deno.readTextFile(`${kept}/1-2026-11-18.jsonl`), /"at":"2026-11-18T18:00:00\.000Z"/);
      equal((await policy.review(PLAN, CLIENT)).length, 1);
    }
    equal((await (await loadPolicy(path)).review(PLAN, CLIENT)).length, 0, "no ledger");
  }));

Deno.test("a file of labels is found beside the policy or by its full path, and adds to the labels of the policy", () =>
  inFolder(async (folder) => {
    const path = `${folder}/policy.yaml`;
    await Deno.mkdir(`${folder}/more`);
    await Deno.writeTextFile(`${folder}/more/labels.yaml`, "core: [9]\n");
    for (const file of ["more/labels.yaml", `${folder}/more/labels.yaml`]) {
      await Deno.writeTextFile(
        path,
        `version: 1\nlabels: { other: [8] }\nlabels_file: ${file}\nprotect: { labels: [core] }\n`,
      );
      const [finding] = (await loadPolicy(path)).check(PLAN);
      match(finding?.message ?? "", /the label "core" is protected/);
    }
    await Deno.writeTextFile(path, "version: 1\nlabels_file: 'C:\\labels.yaml'\n");
    await rejects(loadPolicy(path), (error: Error) => {
      ok(error.message.includes('"C:\\labels.yaml"'), error.message);
      return true;
    });
  }));

Deno.test("a policy file that is not there is named", () =>
  rejects(loadPolicy("/nowhere/policy.yaml"), /the policy file .*\/nowhere\/policy\.yaml/));

Deno.test("labels come from a file beside the policy, and a file that cannot be read lets nothing through", () =>
  inFolder(async (folder) => {
    const path = `${folder}/policy.yaml`;
    await Deno.writeTextFile(path, "version: 1\nlabels_file: labels.yaml\nprotect: { labels: [core] }\n");
    await rejects(loadPolicy(path), /Cannot read the labels of the policy .*labels\.yaml/);
    await Deno.writeTextFile(`${folder}/labels.yaml`, "core: nine\n");
    await rejects(loadPolicy(path), /labels\.yaml, so nothing may be sent:\n {2}Line 1: core/);
    await Deno.writeTextFile(`${folder}/labels.yaml`, 'core: ["9"]\n');
    const found = (await loadPolicy(path)).check(PLAN, { now: NOW });
    equal(found.map(({ message }) => message.split(": ")[1]).join(), 'the label "core" is protected');
  }));

Deno.test("a protected label that neither the policy nor its file of labels has is refused, with what is near", () =>
  inFolder(async (folder) => {
    const path = `${folder}/policy.yaml`;
    await Deno.writeTextFile(`${folder}/labels.yaml`, 'core: ["9"]\n');
    await Deno.writeTextFile(path, "version: 1\nlabels_file: labels.yaml\nprotect: { labels: [coer] }\n");
    await rejects(loadPolicy(path), /so nothing may be sent:\n.*"coer".*core/s);
  }));
