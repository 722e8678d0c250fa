import type { Command } from "@commander-js/extra-typings";
import { readNamedFile } from "../../../../../base/runtime/read_named_file.ts";
import { goalsOutcome } from "../../../../../operations/reads/goals_outcome.ts";
import { command } from "../../../shell/command.ts";
import { connectProfile } from "../../../shell/connect/connect.ts";
import { EXIT } from "../../../shell/errors/exit_codes.ts";
import { addFields } from "../../../shell/options/field_options.ts";
import type { MarketOptions } from "../../../shell/options/market_options.ts";
import { operationDoc, operationInput } from "../../../shell/options/operation_input.ts";
import { printJson, wantsData } from "../../../shell/output/print_rows.ts";
import { knownStores } from "../../../shell/plans/plan_folders.ts";
import { openStore } from "../../../shell/store/open_store.ts";
import { storeOption } from "../../../shell/store/store_option.ts";
import type { StoreOptions } from "../../../shell/store/store_place.ts";

type OutcomeOptions = Pick<MarketOptions, keyof MarketOptions> & Pick<StoreOptions, keyof StoreOptions>;

/** `adsctl plan goals outcome`. */
export const goalsOutcomeCommand = command(
  (kit) =>
    // The types of commander cannot know arguments that are declared elsewhere.
    addFields(kit.profileLeaf("outcome", operationDoc(goalsOutcome)), goalsOutcome.input)
      .addOption(storeOption()) as unknown as Command<[goals: string], OutcomeOptions>,
  async (file, options, context) => {
    const document = { text: await readNamedFile(file, "the goals file"), source: file };
    const input = await operationInput(goalsOutcome, options, { goals: document });
    const { profileId } = await connectProfile(options, context);
    const store = await openStore(options, context);
    const plans = await knownStores(context);
    const result = await goalsOutcome.run({ profileId, store, plans, now: context.io.now() }, input);
    if (wantsData(context)) await printJson(goalsOutcome.data?.(result) ?? {}, context);
    else for (const line of result.lines) await context.io.stdout.write(`${line}\n`);
    return EXIT.done;
  },
);
