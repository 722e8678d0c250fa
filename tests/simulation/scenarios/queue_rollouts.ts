import { deepEqual, equal, ok } from "../../support/assert.ts";
import {
  type Change,
  type ChangePlan,
  ConfigurationError,
  PlanStore,
  type PlatformAds,
  PlatformAdsError,
} from "../../../mod.ts";
import { Rollout } from "../../../src/account/mod.ts";
import type { AppliedRecord, AppliedVerdict } from "../../../src/plans/mod.ts";
import { FolderLedger, loadPolicy } from "../../../src/plans/policy/mod.ts";
import { RolloutQueue } from "../../../src/automation/worker/rollout_queue.ts";
import { clientIn, runProgram, type Scenario } from "../scenario.ts";
import { Disk } from "../world/disk.ts";
import { QueueModel } from "../world/queue_model.ts";
import { QueueServer } from "../world/queue_server.ts";
import { planKey } from "../world/rollout_model.ts";
import type { SimProcess } from "../world/sim_process.ts";
import { CALM, type World } from "../world/world.ts";
import { judgeStatements, RolloutCrew } from "./rollout_crew.ts";
import { planFor, sends, words, wrongBids } from "./rollout_plans.ts";

const FOLDER = "/rollout";
/** Progress of plans that were sent, and of all that nobody goes on with. */
const OVER = ["done", "failed"];
const ENDED = [...OVER, "not_begun"];
const UNDO_ROUNDS = 3;
/** Longer than anything that a dead program sent can be on its way, in milliseconds. */
const ALL_ARRIVED = 200_000;

