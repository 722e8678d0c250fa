import { Option } from "@commander-js/extra-typings";
import { UsageError } from "../../../shell/errors/cli_error.ts";

export function serialOption(): Option<"--serial <sizes>"> {
  return new Option(
    "--serial <sizes>",
    "rollout: stage sizes, such as 1,10%,100%; the last one repeats (default: 100%)",
  );
}

/** Option for the number or share of a stage's plans that may fail. */
export function stopOnFailuresOption(): Option<"--stop-on-failures <portion>"> {
  return new Option(
    "--stop-on-failures <portion>",
    "rollout: stop after a stage with more failed plans than this number or share (default: 0)",
  );
}

/**
 * Refuses stages for a single plan.
 *
 * @throws {UsageError} when they are given.
 */
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
