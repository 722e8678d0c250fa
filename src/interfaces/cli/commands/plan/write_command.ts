import type { Command, CommandUnknownOpts } from "@commander-js/extra-typings";
import type { Field, Fields } from "../../../../operations/model/field.ts";
import type { WriteOperation } from "../../../../operations/plans/write_operation.ts";
import type { CommandDoc, CommandKit } from "../../shell/command.ts";
import { TOUCH_EXPERIMENTS } from "../../shell/options/experiment_options.ts";
import { addFields } from "../../shell/options/field_options.ts";
import type { MarketOptions } from "../../shell/options/market_options.ts";
import { ENCODING } from "../../shell/options/reading_options.ts";

export type PlanFileOptions = Pick<MarketOptions, keyof MarketOptions> & {
  readonly out?: string;
};
type WriteOptions = PlanFileOptions & { readonly encoding?: string };

type ArgumentsOf<Of extends Fields> = [
  entity: string,
  rest: "ids" extends keyof Of ? string[] : string,
];

export function writeLeaf<Of extends Fields & { readonly entity: Field }>(
  kit: CommandKit,
  { name, summary, details, library, input }: WriteOperation<Of>,
  examples: CommandDoc["examples"],
): Command<ArgumentsOf<Of>, WriteOptions> {
  const leaf = kit.profileLeaf(name.split(" ").at(-1) ?? "", { summary, details, library, examples });
  const full = addPlanOptions(addFields(leaf, input).option(...ENCODING));
  // The types of commander cannot know arguments and options that are declared elsewhere.
  return full as unknown as Command<ArgumentsOf<Of>, WriteOptions>;
}

export function addPlanOptions(command: CommandUnknownOpts): CommandUnknownOpts {
  return command
    .option(...TOUCH_EXPERIMENTS)
    .option("--out <path>", "file or folder for the plan (default: plan-<id>.json)");
}
