import type { Rollout } from "../../../../../account/rollout/rollout.ts";
import type { QueuedRollout } from "../../../../../automation/worker/rollout_queue.ts";
import type { CliContext } from "../../../shell/context/context.ts";
import { EXIT } from "../../../shell/io/cli_error.ts";
import { refusing } from "../../../shell/find_plan.ts";
import { openRollout } from "./open_rollout.ts";
import { nextCommand } from "../../../shell/context/shell_words.ts";
import { openRolloutQueue, type RolloutQueueOptions } from "./rollout_options.ts";
import { printRollout, type ShownEntry } from "./rollout_rows.ts";
import { say } from "../../../shell/output/write_text.ts";

export async function showRollout(
  { file, ...options }: RolloutQueueOptions & { readonly file: string },
  context: CliContext,
): Promise<number> {
  const { io, globals } = context;
  const rollout = await openRollout(file, context);
  const entries = await refusing(() => rollout.entries());
  if (!entries.some(({ state }) => state === "queued")) {
    await printRollout(rollout, entries, context);
    return EXIT.done;
  }
  const place = options.store ?? io.env["PLATFORM_ADS_STORE"];
  if (place === undefined || place === "") {
    await printRollout(rollout, entries, context);
    await say("It is on a queue: --store, or PLATFORM_ADS_STORE, shows its progress", {
      io,
      globals,
    });
    return EXIT.done;
  }
  const queue = await openRolloutQueue(options, context);
  const queued = await queue.collect(rollout);
  return await printQueued(rollout, { queued, file }, context);
}

export async function printQueued(
  rollout: Rollout,
  { queued, file }: { queued: QueuedRollout | undefined; file: string },
  context: CliContext,
): Promise<number> {
  const { io, globals } = context;
  const plans = new Map(queued?.plans.map((plan) => [plan.planId, plan]));
  const entries = (await rollout.entries()).map((entry): ShownEntry => {
    const there = entry.state === "queued" ? plans.get(entry.plan.id) : undefined;
    return there === undefined
      ? entry
      : { ...entry, shown: there.state, summary: there.summary ?? entry.summary };
  });
  await printRollout(rollout, entries, context);
  if (queued === undefined) {
    await io.stderr.write(
      "error: This queue does not have the rollout: name the store whose queue it is on\n",
    );
    return EXIT.usage;
  }
  if (queued.state === "stopped" && !globals.quiet) {
    const next = nextCommand(["plan", "resume", file, "--enqueue"], globals);
    await io.stderr.write(
      `Stopped: ${queued.stopped}. No more plans were started. To continue:\n  ${next}\n`,
    );
  }
  if (queued.state === "running" && !globals.quiet) {
    const next = nextCommand(["plan", "show", file], globals);
    await io.stderr.write(
      `On the queue: ${
        nextCommand(["auto", "worker"], globals)
      } applies it. To see its progress:\n  ${next}\n`,
    );
  }
  const isOver = queued.plans.every(({ state }) => state === "done");
  return queued.state === "running" || isOver ? EXIT.done : EXIT.someFailed;
}
