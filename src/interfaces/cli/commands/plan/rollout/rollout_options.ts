import type { RolloutQueue } from "../../../../../automation/worker/rollout_queue.ts";
import { QUEUE_PACKAGES, withPackages } from "../../../../../store/model/optional_packages.ts";
import type { CliContext } from "../../../shell/context/context.ts";
import { UsageError } from "../../../shell/io/cli_error.ts";
import { queueAddress } from "../../../shell/options/store_option.ts";
import { Option } from "@commander-js/extra-typings";

export function refuseStages(
  { serial, stopOnFailures, store, enqueue }: {
    serial?: string;
    stopOnFailures?: string;
    store?: string;
    enqueue?: true;
  },
): void {
  if ([serial, stopOnFailures, store, enqueue].every((given) => given === undefined)) return;
  throw new UsageError(
    "Cannot apply or undo a single plan in stages or on a queue: --serial, --stop-on-failures, --store and --enqueue are " +
      "for a rollout",
  );
}

export interface RolloutQueueOptions {
  readonly enqueue?: true;
  readonly store?: string;
}

export function enqueueOption(): Option<"--enqueue"> {
  return new Option(
    "--enqueue",
    "rollout: queue it for the workers of a PostgreSQL store (adsctl auto worker)",
  );
}

export function queueOption(): Option<"--store <address>"> {
  return new Option(
    "--store <address>",
    "rollout on a queue: postgres://USER:PASSWORD@HOST:PORT/DATABASE; otherwise PLATFORM_ADS_STORE",
  );
}

export async function openRolloutQueue(
  { store }: RolloutQueueOptions,
  context: CliContext,
): Promise<RolloutQueue> {
  const address = queueAddress(store, context);
  const { RolloutQueue } = await withPackages(
    "a queue",
    QUEUE_PACKAGES,
    () => import("../../../../../automation/worker/rollout_queue.ts"),
  );
  const queue = await RolloutQueue.open(address);
  context.closing.later(() => queue.close());
  return queue;
}
