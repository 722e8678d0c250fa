import { resolve } from "node:path";
import { Rollout, type RolloutEntry } from "../../../account/rollout/rollout.ts";
import { stagesOf } from "../../../account/rollout/stages.ts";
import { isRollout } from "../../../account/rollout/rollout_file.ts";
import { fieldsOf } from "../../../base/json/fields_of.ts";
import type { ProfileClient } from "../../../client/profile_client.ts";
import { checkInput } from "../../../operations/model/check_input.ts";
import { JSON_SPELLING } from "../../../operations/model/operation.ts";
import { inputFrom } from "../../../operations/model/field.ts";
import { planApply } from "../../../operations/plans/plan_apply.ts";
import { planUndo } from "../../../operations/plans/plan_undo.ts";
import { stageSizes } from "../../../operations/plans/rollout_stages.ts";
import type { SendInput } from "../../../operations/plans/send_operation.ts";
import {
  applyRollout,
  ensureNotQueued,
  isOpenEntry,
  reviewRollout,
  undoRollout,
} from "../../../operations/plans/send_rollout.ts";
import type { Review } from "../../../plans/review/judge.ts";
import type { ChangePlan } from "../../../plans/change_plan/change_plan.ts";
import { undoId } from "../../../plans/change_plan/inverse.ts";
import { lastUndo } from "../../../plans/store/undo_chain.ts";
import { findingKey } from "../../../plans/model/finding.ts";
import type { PlanStore } from "../../../plans/store/plan_store.ts";
import { totalLines } from "../../../plans/view/plan_lines.ts";
import { countsOf, planView } from "../../../plans/view/plan_view.ts";
import { ApiProblem, refusingBadInput } from "../http/responses.ts";
import { type ApiCall, type Route, textOf } from "../http/route.ts";
import { pageAsker, shownOf } from "../plans/approve_shown.ts";
import { marketView, spendOf } from "../plans/plan_summary.ts";

const FOLDER = "folder of the rollout, as `/api/plans` lists it";
const STAGES = {
  serial: "sizes of the stages, such as 1,10%,100%; the last one repeats; 100% when absent",
  stop_on_failures: "stop after a stage with more failed plans than this number or share; 0 when absent",
};
const SENDS = {
  folder: FOLDER,
  ...STAGES,
  decided:
    "by the id of each reviewed plan: `shown` as the review gave it, and the `accepted` keys of its findings; a plan that is missing or differs now is not sent, nor is any other",
  passphrase: "as in approving a plan, if the policy needs a person's approval",
  skip_drifted: "true to leave out changes whose entities have changed since the plan was made",
};

/** Routes for rollouts: plans for many profiles that are reviewed together, and sent and undone in stages. */
export const ROLLOUT_ROUTES: readonly Route[] = [
  {
    method: "GET",
    path: "/api/rollout",
    about: "Reads a rollout: the plan of each profile, its state and its stage, without reading the account",
    takes: { folder: FOLDER, serial: STAGES.serial },
    gives: "`note`, `plans` in the order in which they are sent, `left_out` profiles, `undone_at`",
    run: read,
  },
  {
    method: "GET",
    path: "/api/rollout/review",
    about: "Checks every open plan of a rollout, or of its undo, against the policy and the live account",
    takes: { folder: FOLDER, verb: "apply or undo", serial: STAGES.serial },
    gives: "`plans`, each with its `stage`, `asks`, `facts`, `spend`, `drifted` and `shown`",
    run: review,
  },
  {
    method: "POST",
    path: "/api/rollout/apply",
    about: "Sends the open plans of a rollout in stages, and responds when it ends; events report each plan",
    takes: SENDS,
    gives: "`ok`, `stopped` (why no more plans were started), `plans` with their states",
    changes: true,
    run: (call) => send(call, "apply"),
  },
  {
    method: "POST",
    path: "/api/rollout/undo",
    about: "Undoes the applied part of a rollout in stages; from then on the rollout is never applied",
    takes: SENDS,
    gives: "as in apply",
    changes: true,
    run: (call) => send(call, "undo"),
  },
  {
    method: "POST",
    path: "/api/rollout/stop",
    about: "Starts no more plans of a rollout; those that are being sent are finished",
    takes: { folder: FOLDER },
    gives: "`stopped`",
    changes: true,
    run: ({ body, context }) => {
      context.rollouts.stop(resolve(textOf(body, "folder")));
      return { stopped: true };
    },
  },
];

/** @throws {ApiProblem} for a folder that is none of those of the console, or holds no rollout. */
async function rolloutOf(
  fields: Readonly<Record<string, unknown>>,
  { context }: ApiCall,
): Promise<{ readonly folder: string; readonly rollout: Rollout }> {
  const folder = resolve(textOf(fields, "folder"));
  const known = context.folders.some(({ store }) => resolve(store.path) === folder);
  if (known && await isRollout(folder)) {
    return { folder, rollout: await Rollout.open(folder, context) };
  }
  throw new ApiProblem(404, "NO_ROLLOUT", "Cannot find this rollout: it is in none of the plan folders");
}

async function inputOf(
  fields: Readonly<Record<string, unknown>>,
  folder: string,
  verb: string,
): Promise<SendInput> {
  const operation = verb === "undo" ? planUndo : planApply;
  return await refusingBadInput(async () => {
    const { serial, stop_on_failures, skip_drifted } = fields;
    const given = Object.entries({ serial, stop_on_failures }).filter(([, value]) =>
      value !== undefined && value !== ""
    );
    const input = inputFrom(operation.input, {
      plan_id: folder,
      ...Object.fromEntries(given.map(([name, value]) => [name, String(value)])),
      skip_drifted: skip_drifted === true,
    });
    await checkInput(operation, input, JSON_SPELLING);
    return input;
  });
}

