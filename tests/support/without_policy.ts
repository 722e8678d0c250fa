/** The tag of tests of writes that do not run under a policy: see `scripts/run_tests/under_policy.ts`. */
import { marks } from "../../scripts/run_tests/marks.ts";

/** Keeps the test that is declared next from running under a policy. The run prints the reason. */
export function withoutPolicy(reason: string): void {
  marks.whyWithoutPolicy = reason;
}
