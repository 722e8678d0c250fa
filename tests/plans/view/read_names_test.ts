import { deepEqual, rejects } from "../../support/assert.ts";
import type { Change } from "../../../src/plans/change.ts";
import { ChangePlan } from "../../../src/plans/change_plan.ts";
import type { PlanNames } from "../../../src/plans/plan_names.ts";
import type { PlanTarget } from "../../../src/plans/plan_target.ts";
import { withNames } from "../../../src/plans/view/read_names.ts";

/** An account of named entities; `asked` holds which were read. */
function account(read: (kind: string) => Record<string, { name?: string }>) {
  const asked: string[] = [];
  const client = {
    resource: (kind: string) => ({
      getMany: (ids: readonly string[]) => {
        asked.push(`${kind} ${ids.join(" ")}`);
        return Promise.resolve(new Map(Object.entries(read(kind)).filter(([id]) => ids.includes(id))));
      },
    }),
  };
  return { client: client as unknown as PlanTarget, asked };
}

function planOf(changes: readonly Partial<Change>[], names?: PlanNames): ChangePlan {
  const whole = changes.map((change, at): Change => ({
    kind: "sp.keywords",
    op: "update",
    id: change.op === "create" ? null : `9${at}`,
    before: {},
    after: {},
    label: "x",
    ...change,
  }));
  return new ChangePlan({
    profileId: "1",
    countryCode: "US",
    changes: whole,
    ...(names === undefined ? {} : { names }),
  });
}

const NAMES: Record<string, Record<string, { name?: string }>> = {
  "sp.campaigns": { "1": { name: "Spring" }, "2": {} },
  "sb.campaigns": { "3": { name: "Brand" } },
  "sp.ad_groups": { "21": { name: "Shoes" } },
};
const byKind = (kind: string): Record<string, { name?: string }> => NAMES[kind] ?? {};

Deno.test("the campaigns of all changes and the ad groups of new entities get their names, each kind read once", async () => {
  const { client, asked } = account(byKind);
  const plan = planOf([
    { campaignId: "1", after: { adGroupId: "77" } },
    { campaignId: "1" },
    { campaignId: "2" },
    { kind: "sb.keywords", campaignId: "3" },
    { op: "create", campaignId: "1", after: { adGroupId: "21" } },
    { op: "create", after: { adGroupId: { ref: "g" } } },
  ]);
  const { names, changes, fingerprint } = await withNames(plan, client);
  deepEqual(names, { campaigns: { "1": "Spring", "2": "", "3": "Brand" }, ad_groups: { "21": "Shoes" } });
  deepEqual(asked, ["sp.campaigns 1 2", "sb.campaigns 3", "sp.ad_groups 21"]);
  deepEqual([changes, fingerprint], [plan.changes, plan.fingerprint]);
});

Deno.test("a name that the plan has is not read again, and nothing is read where nothing has a parent", async () => {
  const { client, asked } = account(byKind);
  const known = { campaigns: { "1": "Old" }, ad_groups: {} };
  deepEqual((await withNames(planOf([{ campaignId: "1" }], known), client)).names, known);
  await withNames(planOf([{}, { kind: "portfolios" }]), client);
  deepEqual(asked, []);
});

Deno.test("parents that cannot be read stay without names, unless the caller gave up", async () => {
  const { client } = account((kind) => {
    if (kind === "sp.campaigns") throw new Error("down");
    return byKind(kind);
  });
  const plan = planOf([{ campaignId: "1" }, { kind: "sb.keywords", campaignId: "3" }]);
  deepEqual((await withNames(plan, client)).names, { campaigns: { "3": "Brand" }, ad_groups: {} });
  const signal = AbortSignal.abort(new Error("enough"));
  await rejects(withNames(plan, client, { signal }), /enough/);
});
