import { marketOf } from "../../../base/markets/markets.ts";
import { fileSystem } from "../../../base/runtime/file_system.ts";
import { visibleText } from "../../../base/text/visible_text.ts";
import { offersDisplay } from "../../../client/offers_display.ts";
import type { ProfileClient } from "../../../client/profile_client.ts";
import type { ChangePlan } from "../../../plans/change_plan/change_plan.ts";
import { type Finding, highestLevel } from "../../../plans/model/finding.ts";
import type { PlanTarget } from "../../../plans/model/plan_target.ts";
import type { Policy } from "../../../plans/policy/policy.ts";
import { suggestPolicy } from "../../../plans/policy/suggest_policy.ts";
import { testPolicy } from "../../../plans/policy/test_policy.ts";
import { AccountReading } from "../../../plans/state/account_reading.ts";
import { changesAsSent } from "../../../plans/state/changes_as_sent.ts";
import { readVariables } from "../../../platform/connection/connection_from_env.ts";
import { command, group } from "../shell/command.ts";
import { connectAds, connectProfile, policyPath } from "../shell/connect/connect.ts";
import { connectStoredFiles } from "../shell/connect/connect_stored_files.ts";
import { openPolicy } from "../shell/connect/open_policy.ts";
import { storeFigures } from "../shell/connect/store_figures.ts";
import type { CliContext } from "../shell/context/context.ts";
import { findPlan } from "../shell/find_plan.ts";
import { readInput } from "../shell/input/read_input.ts";
import { EXIT, UsageError } from "../shell/io/cli_error.ts";
import { marketOption } from "../shell/options/market_options.ts";
import { positiveInteger } from "../shell/options/parse_values.ts";
import { storeOption } from "../shell/options/store_option.ts";
import { printRows } from "../shell/output/print_rows.ts";
import { say } from "../shell/output/write_text.ts";

/** Judges a plan by the requests that it would send, with the account as it is now; sends nothing. */
async function reviewAsSent(
  plan: ChangePlan,
  client: PlanTarget,
  { policy, signal }: { readonly policy: Policy; readonly signal: AbortSignal | undefined },
): Promise<readonly Finding[]> {
  const account = new AccountReading().by(client, signal);
  const placed = plan.changes.map((change, at) => ({ at, change }));
  const sent = await changesAsSent(plan.id, placed, { client, account, signal });
  const { profileId, countryCode, note, reverses } = plan;
  const judged = { profileId, countryCode, note, reverses, changes: sent.map(({ change }) => change) };
  return await policy.review(judged, client, { account, signal });
}

const MAX_BIDS = 20_000;

/** Bids of live keywords and targets, and daily budgets of live campaigns. A large account's bids are a sample. */
async function liveAmounts(
  client: ProfileClient,
  { signal }: { readonly signal?: AbortSignal | undefined } = {},
): Promise<{ readonly bids: readonly number[]; readonly budgets: readonly number[] }> {
  const bids: number[] = [];
  const { sp, sb } = client;
  for (const resource of [sp.keywords, sp.targets, sb.keywords, sb.targets]) {
    for await (const { bid } of resource.iter({ states: ["ENABLED"], signal })) {
      if (bid !== undefined) bids.push(bid);
      if (bids.length >= MAX_BIDS) break;
    }
  }
  const budgets: number[] = [];
  for await (const { budget } of sp.campaigns.iter({ states: ["ENABLED"], signal })) {
    if (budget?.budget !== undefined) budgets.push(budget.budget);
  }
  for await (const { budget, budgetType } of sb.campaigns.iter({ states: ["ENABLED"], signal })) {
    if (budget !== undefined && budgetType !== "LIFETIME") budgets.push(budget);
  }
  if (await offersDisplay(client, { signal })) {
    for await (const { budget } of client.sd.campaigns.iter({ states: ["ENABLED"], signal })) {
      budgets.push(budget);
    }
  }
  return { bids, budgets };
}

