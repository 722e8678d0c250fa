import type { ProfileClient } from "../../client/profile_client.ts";
import { addDays, dayIn } from "../../base/time/calendar.ts";
import { moneyText } from "../../base/text/money_text.ts";
import { decimalsOf } from "../../base/markets/markets.ts";
import type { Alert } from "../watch/alert.ts";
import { alertId } from "../watch/find_alerts.ts";
import type { AlertSeverity } from "../watch/watch_file.ts";
import { missingText } from "./pace.ts";
import type { PacingStatus } from "./read_pacing.ts";

const [WARNING, URGENT] = [90, 100];
/** Number of days before a threshold may raise an alert again; longer than any period in practice. */
const ONCE = 400;
const WEEK = 7;

export async function pacingAlerts(
  statuses: readonly PacingStatus[],
  { profile, now, moved, words = (advice) => advice }: {
    readonly profile: ProfileClient;
    readonly now: number;
    readonly moved: ReadonlyMap<string, string>;
    readonly words?: ((advice: string) => string) | undefined;
  },
): Promise<{ readonly alert: Alert; readonly quietDays: number }[]> {
  const { profileId, countryCode } = profile;
  const day = dayIn(profile.timeZone, now);
  const decimals = decimalsOf(countryCode);
  const found: { alert: Alert; quietDays: number }[] = [];
  for (const status of statuses) {
    const { budget: { name, alerts = [70, 90, 100], amount, over = "alert" }, pace, currency } = status;
    if (pace === undefined) continue;
    const money = (value: number): string =>
      `${moneyText(Number(value.toFixed(decimals)), decimals)} ${currency}`;
    const share = 100 * pace.spent / amount;
    const { forecast } = pace;
    const add = async (
      key: string,
      { title, severity, quietDays }: {
        readonly title: string;
        readonly severity: AlertSeverity;
        readonly quietDays: number;
      },
    ): Promise<void> => {
      const whole = `${name} ${pace.period.start} ${key}`;
      found.push({
        quietDays,
        alert: {
          id: await alertId([profileId, "pacing", whole, day]),
          at: new Date(now).toISOString(),
          profileId,
          countryCode,
          rule: `pacing_${name}`,
          over: "pacing",
          severity,
          key: whole,
          subject: name,
          day,
          since: day,
          title: `${countryCode}: ${title}`,
          text: textOf(status, { money, moved: moved.get(name), over }),
          facts: factsOf(status),
          planId: null,
        },
      });
    };
    // Only the highest that was reached: a first run late in the month says one thing and not three.
    const reached = alerts.filter((percent) => share >= percent).toSorted((a, b) => b - a)[0];
    if (reached !== undefined) {
      await add(String(reached), {
        title: `${name} has spent ${money(pace.spent)}, ${share.toFixed(0)} % of ${
          money(amount)
        }, with ${pace.daysLeft} days left`,
        severity: reached >= URGENT ? "urgent" : reached >= WARNING ? "warning" : "note",
        quietDays: ONCE,
      });
    }
    // Yesterday is missing each night until a sync; an older day may never arrive.
    const late = pace.missing.filter((missing) => missing < addDays(day, -1));
    if (late.length > 0) {
      await add(`missing ${late[0]}`, {
        title: `${name}: ${words(missingText({ missing: late }))}`,
        severity: "warning",
        quietDays: WEEK,
      });
    }
    if (forecast === undefined || share >= URGENT) continue;
    if (forecast.low > amount) {
      await add("over", {
        title: `${name} is forecast to spend ${money(forecast.expected)} of ${
          money(amount)
        } by ${pace.period.end}`,
        severity: "warning",
        quietDays: WEEK,
      });
    } else if (forecast.high < 0.9 * amount && pace.missing.length === 0) {
      await add("under", {
        title:
          `${name} is forecast to spend ${money(forecast.expected)} of ${
            money(amount)
          } by ${pace.period.end}; ` +
          words("planPacing() shows budgets to raise"),
        severity: "note",
        quietDays: WEEK,
      });
    }
  }
  return found;
}

function textOf(
  { pace, notes, weightsFrom }: PacingStatus,
  { money, moved, over }: {
    readonly money: (value: number) => string;
    readonly moved: string | undefined;
    readonly over: string;
  },
): string {
  const { forecast } = pace!;
  return [
    `Period: ${pace!.period.start} to ${pace!.period.end}, ${pace!.daysLeft} days left`,
    `Spent ${money(pace!.spent)}; ideal by yesterday ${money(pace!.ideal)}; today needs ${
      money(pace!.neededToday)
    }`,
    forecast === undefined
      ? "Forecast: unknown, fewer than three days are stored"
      : `Forecast: ${money(forecast.expected)}, between ${money(forecast.low)} and ${money(forecast.high)}`,
    `Weekday weights: ${weightsFrom}`,
    ...(pace!.missing.length > 0
      ? [`${pace!.missing.length} days are not stored, so actual spend is higher`]
      : []),
    ...notes,
    moved ?? (over === "alert" ? "Nothing was changed (over: alert)" : "Nothing was changed"),
  ].join("\n");
}

function factsOf({ pace, budget: { amount } }: PacingStatus): Record<string, number> {
  const { spent, ideal, neededToday, daysLeft, forecast } = pace!;
  return {
    amount,
    spent,
    ideal,
    needed_today: neededToday,
    days_left: daysLeft,
    share: Number((spent / amount).toFixed(4)),
    ...(forecast === undefined
      ? {}
      : { forecast: forecast.expected, forecast_low: forecast.low, forecast_high: forecast.high }),
  };
}
