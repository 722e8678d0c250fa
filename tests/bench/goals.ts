import { decideGoal, type Parts } from "../../src/account/goals/decide.ts";
import type { GoalAim } from "../../src/account/goals/model.ts";
import { largeGoal } from "../goals/market/large_goal.ts";
import { Course, Market, PLACEMENTS } from "../goals/market/market.ts";
import { oracle } from "../goals/market/oracle.ts";
import {
  applied,
  goalInput,
  goals,
  HISTORY_WEEKS,
  knowing,
  noChange,
  play,
  type Played,
  type Policy,
  RULES,
} from "../goals/market/play.ts";
import { type BenchLine, benchLine, median, processorTime } from "./bench.ts";

/** Accounts as `[targets, clicks of a target and week]`. */
const ACCOUNTS = [
  [30, 2],
  [30, 5],
  [30, 20],
  [60, 1],
  [60, 5],
  [60, 12],
  [100, 0.5],
  [100, 3],
  [100, 8],
  [150, 1],
  [150, 5],
  [200, 2],
  [200, 6],
  [300, 1],
  [300, 5],
  [300, 15],
  [500, 5],
  [800, 3],
  [1500, 2],
  [5000, 1],
] as const;
const PROFIT: GoalAim = { kind: "profit" };

/**
 * Plays accounts of 26 weeks, decided from week 9 on, in a market that knows no formula of the optimizer. `--seeds=1-5` and
 * `--most=300` (targets) choose which; the markets that the constants were chosen on have other seeds.
 */
export async function bench(options: readonly string[]): Promise<BenchLine[]> {
  const option = (name: string): string | undefined =>
    options.find((one) => one.startsWith(`--${name}=`))?.slice(name.length + 3);
  const [first = 1, last = 5] = (option("seeds") ?? "1-5").split("-").map(Number);
  const most = Number(option("most") ?? 5000);
  const accounts = ACCOUNTS.filter(([targets]) => targets <= most);
  const played = Array.from({ length: last - first + 1 }, (_, at) => first + at).flatMap((seed) =>
    accounts.map(([targets, clicks]) => {
      const market = new Market({ seed: `report ${seed} ${targets} ${clicks}`, targets, clicks, weeks: 26 });
      const result = playAccount(market);
      console.error(
        `seed ${seed}, ${targets} targets, ${clicks} clicks: ${
          (100 * result.share.goals!).toFixed(0)
        } % of the oracle`,
      );
      return result;
    })
  );
  const of = `${played.length} accounts of ${accounts.length} sizes, seeds ${first} to ${last}`;
  return [
    ...profits(played, of),
    ...rivals(played, of),
    ...ablations(played, of),
    ...others(played, of),
    ...await large(),
  ];
}

type Account = ReturnType<typeof playAccount>;

function playAccount(market: Market) {
  const { clicks } = market.size;
  const best = play(market, knowing(PROFIT));
  const share = (policy: Policy): number => play(market, policy).profit / best.profit;
  const parts = (one: Parts): number => share(goals(PROFIT, { parts: one }));
  const ours = play(market, goals(PROFIT));
  const half = (of: Market, at: number): number => 0.5 * of.margin(at);
  const whole = (of: Market, at: number): number => of.margin(at);
  // An ACOS that can be met: what the best profit has.
  const acos = Math.max(0.1, best.cost / best.sales);
  const strict = play(market, goals({ kind: "sales", acos }));
  // A budget is at least 1 a day, so that a goal refuses less than that for each campaign.
  const amount = Math.max(
    0.7 * 4 * best.cost / (market.size.weeks - HISTORY_WEEKS),
    1.2 * 28 * market.campaigns,
  );
  // The month must hold where a day costs up to twice its budget, too.
  const poor = play(new Market({ ...market.size, dayLimit: 2 }), goals(PROFIT), { amount });
  return {
    clicks,
    elasticity: median(Array.from({ length: market.size.targets }, (_, at) => market.elasticity(at))),
    share: {
      goals: ours.profit / best.profit,
      "no change": share(noChange),
      "+10/-10 % by ACOS": share(RULES["+10/-10 % by ACOS"]!(half)),
      "ACOS × value": share(RULES["ACOS × value"]!(whole)),
      "vendor thresholds": share(RULES["vendor thresholds"]!(half)),
      "without trials": share(goals(PROFIT, { explore: 0 })),
      "without siblings": parts({ shrink: false }),
      "without learned response": parts({ learn: false }),
      "without placements": parts({ placements: false }),
    } as Record<string, number>,
    coverage: coverage(market, ours),
    unlucky: unlucky(market, ours),
    acos: { orders: strict.orders, off: Math.abs(strict.cost / strict.sales / acos - 1) },
    months: poor.months.map((spend) => spend / amount),
  };
}

function profits(played: readonly Account[], of: string): BenchLine[] {
  const band = (name: string, isIn: (clicks: number) => boolean): BenchLine[] => {
    const own = played.filter(({ clicks }) => isIn(clicks));
    if (own.length === 0) return [];
    const shares = own.map(({ share }) => 100 * share.goals!).sort((a, b) => a - b);
    const elasticity = median(own.map((one) => one.elasticity)).toFixed(2);
    return [
      benchLine(
        `profit by that of an oracle, ${name} clicks a target and week, median of ${own.length} (elasticity ${elasticity})`,
        median(shares),
        { unit: "%", baseline: 90 },
      ),
      benchLine(
        `profit by that of an oracle, ${name} clicks a target and week, worst tenth`,
        shares[Math.floor(shares.length / 10)]!,
        { unit: "%" },
      ),
    ];
  };
  return [
    benchLine(`goals: ${of}`, played.length, { unit: "accounts" }),
    ...band("5 or more", (clicks) => clicks >= 5),
    ...band("2 to 4", (clicks) => clicks >= 2 && clicks < 5),
    ...band("at most 1", (clicks) => clicks < 2),
  ];
}

