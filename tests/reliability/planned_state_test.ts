import { deepEqual, ok } from "../support/assert.ts";
import { ChangePlan, type ProfileClient } from "../../mod.ts";
import { planState } from "../../src/plans/state/plan_state.ts";
import { readPriorState } from "../../src/plans/state/read_prior_state.ts";
import { emulated } from "../support/emulated.ts";
import { SeededRandom } from "../support/seeded_random.ts";
import { PlanMaker } from "./support/plan_maker.ts";
import { fetchOf } from "./support/fetch_of.ts";
import { amount, SEED } from "./support/size.ts";
import { long } from "../support/long.ts";

/** The part of a plan that is sent: without what would be refused, and what depends on it. */
function sent(plan: ChangePlan): ChangePlan {
  const left = new Set(plan.findings.flatMap(({ refused, change }) => refused ? change ?? [] : []));
  const names = (): Set<string | undefined> => new Set([...left].map((at) => plan.changes[at]?.ref));
  for (let count = -1; count !== left.size;) {
    count = left.size;
    const lost = [...names()].filter((name) => name !== undefined);
    for (const [at, { after, dependsOn = [] }] of plan.changes.entries()) {
      const text = JSON.stringify(after);
      if (lost.some((name) => dependsOn.includes(name) || text.includes(`{"ref":"${name}"}`))) left.add(at);
    }
  }
  const { profileId, countryCode } = plan;
  return new ChangePlan({
    profileId,
    countryCode,
    changes: plan.changes.filter((_, at) => !left.has(at)),
  });
}

/** What differs between an entity as it was planned and as it is: fields that the platform adds do not count. */
function differing(planned: unknown, is: unknown): boolean {
  if (planned === null || planned === undefined) return false;
  if (typeof planned !== "object" || typeof is !== "object" || is === null) {
    return String(planned).toLowerCase() !== String(is).toLowerCase();
  }
  if (Array.isArray(planned) && planned.some((one) => typeof one === "object" && "placement" in one)) {
    const now = is as Record<string, unknown>[];
    return planned.some((one) => differing(one, now.find(({ placement }) => placement === one.placement)));
  }
  return Object.entries(planned).some(([name, value]) =>
    differing(value, (is as Record<string, unknown>)[name])
  );
}

/** Sends a plan and compares every entity with what was planned; returns how many were compared. */
async function compare(us: ProfileClient, plan: ChangePlan): Promise<number> {
  const { steps } = planState(plan.changes, await readPriorState(plan.changes, us));
  const { changes } = await plan.apply(us);
  const ids = new Map(
    changes.flatMap(({ change, id }) => change.ref && id ? [[change.ref, id] as const] : []),
  );
  let compared = 0;
  for (const { at, change, after } of steps) {
    const { outcome, id } = changes[at]!;
    if (outcome !== "done" || id === undefined) continue;
    const [is] = await us.resource(change.kind).list({ ids: [id], states: null });
    const text = JSON.stringify(after).replaceAll(
      /\{"ref":"([^"]+)"\}/g,
      (_, name) => JSON.stringify(ids.get(name)),
    );
    // The platform resolves expressions itself, and takes the campaign of a Display target from its ad group.
    const { resolvedExpression: _, keywordText, ...planned } = JSON.parse(text);
    const wanted = keywordText === undefined ? planned : { ...planned, keywordText: keywordText.trim() };
    const fields = Object.keys(wanted).filter((field) =>
      is?.[field] !== undefined || !(field in change.after)
    );
    const odd = fields.filter((field) =>
      !(field === "campaignId" && change.kind.startsWith("sd.")) && differing(wanted[field], is?.[field])
    );
    deepEqual(odd, [], `${change.op} ${change.kind}: ${JSON.stringify(wanted)} became ${JSON.stringify(is)}`);
    compared++;
  }
  return compared;
}

long();
Deno.test("the planned state of an entity is the state that it has once the plan is sent, of every kind", async () => {
  let compared = 0;
  for (let seed = 0; seed < amount(2, 20); seed++) {
    await using world = await emulated({ fetchOf });
    const { us } = world;
    const maker = new PlanMaker(us, new SeededRandom(SEED * 100 + seed));
    for (let turn = 0; turn < amount(8, 60); turn++) {
      await maker.read();
      const plan = sent(await maker.plan());
      if (plan.changes.length > 0) compared += await compare(us, plan);
    }
  }
  ok(compared > 30, `enough entities were compared: ${compared}`);
});
