import { checkInput } from "../../../../operations/model/check_input.ts";
import { type Fields, inputFrom, type InputOf } from "../../../../operations/model/field.ts";
import type { Operation } from "../../../../operations/model/operation.ts";
import { refusingBadInput } from "../errors/cli_error.ts";
import { commandLine, commandSpelling, fieldValues } from "./field_options.ts";

export function operationDoc<Of extends Fields>(
  { name, summary, details, library, input: fields, examples }: Pick<
    Operation<Of, never, unknown>,
    "name" | "summary" | "details" | "library" | "input" | "examples"
  >,
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
