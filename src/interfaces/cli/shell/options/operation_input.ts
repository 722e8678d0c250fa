import type { Command } from "@commander-js/extra-typings";
import { checkInput } from "../../../../operations/model/check_input.ts";
import { type Fields, inputFrom, type InputOf } from "../../../../operations/model/field.ts";
import type { AnyOperation, Operation } from "../../../../operations/model/operation.ts";
import type { CommandDoc, CommandKit } from "../command.ts";
import { refusingBadInput } from "../errors/cli_error.ts";
import { addFields, commandLine, commandSpelling, fieldValues } from "./field_options.ts";
import type { MarketOptions } from "./market_options.ts";

export function operationDoc(
  { name, summary, details, library, input: fields, examples }: Omit<AnyOperation, "check">,
  { withMarket = true }: { readonly withMarket?: boolean } = {},
) {
  return {
    summary,
    details,
    library,
    examples: examples.map(({ input, about }) =>
      [commandLine(name, { fields, input, withMarket }), about] as const
    ),
  };
}

/** Declares a command on a profile, with the fields of an operation. Examples of the command follow those of the operation. */
export function operationLeaf<
  Args extends readonly string[] = [],
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

export async function operationInput<Of extends Fields>(
  operation: Pick<Operation<Of, never, unknown>, "input" | "check">,
  options: object,
  args: Readonly<Record<string, unknown>> = {},
): Promise<InputOf<Of>> {
  const { input: fields } = operation;
  const input = inputFrom(fields, { ...fieldValues(fields, options), ...args });
  await refusingBadInput(() => checkInput(operation, input, commandSpelling(fields)));
  return input;
}
