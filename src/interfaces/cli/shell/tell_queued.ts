import type { CliContext } from "./context/context.ts";
import type { ManyProfilesOptions } from "./options/many_profiles.ts";
import { printJson } from "./output/print_rows.ts";
import { wantsData } from "./output/wants_data.ts";

interface Queued {
  readonly cron?: string | undefined;
  readonly jobs?: number | undefined;
}

/** Says what was put on the queue; `shows` is the command that shows what becomes of it. */
export async function tellQueued({ cron, jobs }: Queued, shows: string, context: CliContext): Promise<void> {
  if (wantsData(context)) {
    const data = { ...(cron === undefined ? {} : { cron }), ...(jobs === undefined ? {} : { jobs }) };
    return await printJson(data, context);
  }
  if (context.globals.quiet) return;
  const { stderr } = context.io;
  if (cron === "off") await stderr.write("Schedule removed\n");
  else if (cron !== undefined) {
    await stderr.write(`Workers will do it at "${cron}" UTC while at least one is running\n`);
  }
  if (jobs === undefined) return;
  const counted = jobs === 1 ? "1 job" : `${jobs} jobs`;
  await stderr.write(`On the queue: ${counted}. "adsctl auto worker" runs them, ${shows}\n`);
}

/** Ids of the profiles of a schedule; `null` for all of the login, those that join it later included. */
export function scheduledProfiles(
  { allProfiles, except, accountType, accountName }: ManyProfilesOptions,
  profiles: readonly { readonly profileId: string }[],
): string[] | null {
  const isEveryone = allProfiles && except === undefined && accountType === undefined &&
    accountName === undefined;
  return isEveryone ? null : profiles.map(({ profileId }) => profileId).sort();
}
