import type { PlatformAds } from "../../../../client/platform_ads.ts";
import type { CliContext } from "../context/context.ts";
import { fileSystem } from "../../../../base/runtime/file_system.ts";
import { stateFolder } from "../../../../base/runtime/user_folders.ts";
import { dayOf } from "../../../../base/time/calendar.ts";

/** Days before the refresh token expires at which warnings start. */
export const WARN_DAYS = 30;

export async function warnOfExpiry(
  { clientId, daysUntilExpiry: daysLeft }: Pick<PlatformAds, "clientId" | "daysUntilExpiry">,
  { io, globals }: CliContext,
): Promise<void> {
  if (daysLeft === undefined || daysLeft > WARN_DAYS || globals.quiet) return;
  if (!await firstToday(`${clientId} ${daysLeft}`, io)) return;
  const when = daysLeft < 0
    ? "expired"
    : daysLeft === 0
    ? "expires in less than a day"
    : `expires in ${daysLeft} ${daysLeft === 1 ? "day" : "days"}`;
  await io.stderr.write(`warning: The refresh token ${when}. Consent again with "adsctl auth url"\n`);
}

/** True once a day per login; always true if nothing can be stored. */
async function firstToday(login: string, io: CliContext["io"]): Promise<boolean> {
  const today = dayOf(io.now());
  try {
    const path = `${stateFolder(io.env)}/expiry-warned`;
    const files = fileSystem();
    const [day, ...logins] = (await files.readText(path).catch(() => "")).trim().split("\n");
    if (day === today && logins.includes(login)) return false;
    const warned = day === today ? [...logins, login] : [login];
    await files.writeText(path, `${[today, ...warned].join("\n")}\n`);
  } catch {
    // A folder that cannot be written must not silence the warning.
  }
  return true;
}
