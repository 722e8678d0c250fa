import type { PlatformAds } from "../../../../client/platform_ads.ts";
import type { Profile } from "../../../../client/profile.ts";
import { REGIONS } from "../../../../base/markets/markets.ts";
import type { TransportOptions } from "../../../../platform/transport/transport_options.ts";
import { visibleText } from "../../../../base/text/visible_text.ts";
import { command } from "../../shell/command.ts";
import { closingAfter } from "../../shell/context/closing.ts";
import { connectAds } from "../../shell/connect/connect.ts";
import type { CliContext } from "../../shell/context/context.ts";
import { EXIT } from "../../shell/io/cli_error.ts";
import { chosenProfile, marketOption } from "../../shell/options/market_options.ts";
import { printRows } from "../../shell/output/print_rows.ts";
import { writeText } from "../../shell/output/write_text.ts";
import { coloured, stylesFor } from "../../shell/output/styles.ts";
import { errorData } from "../../shell/output/report_error.ts";
import { dayAfter, expiryText } from "./auth_check.ts";

export const authDoctorCommand = command(
  (kit) =>
    kit.leaf("doctor", {
      printsRows: true,
      summary: "Test each part of the connection, and find the cause of a failure",
      details:
        "Tests the settings, pauses requested by the platform, the login, every region, access to a profile, and " +
        "the report store if you name one. It changes nothing in the account.",
      examples: [
        ["adsctl auth doctor", "test everything that is set up"],
        ["adsctl auth doctor -m DE --json", "test one market's profile, and print JSON"],
        ["adsctl auth doctor --forget-pauses", "retry now, even if the platform asked to wait"],
      ],
    })
      .addOption(marketOption())
      .option(
        "--store <place>",
        "report store to test; otherwise PLATFORM_ADS_STORE, if set",
      )
      .option(
        "--forget-pauses",
        "drop pauses requested by the platform, for every process with this login",
      ),
  async (options, context) => {
    const examination = new Examination();
    let connected = false;
    try {
      await closingAfter(context, async (context) => {
        const ads = await connectAds(context, FEW_ATTEMPTS);
        connected = true;
        const regions = Object.keys(ads.platform.regions).join(", ");
        examination.findings.push({ check: "settings", ok: true, detail: `complete; regions ${regions}` });
        examination.findings.push(await pauses(ads, { forget: options.forgetPauses === true, context }));
        await examineLogin(ads, options.market, { context, examination });
      });
    } catch (error) {
      examination.fail(connected ? "end" : "settings", error as Error);
    }
    await examineStore(options.store, { context, examination });
    await print(examination.findings, context);
    return examination.exitCode;
  },
);

/** Reports a failure after three attempts instead of several minutes. */
const FEW_ATTEMPTS: TransportOptions = { retry: { maxAttempts: 3, maxTotalWait: 10 } };

interface Finding {
  readonly check: string;
  readonly ok: boolean;
  readonly detail: string;
}

/** A failing step becomes a finding and determines the exit code. */
class Examination {
  readonly findings: Finding[] = [];
  exitCode: number = EXIT.done;

  async try<T>(check: string, step: () => Promise<{ detail: string; value: T }>): Promise<T | undefined> {
    try {
      const { detail, value } = await step();
      this.findings.push({ check, ok: true, detail });
      return value;
    } catch (error) {
      this.fail(check, error as Error);
      return undefined;
    }
  }

  fail(check: string, error: Error): void {
    this.findings.push({ check, ok: false, detail: error.message });
    if (this.exitCode === EXIT.done) this.exitCode = errorData(error).exit_code;
  }
}

