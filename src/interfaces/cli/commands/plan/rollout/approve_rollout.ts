import type { Rollout } from "../../../../../account/rollout/rollout.ts";
import type { PlatformAds } from "../../../../../client/platform_ads.ts";
import type { ProfileClient } from "../../../../../client/profile_client.ts";
import type { ChangePlan } from "../../../../../plans/change_plan/change_plan.ts";
import type { Asker } from "../../../../../plans/review/ask.ts";
import type { Review } from "../../../../../plans/review/judge.ts";
import { approveRollout } from "../../../../../operations/plans/plan_approve.ts";
import type { ReviewedRollout } from "../../../../../operations/plans/send_rollout.ts";
import type { PlanData } from "../../../../../plans/model/plan_data.ts";
import { accountQuestion, askLines, rolloutLines } from "../../../../../plans/view/plan_lines.ts";
import { planView } from "../../../../../plans/view/plan_view.ts";
import { confirm, confirmByWord } from "../../../shell/context/confirm.ts";
import { connectAds } from "../../../shell/connect/connect.ts";
import type { CliContext } from "../../../shell/context/context.ts";
import { EXIT, RefusedError } from "../../../shell/io/cli_error.ts";
import { refusing } from "../../../shell/find_plan.ts";
import { openRollout } from "./open_rollout.ts";
import {
  commandAsker,
  passphraseFor,
  type RiskOptions,
  signUnsaved,
} from "../../../shell/connect/command_asker.ts";
import { planText } from "../../../shell/output/plan_text.ts";
import { readAccountTitle } from "../../../../../client/account_title.ts";
import { accountNames, totalsText } from "./rollout_rows.ts";

export async function runApproveRollout(
  { plan_id: folder, ...input }: { readonly plan_id: string; readonly minutes: number },
  context: CliContext,
): Promise<number> {
  const { io, globals: { verbose: ids }, interruption: { signal } } = context;
  const rollout = await openRollout(folder, context);
  await refusing(() => rollout.ensureNotUndone());
  if (!(await refusing(() => rollout.entries())).some(({ state }) => state === "open")) {
    throw new RefusedError(`Cannot approve the rollout in "${folder}": none of its plans is open`);
  }
  const ads = await connectAds(context);
  let passphrase: Promise<string | undefined> | undefined;
  const saved = await approveRollout({
    ...{ rollout, clientOf: clientsOf(ads), signal },
    approver: {
      ask: async (reviews) => {
        const account = await accountsOf(rollout, { reviews, ads, context });
        for (const { shown, open } of reviews) {
          const view = planView(shown, { open });
          await io.stderr.write(planText(view, { sink: io.stderr, ids, account: account(shown) }, context));
        }
        await io.stderr.write(`${questionLines(rollout, reviews, account).join("\n")}\n`);
        return await confirm(`May exactly these ${reviews.length} plans be applied?`, context);
      },
      sign: async (review, { seconds }) => {
        const secret = { passphrase: await (passphrase ??= passphraseFor(context)) };
        return await signUnsaved(review, { seconds, context, secret });
      },
    },
  }, input);
  const until = saved.at(-1)?.approval.expires_at;
  await io.stderr.write(`Approved until ${until}: ${saved.length} plans in ${folder}\n`);
  return EXIT.done;
}

/**
 * Approver of all plans of a rollout: the person at the terminal, who is asked once. With `--yes`, an earlier decision
 * counts instead.
 */
export function rolloutAsker(
  { rollout, reviews }: ReviewedRollout,
  { verb, options, context, ads, isSavedLater = false }: {
    verb: "apply" | "undo";
    options: RiskOptions;
    context: CliContext;
    ads: PlatformAds;
    /** True where the sender saves each approval once its plan is begun. @default false */
    isSavedLater?: boolean;
  },
): Asker {
  const { store } = rollout;
  let answer: Promise<boolean> | undefined;
  let passphrase: Promise<string | undefined> | undefined;
  const asker = commandAsker({ store, options, context });
  return options.yes ? asker : {
    ...asker,
    ask: () => answer ??= askOnce(rollout, { verb, reviews, ads, context }),
    sign: async (review) => {
      const secret = { passphrase: await (passphrase ??= passphraseFor(context)) };
      const approval = await signUnsaved(review, { context, secret });
      if (!isSavedLater) await store.saveApproval(approval);
      return approval;
    },
  };
}

/** Returns the client for the profile of a plan, among the profiles of a login. */
export function clientsOf(ads: PlatformAds): (plan: ChangePlan) => ProfileClient {
  return ({ profileId, countryCode }) => ads.profileFrom(profileId, countryCode);
}

function questionLines(rollout: Rollout, reviews: readonly Review[], account: AccountOf): string[] {
  const entries = reviews.map(({ shown }) => ({ plan: shown, state: "open" as const }));
  const facts = rolloutLines(
    reviews.map(({ shown, open }) => planView(shown, { open })),
    ({ profile_id, country_code }) => account({ profileId: profile_id, countryCode: country_code }),
  );
  return [totalsText(rollout, entries), ...facts];
}

type AccountOf = (plan: Pick<PlanData, "profileId" | "countryCode">) => string;

async function accountsOf(
  rollout: Rollout,
  { reviews, ads, context }: { reviews: readonly Review[]; ads: PlatformAds; context: CliContext },
): Promise<AccountOf> {
  const names = accountNames(rollout);
  for (const { plan: { profileId, countryCode } } of reviews) {
    if (names.get(profileId)) continue;
    names.set(profileId, await readAccountTitle(ads.profileFrom(profileId, countryCode)));
  }
  const ids = context.globals.verbose;
  return ({ profileId, countryCode }) =>
    accountQuestion({ profile_id: profileId, country_code: countryCode }, {
      account: names.get(profileId),
      ids,
    });
}

async function askOnce(
  rollout: Rollout,
  { verb, reviews, ads, context }: {
    verb: "apply" | "undo";
    reviews: readonly Review[];
    ads: PlatformAds;
    context: CliContext;
  },
): Promise<boolean> {
  const account = await accountsOf(rollout, { reviews, ads, context });
  const lines: string[] = [];
  const asking = reviews.filter(({ asks }) => asks.length > 0);
  for (const { plan, shown, asks } of asking) {
    lines.push(`${account(plan)} asks for a person:${context.globals.verbose ? `  ${plan.id}` : ""}`);
    lines.push(...askLines(asks, shown.changes).map((line) => `  ${line}`));
  }
  lines.push(...questionLines(rollout, reviews, account));
  await context.io.stderr.write(`${lines.join("\n")}\n`);
  const question = `${
    verb === "apply" ? "Apply" : "Undo"
  } ${reviews.length} plans in ${reviews.length} profiles?`;
  return asking.length > 0 ? await confirmByWord(question, verb, context) : await confirm(question, context);
}