/** Stage number of each plan, by plan id. */
function stagesBy(entries: readonly RolloutEntry[], input: SendInput): Map<string, number> {
  const stages = stagesOf(entries, stageSizes(input).serial);
  return new Map(stages.flatMap((own, at) => own.map(({ plan }) => [plan.id, at + 1] as const)));
}

async function read(call: ApiCall): Promise<unknown> {
  const { folder, rollout } = await rolloutOf(call.query, call);
  const { note, created_at, undone_at = null, left_out, unreachable } = rollout.data;
  const names = namesOf(rollout);
  const entries = await rollout.entries();
  const stages = stagesBy(entries, await inputOf(call.query, folder, "apply"));
  const undoable = await Promise.all(entries.map((entry) => isUndoable(entry, rollout.store)));
  return {
    folder,
    note,
    created_at,
    undone_at,
    plans: entries.map(({ plan, state, summary = null }, at) => ({
      plan_id: plan.id,
      profile_id: plan.profileId,
      country_code: plan.countryCode,
      ...marketView(plan.countryCode),
      account_name: names.get(plan.profileId) ?? null,
      stage: stages.get(plan.id),
      state,
      undoable: undoable[at],
      summary,
      counts: countsOf(plan.changes),
      spend: spendOf(plan),
    })),
    left_out,
    unreachable,
  };
}

/** True where undoing the rollout has something to send for a plan, or to go on with. */
async function isUndoable(
  { plan, state, redoneBy = plan }: RolloutEntry,
  store: PlanStore,
): Promise<boolean> {
  if (state !== "undone") return state === "done" || state === "failed" || state === "unfinished";
  const last = await lastUndo(undoId(redoneBy.id), store);
  return last.state === "open" || last.state === "unfinished";
}

function namesOf({ data }: Rollout): Map<string, string | null | undefined> {
  return new Map(data.plans.map((one) => [one.profile_id, one.account_name]));
}

function clientsOf({ context: { ads } }: ApiCall): (plan: ChangePlan) => ProfileClient {
  return ({ profileId, countryCode }) => ads.profileFrom(profileId, countryCode);
}

async function review(call: ApiCall): Promise<unknown> {
  const { query, signal } = call;
  const verb = query["verb"] === "undo" ? "undo" : "apply";
  const { folder, rollout } = await rolloutOf(query, call);
  const clientOf = clientsOf(call);
  if (verb === "apply") {
    rollout.ensureNotUndone();
    ensureNotQueued(await rollout.entries());
  }
  const sent = verb === "undo" ? await rollout.rollback(clientOf, { signal }) : rollout;
  const input = await inputOf(query, folder, verb);
  const stages = stagesBy(await sent.entries(), input);
  const names = namesOf(rollout);
  const reviews = await reviewRollout({ rollout: sent, clientOf, signal }, { verb });
  return {
    verb,
    plans: reviews.map((one) => ({
      ...reviewOf(one),
      account_name: names.get(one.plan.profileId) ?? null,
      stage: stages.get(one.plan.id),
    })),
  };
}

function reviewOf(review: Review): Record<string, unknown> {
  const { plan, shown, asks, drift, open } = review;
  return {
    plan_id: plan.id,
    country_code: plan.countryCode,
    profile_id: plan.profileId,
    changes: plan.changes.length,
    counts: countsOf(plan.changes),
    drifted: drift.size,
    asks: asks.map((finding) => ({ key: findingKey(finding), message: finding.message, code: finding.code })),
    warnings: planView(shown).warnings,
    facts: totalLines(planView(shown, { open })),
    spend: spendOf(shown),
    shown: shownOf(review),
  };
}

async function send(call: ApiCall, verb: "apply" | "undo"): Promise<unknown> {
  const { body, context } = call;
  const { folder } = await rolloutOf(body, call);
  const input = await inputOf(body, folder, verb);
  const decided = fieldsOf(body["decided"]);
  const run = verb === "apply" ? applyRollout : undoRollout;
  const { entries, ok, stopped } = await context.rollouts.run(
    { folder, verb, ended: context.stop },
    async ({ onReviewed, ...watch }) => {
      // As it is now that no other request can send it.
      const rollout = await Rollout.open(folder, context);
      return await run({
        rollout,
        clientOf: clientsOf(call),
        stop: watch.stop,
        // A plan that the page did not show has no `shown` that could be equal.
        asker: () => ({ plan }) => {
          const { shown = "", accepted = [] } = fieldsOf(decided[plan.id]);
          const page = { ...call, body: { passphrase: body["passphrase"], shown, accepted } };
          return pageAsker(page, { store: rollout.store, isSavedLater: true });
        },
        sending: async ({ reviews }, sendAll) => {
          onReviewed(reviews.length);
          return await sendAll(watch);
        },
      }, input);
    },
  );
  return {
    ok,
    stopped: stopped ?? null,
    left: entries.filter(isOpenEntry).length,
    plans: entries.map(({ plan: { id, countryCode, profileId }, state, summary = null }) => ({
      plan_id: id,
      country_code: countryCode,
      profile_id: profileId,
      state,
      summary,
    })),
  };
}