function rivals(played: readonly Account[], of: string): BenchLine[] {
  return [
    ...["no change", ...Object.keys(RULES)].flatMap((name) => [
      benchLine(`profit ahead of "${name}"`, 100 * part(played, ({ share }) => share.goals! > share[name]!), {
        unit: "%",
        baseline: 90,
      }),
      benchLine(
        `profit of "${name}" by that of an oracle, median`,
        100 * median(played.map(({ share }) => share[name]!)),
        { unit: "%" },
      ),
    ]),
    benchLine(
      `more than 2 % below "no change", of ${of}`,
      played.filter(({ share }) => share.goals! < 0.98 * share["no change"]!).length,
      { unit: "accounts", baseline: 0 },
    ),
  ];
}

function ablations(played: readonly Account[], of: string): BenchLine[] {
  return Object.keys(played[0]!.share).filter((name) => name.startsWith("without")).map((name) =>
    benchLine(
      `profit ${name}, by that of an oracle, median of ${of}`,
      100 * median(played.map(({ share }) => share[name]!)),
      { unit: "%" },
    )
  );
}

function others(played: readonly Account[], of: string): BenchLine[] {
  const months = played.flatMap((one) => one.months);
  const large = played.filter(({ acos }) => acos.orders >= 500);
  const intervals = played.flatMap((one) => one.coverage);
  const [low, all] = [0, 1].map((at) => played.reduce((sum, { unlucky }) => sum + unlucky[at]!, 0)) as [
    number,
    number,
  ];
  return [
    benchLine(
      `months above the amount by more than 2 %, of ${months.length}, where a day costs up to twice its budget`,
      months.filter((one) => one > 1.02).length,
      { unit: "months", baseline: 0 },
    ),
    benchLine(`spend of a month by its amount, median`, 100 * median(months), { unit: "%" }),
    benchLine(
      `expected ACOS off its target by more than a tenth, of ${large.length} with 500 orders (${of})`,
      100 * part(large, ({ acos }) => acos.off > 0.1),
      { unit: "%", baseline: 5 },
    ),
    benchLine(
      `intervals of the expected effect that hold, of ${intervals.length}`,
      100 * part(intervals, (isHeld) => isHeld),
      { unit: "%", baseline: 95 },
    ),
    benchLine(
      `targets with 30 clicks held below half of their best bid, 8 weeks later, of ${all}`,
      100 * low / all,
      { unit: "%", baseline: 2 },
    ),
  ];
}

/** Plans whose interval holds the expected effect of the coming week; budgets are those of the plan before and after. */
function coverage(market: Market, { views }: Played): boolean[] {
  const course = new Course(market);
  const held: boolean[] = [];
  for (let week = 0; week < market.size.weeks; week++) {
    const view = views[week - HISTORY_WEEKS];
    const settings = view === undefined ? market.first : view.settings;
    if (view !== undefined && week % 3 === 0) {
      const decision = decideGoal(goalInput(view, { aim: PROFIT }));
      const after = applied(view.settings, decision);
      const profit = (one: typeof after): number =>
        course.expect({ ...one, budgets: one.budgets.map(() => 1e9) }).profit.reduce(
          (sum, of) => sum + of,
          0,
        ) / 7;
      const effect = profit(after) - profit(view.settings);
      if (decision.stopped === null) {
        held.push(decision.effect.low <= effect && effect <= decision.effect.high);
      }
    }
    course.step(views[week + 1 - HISTORY_WEEKS]?.settings ?? settings);
  }
  return held;
}

/** Targets with 30 clicks in the history, and those of them below half of their best bid eight weeks later. */
function unlucky(market: Market, { views }: Played): [low: number, all: number] {
  const week = HISTORY_WEEKS + 8;
  const course = new Course(market);
  for (let at = 0; at < week; at++) course.step(views[at + 1 - HISTORY_WEEKS]?.settings ?? market.first);
  const best = oracle(course, {});
  const own = views[week - HISTORY_WEEKS]!.settings;
  const top = (of: typeof own, at: number): number => {
    const first = market.campaignOf[at]! * PLACEMENTS;
    const mean = (of.adjustments[first]! + of.adjustments[first + 1]! + of.adjustments[first + 2]!) /
      PLACEMENTS;
    return of.bids[at]! * (1 + mean);
  };
  let [low, all] = [0, 0];
  for (let at = 0; at < market.size.targets; at++) {
    const clicks = views[0]!.weeks.reduce((sum, { result }) => sum + result.final.clicks[at]!, 0);
    if (clicks < 30) continue;
    all++;
    if (top(own, at) < 0.5 * top(best, at)) low++;
  }
  return [low, all];
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

function part<Of>(all: readonly Of[], is: (one: Of) => boolean): number {
  return all.length === 0 ? NaN : all.filter(is).length / all.length;
}
