import type { RehearsedPlan } from "../../../../account/rollout/rehearse_plan.ts";
import { visibleText } from "../../../../base/text/visible_text.ts";
import type { ChangePlan } from "../../../../plans/change_plan/change_plan.ts";
import { command } from "../../shell/command.ts";
import { connectAds } from "../../shell/connect/connect.ts";
import type { CliContext } from "../../shell/context/context.ts";
import { EXIT, refusingBadInput, UsageError } from "../../shell/io/cli_error.ts";
import { readPlan } from "../../shell/find_plan.ts";
import { printJson, wantsData } from "../../shell/output/print_rows.ts";
import { writeText } from "../../shell/output/write_text.ts";

export const planRehearseCommand = command(
  (kit) =>
    kit.leaf("plan", {
      summary: "Apply a plan to an account copy, and compare the copy with the account",
      details:
        "Shows the result of each change, and differences between copy and account that matter to the plan. Sends " +
        "nothing to the account and leaves the copy unchanged. Exit code 3 if a change is refused, 6 if something " +
        "differs.",
      examples: [["adsctl account rehearse plan plan.json friday.snap", "try the plan on the copy"]],
      library: "await rehearsePlan(plan, { account, copy })",
    })
      .argument("<plan>", "the plan file, or the id of the plan")
      .argument("<copy>", "account copy from adsctl account rehearse pull"),
  async (file, path, _, context) => {
    // The other commands about plans do not wait for the emulator.
    const [{ rehearsePlan }, { PlatformAds }, { readSnapshotFile }, { Emulator }] = await Promise.all([
      import("../../../../account/rollout/rehearse_plan.ts"),
      import("../../../../client/platform_ads.ts"),
      import("../../../demo/rehearsal.ts"),
      import("../../../../emulator/emulator.ts"),
    ]);
    const plan = await readPlan(file, context);
    const copy = await refusingBadInput(() => readSnapshotFile(path));
    if (!copy.profiles.some(({ record }) => record.profileId === plan.profileId)) {
      throw new UsageError(
        `Cannot rehearse plan ${plan.id}: it is for profile ${plan.profileId} (${plan.countryCode}), which "${path}" does ` +
          'not hold. "adsctl account rehearse pull" takes a copy of it',
      );
    }
    const ads = await connectAds(context);
    const { signal } = context.interruption;
    const emulator = await Emulator.start({ account: copy });
    try {
      const onCopy = new PlatformAds(emulator.credentials, { platform: emulator.platform });
      const rehearsed = await rehearsePlan(plan, {
        account: await ads.profileFrom(plan.profileId, plan.countryCode),
        copy: await onCopy.profile(plan.profileId),
        signal,
      });
      await show(rehearsed, { plan, takenAt: copy.takenAt, context });
      if (!rehearsed.result.ok) return EXIT.someFailed;
      return rehearsed.differences.length === 0 ? EXIT.done : EXIT.differences;
    } finally {
      await emulator.stop();
    }
  },
);

async function show(
  { result, differences }: RehearsedPlan,
  { plan, takenAt, context }: { plan: ChangePlan; takenAt: string; context: CliContext },
): Promise<void> {
  if (wantsData(context)) {
    const { plan_id: _, ...data } = result.toData();
    await printJson({ plan_id: plan.id, copy_taken_at: takenAt, rehearsed: data, differences }, context);
    return;
  }
  const lines = [`REHEARSAL on the copy of ${takenAt}: ${result.summary()}`];
  for (const { change, outcome, error } of result.changes) {
    if (outcome === "done") continue;
    lines.push(
      `  ${outcome} ${change.op} ${change.kind} ${change.label}${
        error === undefined ? "" : `: ${error.message}`
      }`,
    );
  }
  if (differences.length === 0) {
    lines.push("The account matches the copy in everything that matters to the plan");
  } else {lines.push(
      `The account differs from the copy in ${differences.length} values that matter to the plan:`,
    );}
  for (const { kind, label, field, copy, account } of differences) {
    const what = field === null ? "" : ` ${field}`;
    lines.push(`  ${kind} ${label}${what}: copy ${text(copy)}, account ${text(account)}`);
  }
  await writeText(lines.map((line) => `${visibleText(line)}\n`).join(""), context);
}

function text(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
