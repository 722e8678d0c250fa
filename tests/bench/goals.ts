import { decideGoal } from "../../src/account/goals/decide.ts";
import {
  accountLine,
  SIMULATED_SIZES,
  simulateGoals,
  USUAL_WEEKS,
} from "../../src/account/goals/market/simulate_goals.ts";
import { largeGoal } from "../goals/large_goal.ts";
import { type BenchLine, benchLine, processorTime } from "./bench.ts";

/**
 * The accounts of `adsctl plan goals simulate`. `--seeds=1-5` and `--most=300` (targets) choose which; the markets that the
 * constants were chosen on have other seeds.
 */
export async function bench(options: readonly string[]): Promise<BenchLine[]> {
  const option = (name: string): string | undefined =>
    options.find((one) => one.startsWith(`--${name}=`))?.slice(name.length + 3);
  const [first = 1, last = 5] = (option("seeds") ?? "1-5").split("-").map(Number);
  const most = Number(option("most") ?? 5000);
  const { figures } = await simulateGoals({
    sizes: SIMULATED_SIZES.filter(({ targets }) => targets <= most),
    weeks: USUAL_WEEKS,
    seeds: Array.from({ length: last - first + 1 }, (_, at) => first + at),
    onAccount: (account) => console.error(accountLine(account)),
  });
  return [
    ...figures.map(({ measured, value, unit, aim }) =>
      benchLine(measured, value, { unit, ...(aim === null ? {} : { baseline: aim }) })
    ),
    ...await large(),
  ];
}

async function large(): Promise<BenchLine[]> {
  const script = new URL("./support/large_goal_process.ts", import.meta.url).href;
  // V8 leaves garbage as long as there is room: with little room, the peak is what is held.
  const flags = "--v8-flags=--max-semi-space-size=2,--max-old-space-size=300";
  const args = ["run", "-A", "-q", "--no-check", flags, script];
  const { stdout } = await new Deno.Command(Deno.execPath(), { args }).output();
  const { peakMb } = JSON.parse(new TextDecoder().decode(stdout));
  const input = largeGoal(100_000);
  const time = await processorTime(() => decideGoal(input));
  return [
    benchLine("plan for 100,000 targets, processor", time / 1000, { unit: "s", baseline: 10 }),
    benchLine("memory of it, in a process of its own with a heap of 300 MB", peakMb, {
      unit: "MB",
      baseline: 500,
    }),
  ];
}