const policyTestCommand = command(
  (kit) =>
    kit.leaf("test", {
      printsRows: true,
      summary: "Run the test cases of a policy",
      details:
        "Cases are listed under the key tests: a change and the expected level. Exit code 1 if a case fails. " +
        "Reads nothing from the platform.",
      examples: [
        ["adsctl policy test --policy policy.yaml", "run the cases in the policy"],
        ["adsctl policy test cases.yaml --policy policy.yaml", "run the cases of another file"],
      ],
      library: "testPolicy(policy, text)",
    })
      .argument("[cases]", "file with test cases (default: the policy)"),
  async (file, _, context) => {
    const policy = await namedPolicy(context);
    const { text, name } = await readInput(file ?? policy.source, context.io);
    const results = testPolicy(policy, text, { source: name });
    await printRows(
      results.map(({ messages, ...result }) => ({ ...result, messages: messages.join("; ") })),
      {
        columns: ["ok", "name", "expected", "actual"],
        fields: ["ok", "name", "expected", "actual", "messages"],
      },
      context,
    );
    const failed = results.filter(({ ok }) => !ok).length;
    await context.io.stderr.write(`${results.length - failed} passed, ${failed} failed\n`);
    return failed === 0 ? EXIT.done : EXIT.failed;
  },
);

const policyExplainCommand = command(
  (kit) =>
    kit.leaf("explain", {
      printsRows: true,
      summary: "Show the verdict of each rule on one change of a plan",
      details: "Prints the verdict of every rule of the policy, including rules that pass. Read-only.",
      examples: [[
        "adsctl policy explain plan.json --change 3 --policy policy.yaml",
        "explain the third change",
      ]],
      library: "policy.rules; policy.check(plan)",
    })
      .argument("<plan>", "the plan file, or the id of the plan")
      .option(
        "--change <n>",
        "number of the change, from 1 (default: the first that needs attention)",
        positiveInteger,
      )
      .option("--offline", "use only the values in the plan, without reading the account"),
  async (file, options, context) => {
    const policy = await namedPolicy(context);
    const { plan, findings } = await judgePlan(
      { file, offline: options.offline === true, policy },
      context,
    );
    const noted = findings.find(({ level, change }) => level === "deny" && change !== undefined) ??
      findings.find(({ change }) => change !== undefined);
    const index = options.change === undefined ? noted?.change ?? 0 : options.change - 1;
    const change = plan.changes[index];
    if (change === undefined) {
      throw new UsageError(`Cannot explain change ${index + 1}: the plan has ${plan.changes.length}`);
    }
    if (plan.changes.length > 1) {
      await say(`Change ${index + 1} of ${plan.changes.length}: ${visibleText(change.label)}`, context);
    }
    const rows = policy.rules.flatMap(({ name, level }) => {
      const found = findings.filter((one) =>
        one.rule === name && (one.change === undefined || one.change === index)
      );
      if (found.length === 0) return [{ rule: name, verdict: "pass", level, message: "" }];
      return found.map((one) => ({ rule: name, verdict: one.level, level, message: one.message }));
    });
    await printRows(rows, {
      columns: ["rule", "verdict", "message"],
      fields: ["rule", "verdict", "level", "message"],
    }, context);
    return EXIT.done;
  },
);

