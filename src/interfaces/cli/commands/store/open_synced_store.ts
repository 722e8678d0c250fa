import type { FigureOptions } from "../../../../account/jobs/ensure_stored.ts";
import type { JobPlanOptions } from "../../../../account/jobs/job_result.ts";
import { managedIn } from "../../../../automation/pacing/managed_ids.ts";
import { commandWords } from "../../../../operations/model/command_words.ts";
import type { CliContext } from "../../shell/context/context.ts";
import { refusingBadInput } from "../../shell/io/cli_error.ts";
import { type StoreOptions, storePlace } from "../../shell/options/store_option.ts";
import { openStore } from "../../shell/connect/open_store.ts";
import { SyncProgressLines } from "./sync_progress_lines.ts";

interface SyncedStoreOptions extends StoreOptions {
  readonly sync: boolean;
}

interface SyncedStore {
  readonly figures: FigureOptions & Pick<JobPlanOptions, "scheduled" | "paced" | "plans"> & {
    readonly signal: AbortSignal;
  };
  readonly say: (line: string) => void;
  readonly fetching: <T>(work: () => Promise<T>) => Promise<T>;
}

export async function openSyncedStore(
  options: SyncedStoreOptions,
  context: CliContext,
): Promise<SyncedStore> {
  const { interruption: { signal } } = context;
  const store = await openStore({ ...options, create: options.sync }, context);
  const progress = new SyncProgressLines(context);
  const say = (line: string): void => progress.say(commandWords(line));
  const sync = options.sync && {
    onProgress: (made: Parameters<SyncProgressLines["tell"]>[0]) => progress.tell(made),
    onWarning: (message: string) => say(`warning: ${message}`),
  };
  return {
    figures: {
      ...{ store, sync, signal, onSync: say, ...managedIn(storePlace(options, context)) },
      plans: async () => await (await import("../../shell/connect/plan_folders.ts")).knownStores(context),
    },
    say,
    fetching: (work) => refusingBadInput(work).finally(() => progress.end()),
  };
}
