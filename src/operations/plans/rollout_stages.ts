import { parsePortions, type Portion } from "../../account/rollout/stages.ts";
import type { Fields, InputOf } from "../model/field.ts";
import { JSON_SPELLING, type Spelling } from "../model/operation.ts";

/** Fields of an operation that sends a rollout: the sizes of its stages, and how many plans of a stage may fail. */
export const STAGE_FIELDS = {
  serial: {
    type: "text",
    value: "sizes",
    otherwise: "100%",
    help: "rollout: stage sizes, such as 1,10%,100%; the last one repeats",
    isRare: true,
  },
  stop_on_failures: {
    type: "text",
    value: "portion",
    otherwise: "0",
    help: "rollout: stop after a stage with more failed plans than this number or share",
    isRare: true,
  },
} as const satisfies Fields;

type StageInput = InputOf<typeof STAGE_FIELDS>;

/**
 * Stage sizes that an input chooses, for {@linkcode Rollout.apply}.
 *
 * @param spelling Names the fields in errors. @default as they are declared
 * @throws {RangeError} for a portion that cannot be used.
 */
export function stageSizes(
  { serial = "100%", stop_on_failures: failures = "0" }: StageInput,
  { field }: Spelling = JSON_SPELLING,
): { readonly serial: readonly Portion[]; readonly stopOnFailures: Portion } {
  const read = (name: keyof StageInput, text: string): Portion[] => {
    try {
      return parsePortions(text);
    } catch (error) {
      throw new RangeError(`${field(name)}: ${error instanceof Error ? error.message : error}`, {
        cause: error,
      });
    }
  };
  const [most = 0, ...more] = read("stop_on_failures", failures);
  if (more.length > 0) {
    throw new RangeError(
      `${field("stop_on_failures")}: Cannot use "${failures}": expected one number or share`,
    );
  }
  return { serial: read("serial", serial), stopOnFailures: most };
}
