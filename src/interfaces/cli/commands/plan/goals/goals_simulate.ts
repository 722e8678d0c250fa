import type { Command } from "@commander-js/extra-typings";
import { goalsSimulate } from "../../../../../operations/reads/goals_simulate.ts";
import { command } from "../../../shell/command.ts";
import { EXIT } from "../../../shell/errors/exit_codes.ts";
import { addFields, fieldWords } from "../../../shell/options/field_options.ts";
import { operationDoc, operationInput } from "../../../shell/options/operation_input.ts";
import { printJson, wantsData } from "../../../shell/output/print_rows.ts";
import { say } from "../../../shell/output/write_text.ts";

/** Examples for the command, without a market because no account is read. */
const examples = goalsSimulate.examples.map(({ input, about }) =>
  [["adsctl", goalsSimulate.name, ...fieldWords(goalsSimulate.input, input)].join(" "), about] as const
);

/** `adsctl plan goals simulate`. */
export const goalsSimulateCommand = command(
  (kit) =>
    // The types of commander cannot know options that are declared elsewhere.
    addFields(
      kit.leaf("simulate", { ...operationDoc(goalsSimulate), examples }),
      goalsSimulate.input,
    ) as Command<
      [],
      Record<string, unknown>
    >,
  async (options, context) => {
    const input = await operationInput(goalsSimulate, options);
    const { signal } = context.interruption;
    const result = await goalsSimulate.run({ signal, onAccount: (line) => say(line, context) }, input);
    if (wantsData(context)) await printJson(goalsSimulate.data?.(result) ?? {}, context);
    else for (const line of goalsSimulate.lines?.(result) ?? []) await context.io.stdout.write(`${line}\n`);
    return EXIT.done;
  },
);
