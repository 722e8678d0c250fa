import { Option } from "@commander-js/extra-typings";
import {
  draftCampaigns,
  type DraftFigures,
  draftLine,
  type GoalAnswers,
  goalsText,
  readDraftFigures,
} from "../../../../account/goals/goal_draft.ts";
import { GOAL_KINDS, type GoalKind } from "../../../../account/goals/goals_file.ts";
import { fileSystem } from "../../../../base/runtime/file_system.ts";
import { nextCommand } from "../../shell/context/shell_words.ts";
import { command } from "../../shell/command.ts";
import { connectProfile } from "../../shell/connect/connect.ts";
import { askText } from "../../shell/context/confirm.ts";
import type { CliContext } from "../../shell/context/context.ts";
import { EXIT, refusingBadInput, UsageError } from "../../shell/io/cli_error.ts";
import { say } from "../../shell/output/write_text.ts";
import { noSyncOption, storeOption } from "../../shell/options/store_option.ts";
import { openSyncedStore } from "../store/open_synced_store.ts";

interface Given {
  readonly select?: string;
  readonly aim?: GoalKind;
  readonly target?: string;
  readonly month?: string;
  readonly never?: string;
}

const TARGETS: Readonly<Record<Exclude<GoalKind, "spend">, string>> = {
  sales: "Maximum ACOS, such as 25%",
  profit: "Profit margin before advertising, such as 30%",
  orders: "Maximum cost per order, such as 8",
};

export const goalsInitCommand = command(
  (kit) =>
    kit.profileLeaf("init", {
      summary: "Write a goals file from five answers, with the account's own figures beside each",
      details:
        "Asks for campaigns, an aim, a target or margin, an amount per month, and names never to touch; each " +
        "answer can be an option instead. An existing file is kept. Figures are those of the last 30 days.",
      examples: [
        ["adsctl plan goals init -m US", "answer five questions"],
        [
          "adsctl plan goals init --demo -m CA --select all --aim sales --target 25% --month 3000 --never none",
          "no questions",
        ],
      ],
    })
      .option("--select <names>", "campaign names separated by commas, * for any text; or all")
      .addOption(new Option("--aim <aim>", "figure to maximize").choices(GOAL_KINDS))
      .option("--target <value>", "maximum ACOS (sales), margin (profit) or cost per order (orders)")
      .option("--month <amount>", "maximum spend per calendar month; or none")
      .option(
        "--never <names>",
        "campaigns and keywords that are never touched, separated by commas; or none",
      )
      .option("--out <file>", "new file (default: goals.yaml)")
      .addOption(storeOption())
      .addOption(noSyncOption()),
  async (options, context) => {
    const { out = "goals.yaml" } = options;
    const exists = (): UsageError =>
      new UsageError(`Cannot write ${out}: the file already exists. Choose another with --out`);
    if (await fileSystem().exists(out)) throw exists();
    ensureAnswers(options, context);
    const profile = await connectProfile(options, context);
    const { figures, fetching } = await openSyncedStore(options, context);
    const known = await fetching(() => readDraftFigures(profile, figures));
    const answers = await askAnswers(options, known, context);
    const text = await refusingBadInput(() => goalsText(known, answers));
    if (!await fileSystem().createText(out, text, { mode: 0o644 })) throw exists();
    const { countryCode } = profile;
    await say(
      `Wrote ${out}. Read it, then plan:\n  ${
        nextCommand(["plan", "goals", out, "-m", countryCode], context.globals)
      }`,
      context,
    );
    return EXIT.done;
  },
);

/**
 * Fails before anything is read if answers are missing and there is no terminal.
 *
 * @throws {UsageError} naming the missing options.
 */
function ensureAnswers(given: Given, { io }: CliContext): void {
  const missing = (["select", "aim", "target", "month", "never"] as const).filter((one) =>
    given[one] === undefined && !(one === "target" && given.aim === "spend")
  );
  if (missing.length === 0 || io.stdin.isTerminal) return;
  throw new UsageError(
    `Cannot ask for the goal: there is no terminal. Add ${missing.map((one) => `--${one}`).join(", ")}`,
  );
}

async function askAnswers(given: Given, figures: DraftFigures, context: CliContext): Promise<GoalAnswers> {
  const ask = async (option: string | undefined, question: string): Promise<string> =>
    (option ?? await askText(`${question}: `, context)).trim();
  const all = draftLine(figures, figures.campaigns);
  const select = listOf(
    await ask(given.select, `${all}\nWhich campaigns? Names, * for any text [all]`),
    "all",
  );
  const chosen = draftLine(figures, draftCampaigns(figures, select));
  const aim = await ask(
    given.aim,
    `${chosen}\nAim: sales, profit, orders or spend (a fixed amount, evenly)? [sales]`,
  ) ||
    "sales";
  const kind = GOAL_KINDS.find((one) => one === aim);
  if (kind === undefined) {
    throw new UsageError(`Cannot use "${aim}" as an aim: expected ${GOAL_KINDS.join(", ")}`);
  }
  const target = kind === "spend" ? "" : await ask(given.target, TARGETS[kind]);
  const month = await ask(given.month, "Maximum spend a month [none]");
  const never = listOf(await ask(given.never, "Never touch campaigns or keywords named [none]"), "none");
  return { select, aim: kind, target, month: month === "none" ? "" : month, never };
}

function listOf(text: string, none: string): readonly string[] {
  const names = text.split(",").map((one) => one.trim()).filter((one) => one !== "");
  return names.length === 1 && names[0] === none ? [] : names;
}
