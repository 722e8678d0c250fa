import type { Command } from "@commander-js/extra-typings";
import type { AnyOperation } from "../../../operations/model/operation.ts";
import type { CommandDoc, CommandKit } from "./command.ts";
import { addFields } from "./options/field_options.ts";
import type { MarketOptions } from "./options/market_options.ts";
import { operationDoc } from "./options/operation_input.ts";

/** Declares a command on a profile, with the fields of an operation. Examples of the command follow those of the operation. */
export function operationLeaf<
  Args extends readonly (string | undefined)[] = [],
  Own extends object = Record<never, never>,
>(
  kit: CommandKit,
  operation: Omit<AnyOperation, "check">,
  doc: Partial<CommandDoc> = {},
): Command<[...Args], Pick<MarketOptions, keyof MarketOptions> & Own> {
  const name = operation.name.split(" ").at(-1) ?? "";
  const own = operationDoc(operation);
  const examples = [...own.examples, ...doc.examples ?? []];
  const leaf = addFields(kit.profileLeaf(name, { ...own, ...doc, examples }), operation.input);
  // The types of commander cannot know options that are declared elsewhere.
  return leaf as unknown as Command<[...Args], Pick<MarketOptions, keyof MarketOptions> & Own>;
}