export const QUEUE_ROLLOUTS: Scenario = {
  name: "queue_rollouts",
  seeds: 10,
  about:
    "Workers apply a rollout from one queue, under a policy and beside others' changes; it ends or is taken off, and is undone",
  async run(world) {
    const { chance, emulator } = world;
    const server = new QueueServer(world, new QueueModel(() => world.now));
    const { rollouts } = server.model;
    const disk = new Disk();
    const profiles = emulator.state.profiles("NA").slice(0, chance.integer("profiles", 2, 3));
    const plans = profiles.map((profile) => planFor(profile, 1 + chance.integer("keywords", 0, 2)));
    const problems = judgeStatements(server, plans.map(({ id }) => id));
    const drift = chance.pick("drift", [{}, { checkDrift: true }, { skipDrifted: true }]);
    const options = {
      serial: chance.pick("stages", [[1, "100%"], [1], ["100%"]] as const),
      stopOnFailures: chance.pick("failures", ["100%", 0] as const),
      ...drift,
    };

    // Of one plan: what the policy forbids of it, and what somebody else changes before it is sent.
    const [hindered, touched] = [chance.pick("hindered plan", plans), chance.pick("touched plan", plans)];
    const rule = chance.pick("policy", ["none", "protect", "most", "too few"]);
    const most = Math.max(...plans.map(({ changes }) => changes.length));
    const rules: Record<typeof rule, string> = {
      none: "",
      protect: `protect: { ids: ["${hindered.changes[0]!.id}"] }`,
      most: `max_changes: ${most}`,
      "too few": `max_changes: ${hindered.changes.length - 1}`,
    };
    disk.put("/policy.yaml", `version: 1\n${rules[rule]}\n`);
    const touch = chance.pick("somebody changes a bid", ["before", "after", "never"]);
    const changeBid = (): number => {
      const keywords = profiles[plans.indexOf(touched)]!.collection("sp.keywords");
      const keyword = keywords.get(touched.changes[0]!.id!)!;
      world.log.add(`= somebody changes the bid of ${keyword["keywordId"]}`);
      const bid = Math.round(100 * Number(keyword["bid"]) + 1) / 100;
      keywords.replace({ ...keyword, bid });
      return bid;
    };
    /** True where somebody's change hides whether a request whose response was lost was carried out. */
    const isUnclear = (planId: string, state: string | undefined): boolean =>
      touch === "before" && planId === touched.id && state === "unfinished";
    const connect = async (): Promise<PlatformAds> => {
      if (rule === "none") return clientIn(world);
      const policy = await loadPolicy("/policy.yaml", { ledger: new FolderLedger("/policy-days") });
      return clientIn(world, { policy });
    };

    /** The queue as the program of a name uses it. */
    const queueOf = (name: string): RolloutQueue => {
      const process = world.processes.find((one) => one.name === name)!;
      return new RolloutQueue({ database: server.connect(process), location: "the queue" } as never);
    };
    const enqueue = async (name: string): Promise<void> => {
      await queueOf(name).enqueue(await Rollout.open(FOLDER), options);
    };
    const withdraw = async (name: string): Promise<void> => {
      await queueOf(name).withdraw(await Rollout.open(FOLDER));
    };
    // Drawn from nothing, so that seeds without it are played as they were before there was one.
    const withdraws = world.seed % 3 === 2;
    await runProgram(world, {
      name: "maker",
      disk,
      main: async () => {
        await Rollout.create(FOLDER, plans);
        if (touch === "before") changeBid();
        await enqueue("maker");
      },
    });

    try {
      const crew = new RolloutCrew({ world, server, disk, connect });
      world.drawFaults(["kill", "freeze", "loseRequest", "loseResponse", "cutBody", "slow"]);
      await world.run(
        Promise.all([crew.work(), withdraws ? meddle({ world, disk, withdraw, enqueue }) : undefined]),
      );
      world.faults = CALM;
      const states = (): string[] => rollouts.plans.map(({ state }) => state);
      if (withdraws) {
        await takeOff({ world, disk, withdraw, crew });
        deepEqual(states().filter((state) => !OVER.includes(state) && state !== "unfinished"), []);
        const ended = rollouts.plans.filter(({ state }) => OVER.includes(state)).map(planKey);
        const left = server.model.jobs.filter(({ key }) => key !== null && !ended.includes(key));
        deepEqual(left, [], "no job is left of what was not begun, or was cut off");
        const writes = (): number => emulator.requests().filter(({ method }) => method === "PUT").length;
        const before = writes();
        await world.run(crew.work());
        equal(writes(), before, "nothing is sent of a rollout that was taken off the queue");
      } else {
        ok(await world.run(crew.finish()), `the rollout stands still: ${states()}`);
        // Plans that the faults kept from being begun or finished are tried anew.
        await runProgram(world, { name: "clerk", disk, main: () => enqueue("clerk") });
        ok(await world.run(crew.finish()), "the rollout stands still after it was put on the queue again");
        for (const { name, error } of world.processes) {
          ok(error === undefined, `${name} threw ${(error as Error)?.stack}`);
        }
        if (rollouts.rollouts[0]?.state === "done") {
          const open = rollouts.plans.filter(({ planId, state }) =>
            !ENDED.includes(state) && !isUnclear(planId, state)
          );
          deepEqual(open.map(({ state, summary }) => `${state}: ${summary}`), [], "every plan has ended");
        } else {
          const why = states().filter((state) => ["failed", "not_begun", "unfinished"].includes(state));
          ok(why.length > 0, `stopped for nothing: ${states()}`);
        }
      }
      deepEqual(problems, []);

      await runProgram(world, {
        name: "collector",
        disk,
        main: async () => {
          await queueOf("collector").collect(await Rollout.open(FOLDER));
        },
      });
      for (const [index, plan] of plans.entries()) {
        const profile = profiles[index]!;
        const state = rollouts.plan(plan.id)?.state;
        const applied = await runProgram(world, {
          name: `reader ${index}`,
          disk,
          main: () => PlanStore.open(FOLDER).applied(plan.id),
        });
        const isSent = ({ id }: Change): boolean =>
          id === null ? words(profile).length > 0 : sends(emulator, profile, id) > 0;
        const sent = plan.changes.filter(isSent).map(name);
        ok(words(profile).length <= 1, `created ${words(profile).length} times`);
        const often = plan.changes.filter(({ id }) => id !== null && sends(emulator, profile, id) > 1);
        deepEqual(often.map(name), [], "no change is sent twice");

        const isTouched = touch === "before" && plan === touched && Object.keys(drift).length > 0;
        if (isTouched) ok(!isSent(plan.changes[0]!), "what somebody else changed is left alone");
        if (isTouched && "checkDrift" in drift) deepEqual(sent, [], "nothing of a plan is sent that drifted");
        const open = plan.changes.length - (isTouched ? 1 : 0);
        const isForbidden = rule === "protect" && plan === hindered && !isTouched ||
          rule === "too few" && open >= hindered.changes.length;
        if (isForbidden) {
          deepEqual(sent, [], `nothing is sent that the policy forbids (${rules[rule]})`);
          ok(!OVER.includes(state ?? ""), `a plan that the policy forbids is ${state}`);
        }
        if (!isForbidden && !isTouched) {
          ok(state !== "not_begun", `plan ${index} was not begun: ${rollouts.plan(plan.id)?.summary}`);
        }
        if (OVER.includes(state ?? "")) {
          const wrong = new Set(wrongBids(profile, plan, "after").map(({ id }) => id));
          explains(applied, plan, {
            isDone: (change) => change.op === "create" ? words(profile).length === 1 : !wrong.has(change.id),
            state,
          });
        } else if (!isUnclear(plan.id, state) && !(withdraws && state === "unfinished")) {
          deepEqual(sent, [], `something was sent of plan ${index}, which is ${state}`);
        }
      }

      // Undoing from the folder is for rollouts of which the workers have done all that they can.
      if (!withdraws && states().some((state) => !OVER.includes(state))) return;
      const done = plans.map((plan, index) => {
        const wrong = new Set(wrongBids(profiles[index]!, plan, "after").map(({ id }) => id));
        return plan.changes.filter(({ id, op }) => op === "update" && !wrong.has(id));
      });
      const theirs = touch === "after" ? changeBid() : undefined;
      const undo = async (): Promise<void> => {
        const ads = clientIn(world);
        const client = ({ profileId, countryCode }: Pick<ChangePlan, "profileId" | "countryCode">) =>
          ads.profileFrom(profileId, countryCode);
        const rollout = await (await Rollout.open(FOLDER)).rollback(client);
        await rollout.apply(client, { stopOnFailures: "100%", skipDrifted: true });
      };
      world.drawFaults();
      for (let round = 1; round <= UNDO_ROUNDS; round++) {
        const programs = [...Array(chance.integer("programs at once", 1, 2)).keys()].map((index) =>
          world.spawn(`undo ${round}.${index}`, { disk, main: undo })
        );
        await world.run(Promise.all(programs.map(({ ended }) => ended)));
        for (const { error } of programs) {
          ok(error === undefined || error instanceof PlatformAdsError, `threw ${(error as Error)?.stack}`);
        }
      }
      world.faults = CALM;
      await world.run(world.pass(ALL_ARRIVED));
      await runProgram(world, { name: "last undo", disk, main: undo });
      for (const [index, plan] of plans.entries()) {
        const profile = profiles[index]!;
        const kept = touch === "after" && plan === touched ? plan.changes[0]!.id : undefined;
        const restored = new Set(done[index]!.map(({ id }) => id));
        const wrong = wrongBids(profile, plan, "before").filter(({ id }) => restored.has(id) && id !== kept);
        deepEqual(wrong, [], "every bid is back");
        deepEqual(
          words(profile).filter(({ state }) => state !== "ARCHIVED"),
          [],
          "what was created is archived",
        );
      }
      if (theirs !== undefined) {
        const bid =
          profiles[plans.indexOf(touched)]!.collection("sp.keywords").get(touched.changes[0]!.id!)!["bid"];
        equal(bid, theirs, "what somebody else changed stays");
      }
    } finally {
      for (const process of world.processes) if (process.name !== "judge") world.kill(process);
    }
  },
};

