import { fileSystem } from "../../../../base/runtime/file_system.ts";
import type { CliContext } from "../../shell/context/context.ts";
import { EXIT } from "../../shell/io/cli_error.ts";
import { say } from "../../shell/output/write_text.ts";
import type { CommandSteps } from "./command_steps.ts";

const DAYS = 60;

export interface FillDemoOptions {
  readonly market: string;
  readonly folder: string;
  readonly store?: string | undefined;
  readonly policy?: string | undefined;
}

/** Completed steps are skipped on a second run. */
export async function fillDemo(
  steps: CommandSteps,
  { market, folder, store, policy }: FillDemoOptions,
  context: CliContext,
): Promise<void> {
  const files = fileSystem();
  const place = store === undefined ? [] : ["--store", store];
  const where = ["-m", market, "--demo", ...place];
  await steps.run(["sync", ...where, "--start", `-${DAYS}`]);

  const plan = files.join(folder, "lower-bids.json");
  if (await files.exists(plan)) await say(`Left ${plan} as it is`, context);
  else {
    const judged = policy === undefined ? [] : ["--policy", policy];
    const condition = [
      "--where",
      "acos30d > 35%",
      "--change",
      "-10%",
      "--note",
      "Lower bids above 35 % ACOS",
    ];
    const text = await steps.run([
      "plan",
      "bids",
      ...where,
      ...condition,
      ...judged,
      "--out",
      plan,
      "--json",
    ]);
    const { counts } = JSON.parse(text) as { counts: { update: number } };
    await say(`Saved ${plan}: a plan of ${counts.update} changes, ready for review`, context);
  }

  const rules = files.join(folder, "watch.yaml");
  if (await files.exists(rules)) await say(`Left ${rules} as it is`, context);
  else await steps.run(["auto", "init", "watch", "--out", rules, "--quiet"]);
  const raised = JSON.parse(
    await steps.run(["auto", "run", "watch", rules, ...where, "--quiet", "--json"], {
      accepted: [EXIT.done, EXIT.someFailed],
    }),
  ) as readonly { raised: readonly unknown[] }[];
  const count = raised.reduce((sum, one) => sum + one.raised.length, 0);
  await say(`${count} new alerts in the inbox of the console`, context);
}
