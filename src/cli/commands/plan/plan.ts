import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import type { CommandKit } from "../../core/command.ts";
import { lazyImport } from "../../core/lazy_import.ts";

/** The commands below `plan` in the order of their help, by the word that names each. */
const SUBCOMMANDS: Readonly<Record<string, () => Promise<(kit: CommandKit) => CommandUnknownOpts>>> = {
  "update": () =>
    lazyImport<typeof import("./plan_update.ts")>("commands/plan/plan_update").then((module) =>
      module.planUpdateCommand
    ),
  "create": () =>
    lazyImport<typeof import("./plan_create.ts")>("commands/plan/plan_create").then((module) =>
      module.planCreateCommand
    ),
  "archive": () =>
    lazyImport<typeof import("./plan_archive.ts")>("commands/plan/plan_archive").then((module) =>
      module.planArchiveCommand
    ),
  "call": () =>
    lazyImport<typeof import("./plan_call.ts")>("commands/plan/plan_call").then((module) =>
      module.planCallCommand
    ),
  "from": () =>
    lazyImport<typeof import("./plan_from.ts")>("commands/plan/plan_from").then((module) =>
      module.planFromCommand
    ),
  "from-history": () =>
    lazyImport<typeof import("./plan_from_history.ts")>("commands/plan/plan_from_history").then((module) =>
      module.planFromHistoryCommand
    ),
  "bids": () =>
    lazyImport<typeof import("./jobs/plan_bids.ts")>("commands/plan/jobs/plan_bids").then((module) =>
      module.planBidsCommand
    ),
  "harvest": () =>
    lazyImport<typeof import("./jobs/plan_harvest.ts")>("commands/plan/jobs/plan_harvest").then((module) =>
      module.planHarvestCommand
    ),
  "negatives": () =>
    lazyImport<typeof import("./jobs/plan_negatives.ts")>("commands/plan/jobs/plan_negatives").then((
      module,
    ) => module.planNegativesCommand),
  "budgets": () =>
    lazyImport<typeof import("./jobs/plan_budgets.ts")>("commands/plan/jobs/plan_budgets").then((module) =>
      module.planBudgetsCommand
    ),
  "held-back": () =>
    lazyImport<typeof import("./plan_held_back.ts")>("commands/plan/plan_held_back").then((module) =>
      module.planHeldBackCommand
    ),
  "list": () =>
    lazyImport<typeof import("./plan_list.ts")>("commands/plan/plan_list").then((module) =>
      module.planListCommand
    ),
  "show": () =>
    lazyImport<typeof import("./plan_show.ts")>("commands/plan/plan_show").then((module) =>
      module.planShowCommand
    ),
  "approve": () =>
    lazyImport<typeof import("./plan_approve.ts")>("commands/plan/plan_approve").then((module) =>
      module.planApproveCommand
    ),
  "apply": () =>
    lazyImport<typeof import("./plan_apply.ts")>("commands/plan/plan_apply").then((module) =>
      module.planApplyCommand
    ),
  "resume": () =>
    lazyImport<typeof import("./plan_resume.ts")>("commands/plan/plan_resume").then((module) =>
      module.planResumeCommand
    ),
  "undo": () =>
    lazyImport<typeof import("./plan_undo.ts")>("commands/plan/plan_undo").then((module) =>
      module.planUndoCommand
    ),
  "inverse": () =>
    lazyImport<typeof import("./plan_inverse.ts")>("commands/plan/plan_inverse").then((module) =>
      module.planInverseCommand
    ),
  "power": () =>
    lazyImport<typeof import("./plan_power.ts")>("commands/plan/plan_power").then((module) =>
      module.planPowerCommand
    ),
  "rehearse": () =>
    lazyImport<typeof import("./plan_rehearse.ts")>("commands/plan/plan_rehearse").then((module) =>
      module.planRehearseCommand
    ),
  "outcome": () =>
    lazyImport<typeof import("./plan_outcome.ts")>("commands/plan/plan_outcome").then((module) =>
      module.planOutcomeCommand
    ),
};

/**
 * `adsctl plan`, with the command below it that is asked for, or with all of them.
 *
 * @param words The command line.
 */
export async function planCommand(
  words: readonly string[],
): Promise<(kit: CommandKit) => CommandUnknownOpts> {
  const word = words[words.indexOf("plan") + 1] ?? "";
  const asked = Object.hasOwn(SUBCOMMANDS, word) ? [SUBCOMMANDS[word]!] : Object.values(SUBCOMMANDS);
  const made = await Promise.all(asked.map((load) => load()));
  return (kit) => planGroup(kit, made);
}

function planGroup(
  kit: CommandKit,
  made: readonly ((kit: CommandKit) => CommandUnknownOpts)[],
): CommandUnknownOpts {
  const group = kit.group("plan", {
    summary: "Make, review, apply and undo change plans",
    details:
      "A plan holds what will change, what is there now, and a fingerprint. Nothing is sent until it is applied; " +
      "what was applied can be undone as far as the platform allows.",
    examples: [
      ["adsctl plan update keywords bids.csv -m US", "plan the changes of a file"],
      ["adsctl plan apply plan-20261120-101500-1a2b3c4d.json", "review a plan once more, then send it"],
    ],
    library:
      "const plan = await profile.sp.keywords.planUpdate(items); const result = await plan.apply(profile);",
  });
  for (const make of made) group.addCommand(make(kit));
  return group;
}