const policyCheckCommand = command(
  (kit) =>
    kit.leaf("check", {
      printsRows: true,
      summary: "Check a policy, or judge a plan by it",
      details:
        "Reads the account and sends nothing. Exit code 4 if the policy denies the plan or requires approval. " +
        "Without a plan, checks only the policy file and lists every mistake.",
      examples: [
        ["adsctl policy check --policy policy.yaml", "list every mistake with its line"],
        ["adsctl policy check plan.json --policy policy.yaml", "check a plan"],
      ],
      library: "policy.check(plan)",
    })
      .argument("[plan]", "the plan file, or the id of the plan")
      .option("--offline", "use only the values in the plan, without reading the account"),
  async (file, options, context) => {
    const { io, globals } = context;
    if (file !== undefined && /\.ya?ml$/i.test(file)) {
      throw new UsageError(
        `Cannot check "${file}" as a plan: a policy is named by an option. Type adsctl policy check --policy ${file}`,
      );
    }
    const policy = await namedPolicy(context);
    if (file === undefined) {
      await printRows(
        policy.rules.map((rule) => ({ ...rule })),
        { columns: ["name", "level", "message"] },
        context,
      );
      return EXIT.done;
    }
    const { findings } = await judgePlan(
      { file, offline: options.offline === true, policy },
      context,
    );
    const columns = ["level", "rule", "change", "message", "allowed"];
    await printRows(findings.map((finding) => ({ ...finding })), {
      columns,
      fields: [...columns, "code", "hint"],
    }, context);
    const level = highestLevel(findings);
    if (!globals.quiet) {
      await io.stderr.write(
        level === "deny"
          ? "The policy denies this plan\n"
          : level === "approve"
          ? "The policy asks for a person's approval of this plan\n"
          : "The policy allows this plan\n",
      );
    }
    return level === "deny" || level === "approve" ? EXIT.refused : EXIT.done;
  },
);

async function namedPolicy(context: CliContext): Promise<Policy> {
  const { io, globals } = context;
  const variables = globals.demo ? io.env : await readVariables({
    env: io.env,
    ...(globals.envFile === undefined ? {} : { envFile: globals.envFile }),
  });
  const path = policyPath(context, variables);
  if (path === undefined) {
    throw new UsageError("Cannot check without a policy: add --policy, or set PLATFORM_ADS_POLICY");
  }
  return await openPolicy(path, context, storeFigures(context));
}

async function judgePlan(
  { file, offline, policy }: { file: string; offline: boolean; policy: Policy },
  context: CliContext,
): Promise<{ plan: ChangePlan; findings: readonly Finding[] }> {
  const { plan } = await findPlan(file, context);
  if (offline) return { plan, findings: policy.check(plan, { now: context.io.now() }) };
  const ads = await connectAds(context);
  const client = ads.profileFrom(plan.profileId, plan.countryCode);
  const { signal } = context.interruption;
  return { plan, findings: await reviewAsSent(plan, client, { policy, signal }) };
}

const policyInitCommand = command(
  (kit) =>
    kit.leaf("init", {
      summary: "Write a commented starter policy",
      details: "Sets limits slightly above the account's current bids and budgets. Read-only.",
      examples: [["adsctl policy init -m CA --out policy.yaml", "write a policy for the Canadian profile"]],
      library: "suggestPolicy({ countryCode, currency, bids, budgets })",
    })
      .addOption(marketOption())
      .addOption(storeOption())
      .option("--from-files", "read the account from imported files in the store, without a login")
      .option("--out <file>", "new file to write (default: print it)"),
  async (options, context) => {
    const client = options.fromFiles
      ? (await connectStoredFiles(options, context)).profile
      : await connectProfile(options, context);
    const amounts = await liveAmounts(client, { signal: context.interruption.signal });
    const { countryCode } = client;
    const text = suggestPolicy({
      countryCode,
      currency: marketOf(countryCode)?.currency ?? "",
      ...amounts,
    });
    if (options.out === undefined) await context.io.stdout.write(text);
    else if (await fileSystem().createText(options.out, text)) {
      await say(`Wrote ${options.out}. Read it, then: adsctl policy test --policy ${options.out}`, context);
    } else throw new UsageError(`Cannot write "${options.out}": the file already exists. Choose another`);
    return EXIT.done;
  },
);

export const policyCommand = group(
  "policy",
  {
    summary: "Write, check, test and explain the policy that limits every write",
    details:
      "Uses the file from --policy or PLATFORM_ADS_POLICY. adsctl checks every write against it. If the policy " +
      "cannot be read, every write is blocked.",
    examples: [
      ["adsctl policy init -m CA --out policy.yaml", "write a commented policy based on the account"],
      ["adsctl policy check plan.json --policy policy.yaml", "check a plan"],
    ],
    library: 'const policy = await loadPolicy("policy.yaml")',
  },
  [
    policyInitCommand,
    policyCheckCommand,
    policyTestCommand,
    policyExplainCommand,
  ],
);