async function pauses(
  { transport: { pacer } }: PlatformAds,
  { forget, context }: { forget: boolean; context: CliContext },
): Promise<Finding> {
  const found = forget ? await pacer.forgetPauses() : await pacer.pauses();
  const now = context.io.now();
  const lines = found.map(({ host, group, profileId, seconds }) => {
    const until = new Date(now + seconds * 1000).toISOString().slice(0, 16).replace("T", " ");
    const who = profileId === undefined ? "requests without a profile" : `profile ${profileId}`;
    return `${who}: ${group} at ${host}, ${Math.ceil(seconds)} s more, until ${until} UTC`;
  });
  const what = found.length === 0
    ? "none"
    : forget
    ? "dropped:"
    : "the platform asked to wait (--forget-pauses):";
  return { check: "pauses", ok: true, detail: [what, ...lines].join("\n") };
}

async function examineLogin(
  ads: PlatformAds,
  market: string | undefined,
  { context, examination }: { context: CliContext; examination: Examination },
): Promise<void> {
  const { signal } = context.interruption;
  const hasToken = await examination.try("token", async () => {
    await ads.transport.token(signal);
    const days = ads.daysUntilExpiry;
    const expires = days === undefined ? null : dayAfter(context.io.now(), days);
    return { detail: `an access token was issued. ${expiryText(days, expires)}`, value: true };
  });
  if (!hasToken) return;
  const profiles = await regionProfiles(ads, examination, signal);
  if (profiles.length === 0) return;
  await examination.try("profile access", async () => {
    const client = market === undefined
      ? ads.profileFrom(profiles[0]!.profileId, profiles[0]!.countryCode)
      : await chosenProfile(ads, { market }, context);
    await client.sp.campaigns.iter({ pageSize: 1, signal }).next();
    return { detail: `campaigns of ${client.profileId} (${client.countryCode}) can be read`, value: true };
  });
}

async function regionProfiles(
  ads: PlatformAds,
  examination: Examination,
  signal: AbortSignal,
): Promise<readonly Profile[]> {
  let profiles: readonly Profile[] = [];
  try {
    profiles = await ads.profiles({ signal });
  } catch {
    // Every region failed; each is reported below.
  }
  for (const region of REGIONS) {
    if (ads.platform.regions[region] === undefined) continue;
    const failure = ads.regionFailures.find((failed) => failed.region === region);
    if (failure !== undefined) examination.fail(`region ${region}`, failure.error);
    else {
      const count = profiles.filter((profile) => profile.region === region).length;
      const detail = `${count} ${count === 1 ? "profile" : "profiles"}`;
      examination.findings.push({ check: `region ${region}`, ok: true, detail });
    }
  }
  return profiles;
}

async function examineStore(
  store: string | undefined,
  { context, examination }: { context: CliContext; examination: Examination },
): Promise<void> {
  if (store === undefined && !context.io.env["PLATFORM_ADS_STORE"]) return;
  await examination.try("store", async () => {
    const { openStore } = await import("../../shell/connect/open_store.ts");
    const opened = await openStore(store === undefined ? {} : { store }, context);
    const pairs = new Set((await opened.coverage()).map(({ profileId, report }) =>
      `${profileId} ${report}`
    )).size;
    return {
      detail: `opened; it holds ${pairs} ${pairs === 1 ? "report" : "reports"} of profiles`,
      value: true,
    };
  });
}

async function print(findings: readonly Finding[], context: CliContext): Promise<void> {
  const { io, globals } = context;
  if (globals.format !== "auto") {
    await printRows(
      findings.map((finding) => ({ ...finding })),
      { columns: ["check", "ok", "detail"] },
      context,
    );
    return;
  }
  const styles = stylesFor(io.stdout, context);
  const width = Math.max(...findings.map(({ check }) => check.length));
  const lines = findings.map(({ check, ok, detail }) => {
    const mark = coloured(ok ? "ok  " : "FAIL", styles);
    const text = detail.split("\n").map(visibleText).join(`\n${" ".repeat(width + 8)}`);
    return `${mark}  ${check.padEnd(width)}  ${text}`;
  });
  await writeText(lines.join("\n") + "\n", context);
}
