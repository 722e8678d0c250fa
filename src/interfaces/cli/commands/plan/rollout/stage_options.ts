import { UsageError } from "../../../shell/errors/cli_error.ts";

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
