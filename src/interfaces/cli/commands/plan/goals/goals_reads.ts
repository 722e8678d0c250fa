import type { Command } from "@commander-js/extra-typings";
import { pacedIn } from "../../../../../automation/pacing/paced_ids.ts";
import { scheduledIn } from "../../../../../automation/schedules/scheduled_ids.ts";
import { readNamedFile } from "../../../../../base/runtime/read_named_file.ts";
import { visibleText } from "../../../../../base/text/visible_text.ts";
import type { Fields } from "../../../../../operations/model/field.ts";
import type { Operation } from "../../../../../operations/model/operation.ts";
import { goalsOutcome } from "../../../../../operations/reads/goals_outcome.ts";
import { goalsShow, type GoalsShowContext } from "../../../../../operations/reads/goals_show.ts";
import { command, type MakeCommand } from "../../../shell/command.ts";
import { connectProfile } from "../../../shell/connect/connect.ts";
import { EXIT } from "../../../shell/errors/exit_codes.ts";
import { addFields } from "../../../shell/options/field_options.ts";
import type { MarketOptions } from "../../../shell/options/market_options.ts";
import { operationDoc, operationInput } from "../../../shell/options/operation_input.ts";
import { printJson, wantsData } from "../../../shell/output/print_rows.ts";
import { knownStores } from "../../../shell/plans/plan_folders.ts";
import { openStore } from "../../../shell/store/open_store.ts";
import { storeOption } from "../../../shell/store/store_option.ts";
import { type StoreOptions, storePlace } from "../../../shell/store/store_place.ts";

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
        ...{ profile, profileId: profile.profileId, scheduled: scheduledIn(place), paced: pacedIn(place) },
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
export const goalsShowCommand = goalsRead("show", goalsShow);

/** `adsctl plan goals outcome`. */
export const goalsOutcomeCommand = goalsRead("outcome", goalsOutcome);