/** The rollout as the programs of the world use it. */
interface Meddling {
  readonly world: World;
  readonly disk: Disk;
  readonly withdraw: (name: string) => Promise<void>;
  readonly enqueue: (name: string) => Promise<void>;
}

/** Somebody takes the rollout off the queue, and others who do not know of that put it there once more, all at once. */
async function meddle({ world, disk, withdraw, enqueue }: Meddling): Promise<void> {
  const { chance } = world;
  const began: SimProcess[] = [];
  for (const [index, act] of [withdraw, enqueue, withdraw].entries()) {
    await world.pass(chance.integer("seconds until the next", 0, 400) * 1000);
    const name = `meddler ${index}`;
    began.push(world.spawn(name, { disk, main: () => act(name) }));
  }
  await Promise.all(began.map(({ ended }) => ended));
  for (const { name, error } of began) {
    ok(error === undefined || error instanceof PlatformAdsError, `${name} threw ${(error as Error)?.stack}`);
  }
}

/** Takes the rollout off the queue, once the workers have ended what they hold. */
async function takeOff(
  { world, disk, withdraw, crew }: Omit<Meddling, "enqueue"> & { readonly crew: RolloutCrew },
): Promise<void> {
  const tryOnce = (name: string): Promise<unknown> =>
    runProgram(world, { name, disk, main: () => withdraw(name) }).catch((error) => error);
  const refused = await tryOnce("withdrawer");
  if (refused === undefined) return;
  ok(refused instanceof ConfigurationError && /workers are applying/.test(refused.message), `${refused}`);
  ok(await world.run(crew.finish()), "what the workers hold stands still");
  equal(await tryOnce("withdrawer again"), undefined);
}

/** Holds the verdicts on a plan against what the platform did. */
function explains(
  applied: AppliedRecord | undefined,
  plan: ChangePlan,
  { isDone, state }: { isDone: (change: Change) => boolean; state: string | undefined },
): void {
  ok(applied !== undefined, `a plan is ${state} and has no result`);
  for (const [at, change] of plan.changes.entries()) {
    const { outcome }: AppliedVerdict = applied.changes[at]!;
    if (outcome === "done") ok(isDone(change), `${name(change)} is called done`);
    if (outcome === "refused" || outcome === "not_sent") {
      ok(!isDone(change), `${name(change)} is called ${outcome}`);
    }
    if (state === "done") equal(outcome, "done", `${name(change)} of a plan that is done`);
  }
}

function name({ op, kind, label }: Change): string {
  return `${op} ${kind} ${label}`;
}
