import type { ChangePlan } from "../../../mod.ts";
import { Rollout } from "../../../src/account/mod.ts";
import { RolloutQueue, runWorker } from "../../../src/automation/worker/mod.ts";
import { shownBy } from "./plan_doors.ts";
import type { Door, World } from "./world.ts";
import { drawnUpdates } from "./write_doors.ts";

/** A rollout of a plan for one profile or for both, which a person may approve. */
async function drawnRollout(world: World): Promise<{ rollout: Rollout; plans: ChangePlan[] } | undefined> {
  const { random, clients, markets, folder } = world;
  const wanted = random.integer(0, 2) === 0 ? markets : [random.pick(markets)];
  const plans: ChangePlan[] = [];
  for (const { profileId } of wanted) {
    const client = random.pick(clients.filter((one) => one.profileId === profileId));
    const draft = client.plan();
    for (const { kind, item } of drawnUpdates(world, client)) draft.update(kind as never, item as never);
    const plan = await draft.build();
    if (plan.changes.length > 0) plans.push(plan);
  }
  if (plans.length === 0) return undefined;
  return { rollout: await Rollout.create(`${folder}/rollout-${random.integer(0, 1e9)}`, plans), plans };
}

/** Applies a rollout from its folder. */
export const rollout: Door = async (world, moved) => {
  const drawn = await drawnRollout(world);
  if (drawn === undefined) return;
  const isUnasked = world.random.integer(0, 1) === 0;
  moved({ shown: drawn.plans.flatMap(shownBy), isUnasked });
  const clientOf = (profileId: string) => world.clients.find((one) => one.profileId === profileId)!;
  await drawn.rollout.apply(({ profileId }) => clientOf(profileId), {
    sendAnyway: true,
    ...(isUnasked ? {} : { approvedBy: () => "a person" }),
  });
};

/** Puts a rollout on a queue, and runs a worker until its plans are over. */
export const workers: Door = async (world, moved) => {
  const { queue: address, random } = world;
  const drawn = await drawnRollout(world);
  if (address === undefined || drawn === undefined) return;
  const queue = await RolloutQueue.open(address);
  const stop = new AbortController();
  try {
    await queue.enqueue(drawn.rollout, { serial: ["100%"], stopOnFailures: "100%", sendAnyway: true });
    for (const plan of drawn.plans) world.queued.set(plan.id, plan);
    moved({ shown: [...world.queued.values()].flatMap(shownBy), isUnasked: true });
    if (random.integer(0, 4) === 0) world.loseWrite(0, random.integer(0, 1) === 1);
    const left = new Set(drawn.plans.map(({ id }) => id));
    await runWorker(address, {
      connect: ({ pacer, priority, onEvent }) => {
        const wire = random.pick(["legacy", "unified"] as const);
        return world.connect(wire, undefined, { pacer, priority, onEvent });
      },
      concurrency: 1,
      signal: stop.signal,
      log: ({ event, plan, outcome }) => {
        if (event !== "plan_ended" || typeof plan !== "string") return;
        left.delete(plan);
        if (outcome !== "cut_off") world.queued.delete(plan);
        if (left.size === 0) stop.abort();
      },
    });
    await queue.collect(drawn.rollout);
  } finally {
    stop.abort();
    await queue.close();
  }
};
