import { QUEUE_PACKAGES, withPackages } from "../../../../store/model/optional_packages.ts";

/**
 * Loads what puts syncs on the queue of a PostgreSQL store.
 *
 * @throws {ConfigurationError} that says what to install when a package of the queue is missing.
 */
export function importQueue(): Promise<typeof import("../../../../store/queue/sync_queue.ts")> {
  return withPackages(
    "a queue",
    QUEUE_PACKAGES,
    () => import("../../../../store/queue/sync_queue.ts"),
  );
}
