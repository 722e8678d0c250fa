import { QUEUE_PACKAGES, withPackages } from "../../../../store/model/optional_packages.ts";

export function importQueue(): Promise<typeof import("../../../../store/queue/sync_queue.ts")> {
  return withPackages(
    "a queue",
    QUEUE_PACKAGES,
    () => import("../../../../store/queue/sync_queue.ts"),
  );
}
