import { Option } from "@commander-js/extra-typings";
import { HISTORY_CHANGE_TYPES, HISTORY_ENTITY_TYPES } from "../../../../client/insights/history_event.ts";
import { refusingBadInput, UsageError } from "../../shell/errors/cli_error.ts";
import { command } from "../../shell/command.ts";
import { TOUCH_EXPERIMENTS } from "../../shell/options/experiment_options.ts";
import { parseMoment } from "../../shell/options/times.ts";
import { codesLike, separatedIds } from "../../shell/arguments/parse_values.ts";
import { finishPlan } from "../../shell/plans/finish_plan.ts";
import { connectProfile } from "../../shell/connect/connect.ts";

export const planFromHistoryCommand = command(
  (kit) =>
    kit.profileLeaf("from-history", {
      summary: "Plan to put back what changed since a moment",
      details:
        "Whoever changed it, and with whatever tool: every bid, state, budget, name, date, portfolio and placement that " +
        "changed since goes back to what it was before the first of those changes, and what was created since is paused. " +
        "What cannot be put back is in the plan's warnings. The platform keeps 90 days.",
      examples: [
        ["adsctl plan from-history -m US --since -1", "undo the last 24 hours"],
        [
          "adsctl plan from-history -m US --since 2026-11-20T08:00:00Z --campaign-id 123",
          "one campaign, since eight o'clock UTC",
        ],
      ],
      library: 'await profile.history.rollbackPlan("2026-11-20T08:00:00Z", { campaignIds: ["123"] })',
    })
      .option("--since <moment>", "days ago (-1), hours ago (-3h), a day or a moment")
      .option("--until <moment>", "undo only changes until then; what changed again later is left")
      .addOption(
        new Option("--created <what>", "what to do with what was created since (default: pause)")
          .choices(["pause", "archive", "keep"] as const),
      )
      .option("--campaign-id <ids>", "only these campaigns and what is in them", separatedIds)
      .option(
        "--entity-type <types>",
        "only keyword, product-targeting, ad-group, campaign, ad, negative-keyword",
        codesLike(HISTORY_ENTITY_TYPES),
      )
      .option(
        "--change <changes>",
        "only such as bid-amount, status, budget-amount, name, created",
        codesLike(HISTORY_CHANGE_TYPES),
      )
      .option("--skip-denied", "leave out what the policy denies, and plan the rest")
      .option(...TOUCH_EXPERIMENTS)
      .option("--note <text>", "why; stays with the plan")
      .option("--out <path>", "file or folder for the plan; otherwise plan-<id>.json in this folder"),
  async (options, context) => {
    if (options.since === undefined) {
      throw new UsageError("Cannot plan without --since: say which moment to go back to");
    }
    const moment = { option: "--since", now: context.io.now() };
    // What cannot be read is refused before anything is sent.
    parseMoment(options.since, moment);
    const { until } = options;
    const untilMoment = { ...moment, option: "--until", edge: "end" } as const;
    if (until !== undefined) parseMoment(until, untilMoment);
    const given = options.since;
    const client = await connectProfile(options, context);
    const since = parseMoment(given, { ...moment, timeZone: client.timeZone });
    const plan = await refusingBadInput(() =>
      client.history.rollbackPlan(since, {
        until: until === undefined
          ? undefined
          : parseMoment(until, { ...untilMoment, timeZone: client.timeZone }),
        created: options.created,
        campaignIds: options.campaignId,
        entityTypes: options.entityType,
        changes: options.change,
        note: options.note,
        signal: context.interruption.signal,
      })
    );
    return await finishPlan(plan, { client, skipDenied: options.skipDenied, out: options.out, context });
  },
);
