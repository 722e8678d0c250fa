import { checkInput } from "../../../../operations/model/check_input.ts";
import { type Fields, inputFrom, type InputOf } from "../../../../operations/model/field.ts";
import type { AnyOperation, Operation } from "../../../../operations/model/operation.ts";
import { refusingBadInput } from "../io/cli_error.ts";
import { commandLine, commandSpelling, fieldValues } from "./field_options.ts";

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
