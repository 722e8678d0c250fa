import { dayOf } from "../../../../base/time/calendar.ts";
import { command } from "../../shell/command.ts";
import { connectAds } from "../../shell/connect/connect.ts";
import { EXIT } from "../../shell/io/cli_error.ts";
import { printJson, wantsData } from "../../shell/output/print_rows.ts";
import { writeText } from "../../shell/output/write_text.ts";

const DAY = 86_400_000;

export const authCheckCommand = command(
  (kit) =>
    kit.leaf("check", {
      summary: "Get an access token, and show when the login expires",
      examples: [["adsctl auth check", "exit code 0 if the login works, 5 if not"]],
      library: "await ads.transport.token(); ads.daysUntilExpiry",
    }),
  async (_, context) => {
    const ads = await connectAds(context);
    await ads.transport.token(context.interruption.signal);
    const days = ads.daysUntilExpiry;
    const expires = days === undefined ? null : dayAfter(context.io.now(), days);
    if (wantsData(context)) {
      await printJson({ ok: true, days_until_expiry: days ?? null, expires_on: expires }, context);
    } else {
      await writeText(`The login works. ${expiryText(days, expires)}\n`, context);
    }
    return EXIT.done;
  },
);

export function expiryText(days: number | undefined, expires: string | null): string {
  if (days === undefined) {
    return "The expiry of the refresh token is unknown: PLATFORM_ADS_CONSENT_DATE is not set";
  }
  if (days < 0) return `The refresh token was due to expire on ${expires}`;
  const left = days === 0 ? "less than a day" : days === 1 ? "1 day" : `${days} days`;
  return `The refresh token expires in ${left}, on ${expires}`;
}

export function dayAfter(now: number, days: number): string {
  return dayOf((Math.ceil(now / DAY) + days) * DAY);
}
