import { managedIn } from "../../../../automation/pacing/managed_ids.ts";
import { readNamedFile } from "../../../../base/runtime/read_named_file.ts";
import { visibleText } from "../../../../base/text/visible_text.ts";
import { goalsOf, planGoals } from "../../../../operations/jobs/plan_goals.ts";
import type { Fields } from "../../../../operations/model/field.ts";
import type { Operation } from "../../../../operations/model/operation.ts";
import { goalsOutcome } from "../../../../operations/reads/goals_outcome.ts";
import { goalsShow, type GoalsShowContext } from "../../../../operations/reads/goals_show.ts";
import { goalsSimulate } from "../../../../operations/reads/goals_simulate.ts";
import { command, type MakeCommand, withCommands } from "../../shell/command.ts";
import { connectProfile } from "../../shell/connect/connect.ts";
import { openStore } from "../../shell/connect/open_store.ts";
import { knownStores } from "../../shell/connect/plan_folders.ts";
import { EXIT } from "../../shell/io/cli_error.ts";
import { addFields, fieldWords } from "../../shell/options/field_options.ts";
import type { MarketOptions } from "../../shell/options/market_options.ts";
import { operationDoc, operationInput } from "../../shell/options/operation_input.ts";
import { storeOption, type StoreOptions, storePlace } from "../../shell/options/store_option.ts";
import { printJson, wantsData } from "../../shell/output/print_rows.ts";
import { say } from "../../shell/output/write_text.ts";
import { jobCommand } from "./jobs/job_command.ts";
import { goalsInitCommand } from "./goals_init.ts";
import { type Command, Option } from "@commander-js/extra-typings";

const planGoalsCommand = jobCommand(planGoals, {
  options: [new Option("--check", "check the whole file, without reading the account")],
  examples: [
    ["adsctl plan goals goals.yaml --check", "list every mistake as file:line: message"],
    ["adsctl plan goals goals.yaml -m CA --explain 123456789", "the arithmetic of one keyword"],
  ],
  checked: async ({ goals: document }) => {
    const { source, goals } = await goalsOf(document);
    return goals.map(({ name, aim, limits: { month } }) =>
      `${source}: ${name}: ${aim}${month === undefined ? "" : `, ${month} a month at most`}`
    );
  },
});

/** Examples for the command, without a market because no account is read. */
const examples = goalsSimulate.examples.map(({ input, about }) =>
  [["adsctl", goalsSimulate.name, ...fieldWords(goalsSimulate.input, input)].join(" "), about] as const
);

/** `adsctl plan goals simulate`. */
const goalsSimulateCommand = command(
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

type ReadOptions = Pick<MarketOptions, keyof MarketOptions> & Pick<StoreOptions, keyof StoreOptions>;

/** Builds a command that shows information about the goals in a file. */
function goalsRead<Of extends Fields, Result>(
  name: string,
  operation: Operation<Of, GoalsShowContext & { readonly profileId: string }, Result>,
): MakeCommand {
  return command(
    (kit) =>
      // The types of commander cannot know arguments that are declared elsewhere.
      addFields(kit.profileLeaf(name, operationDoc(operation)), operation.input)
        .addOption(storeOption()) as unknown as Command<[goals: string], ReadOptions>,
    async (file, options, context) => {
      const document = { text: await readNamedFile(file, "the goals file"), source: file };
      const input = await operationInput(operation, options, { goals: document });
      const profile = await connectProfile(options, context);
      const place = storePlace(options, context);
      const result = await operation.run({
        ...{ profile, profileId: profile.profileId, ...managedIn(place) },
        store: await openStore(options, context),
        plans: await knownStores(context),
        now: context.io.now(),
        signal: context.interruption.signal,
      }, input);
      if (wantsData(context)) await printJson(operation.data?.(result) ?? {}, context);
      else {
        for (const line of operation.lines?.(result) ?? []) {
          await context.io.stdout.write(`${visibleText(line)}\n`);
        }
      }
      return EXIT.done;
    },
  );
}

/** `adsctl plan goals show`. */
const goalsShowCommand = goalsRead("show", goalsShow);

/** `adsctl plan goals outcome`. */
const goalsOutcomeCommand = goalsRead("outcome", goalsOutcome);

export const goalsCommand = withCommands(planGoalsCommand, [
  goalsInitCommand,
  goalsShowCommand,
  goalsOutcomeCommand,
  goalsSimulateCommand,
]);
