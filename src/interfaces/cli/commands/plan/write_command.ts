import type { Command, CommandUnknownOpts } from "@commander-js/extra-typings";
import { type Field, type Fields, inputFrom } from "../../../../operations/model/field.ts";
import type { WriteOperation } from "../../../../operations/plans/write_operation.ts";
import type { CommandDoc, CommandKit } from "../../shell/command.ts";
import { refusingBadInput } from "../../shell/errors/cli_error.ts";
import { TOUCH_EXPERIMENTS } from "../../shell/options/experiment_options.ts";
import { addFields, commandSpelling } from "../../shell/options/field_options.ts";
import type { MarketOptions } from "../../shell/options/market_options.ts";
import { ENCODING } from "../../shell/options/reading_options.ts";

/** Options of commands that plan writes, beside the fields of their operations. */
type WriteOptions = Pick<MarketOptions, keyof MarketOptions> & {
  readonly encoding?: string;
  readonly skipDenied?: true;
  readonly out?: string;
};

/** Arguments of a command: the required fields of its operation. */
type ArgumentsOf<Of extends Fields> = [
  entity: string,
  rest: "ids" extends keyof Of ? string[] : string,
];

/** Option of commands that name entities by id. */
export const ALLOW_MISSING = [
  "--allow-missing",
  "end with 0 although ids were not found; otherwise with 3",
] as const;

/** The declaration of a command that plans writes, with the formats of its files as examples. */
export function writeLeaf<Of extends Fields & { readonly entity: Field }>(
  kit: CommandKit,
  { name, summary, details, library, input }: WriteOperation<Of>,
  examples: CommandDoc["examples"],
): Command<ArgumentsOf<Of>, WriteOptions> {
  const leaf = kit.profileLeaf(name.split(" ").at(-1) ?? "", { summary, details, library, examples });
  const full: CommandUnknownOpts = addFields(leaf, input)
    .option(...ENCODING)
    .option("--skip-denied", "leave out what the policy denies, and plan the rest")
    .option(...TOUCH_EXPERIMENTS)
    .option("--out <path>", "file or folder for the plan; otherwise plan-<id>.json in this folder");
  // The types of commander cannot know arguments and options that are declared elsewhere.
  return full as unknown as Command<ArgumentsOf<Of>, WriteOptions>;
}

/** @throws {UsageError} for an input that the operation refuses. */
export async function checkInput<Of extends Fields>(
  { input: fields, check }: WriteOperation<Of>,
  values: Readonly<Record<string, unknown>>,
): Promise<void> {
  await refusingBadInput(() => check?.(inputFrom(fields, values), commandSpelling(fields)));
}
