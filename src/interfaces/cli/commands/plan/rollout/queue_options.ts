import { Option } from "@commander-js/extra-typings";
import type { RolloutQueue } from "../../../../../automation/worker/rollout_queue.ts";
import { QUEUE_PACKAGES, withPackages } from "../../../../../store/model/optional_packages.ts";
import type { CliContext } from "../../../shell/context/context.ts";
import { queueAddress } from "../../../shell/store/store_option.ts";

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
