import type { Rollout, RolloutEntry } from "../../../../../account/rollout/rollout.ts";
import type { PlatformAds } from "../../../../../client/platform_ads.ts";
import { ask, type Asker, type Consent } from "../../../../../plans/approve/ask.ts";
import type { Review } from "../../../../../plans/approve/judge.ts";
import { judgeStored } from "../../../../../plans/store/judge_stored.ts";
import { ApprovalError } from "../../../../../plans/model/plan_errors.ts";
import { ensureJudged } from "../../../../../plans/approve/approval.ts";
import { PlanStore } from "../../../../../plans/store/plan_store.ts";
import type { PlanData } from "../../../../../plans/model/plan_data.ts";
import { accountQuestion, askLines, rolloutLines } from "../../../../../plans/view/plan_lines.ts";
import { planView } from "../../../../../plans/view/plan_view.ts";
import { confirm, confirmByWord } from "../../../shell/context/confirm.ts";
import { connectAds } from "../../../shell/connect/connect.ts";
import type { CliContext } from "../../../shell/context/context.ts";
import { RefusedError } from "../../../shell/errors/cli_error.ts";
import { EXIT } from "../../../shell/errors/exit_codes.ts";
import { refusing } from "../../../shell/plans/find_plan.ts";
import { openRollout } from "./open_rollout.ts";
import {
  commandAsker,
  passphraseFor,
  type RiskOptions,
  signReview,
} from "../../../shell/connect/command_asker.ts";
import { planText } from "../../../shell/output/plan_text.ts";
import { readAccountTitle } from "../../../../../client/account_title.ts";
import { accountNames, totalsText } from "./rollout_rows.ts";

/** Plans that are reviewed at the same time. */
const CONCURRENCY = 4;

interface ReviewOptions extends RiskOptions {
  readonly skipDrifted?: true | undefined;
  readonly sendAnyway?: true | undefined;
}

/** Signs every open plan of a rollout, after one review and one question. */
export async function runApproveRollout(
  { folder, minutes }: { readonly folder: string; readonly minutes?: number | undefined },
  context: CliContext,
): Promise<number> {
  const { io } = context;
  const rollout = await openRollout(folder, context);
  await refusing(() => rollout.ensureNotUndone());
  const entries = (await refusing(() => rollout.entries())).filter(({ state }) => state === "open");
  if (entries.length === 0) {
    throw new RefusedError(`Cannot approve the rollout in "${folder}": none of its plans is open`);
  }
  const ads = await connectAds(context);
  const store = PlanStore.open(folder, { now: io.now });
  const reviews = await reviewPlans(entries, { verb: "approve", store, options: {}, context, ads });
  for (const review of reviews) ensureJudged(review);
  const ids = context.globals.verbose;
  const accountOf = await accountsOf(rollout, { reviews, ads, context });
  for (const { shown, open } of reviews) {
    const view = planView(shown, { open });
    await io.stderr.write(planText(view, { sink: io.stderr, ids, account: accountOf(shown) }, context));
  }
  await io.stderr.write(`${questionLines(rollout, reviews, accountOf).join("\n")}\n`);
  if (!await confirm(`May exactly these ${reviews.length} plans be applied?`, context)) {
    throw new ApprovalError("Not approved: the answer was not yes", "declined");
  }
  const secret = { passphrase: await passphraseFor(context) };
  let until = "";
  for (const review of reviews) {
    const { approval } = await signReview(review, { store, minutes, context, secret });
    until = approval.expires_at;
  }
  await io.stderr.write(`Approved until ${until}: ${reviews.length} plans in ${folder}\n`);
  return EXIT.done;
}

/**
 * Reviews every plan that is not over, a few at a time.
 *
 * @throws {RefusedError} when the policy denies one.
 */
async function reviewPlans(
  entries: readonly RolloutEntry[],
  { verb, store, options, context, ads }: {
    verb: "apply" | "undo" | "approve";
    store: PlanStore;
    options: ReviewOptions;
    context: CliContext;
    ads: PlatformAds;
  },
): Promise<Review[]> {
  const open = entries.filter(({ state }) => ["open", "queued", "unfinished"].includes(state));
  const { skipDrifted, sendAnyway } = options;
  const { signal } = context.interruption;
  const reviews: Review[] = [];
  for (let from = 0; from < open.length; from += CONCURRENCY) {
    reviews.push(
      ...await Promise.all(
        open.slice(from, from + CONCURRENCY).map(async ({ plan }) => {
          const client = ads.profileFrom(plan.profileId, plan.countryCode);
          return await judgeStored(plan, client, { store, skipDrifted, sendAnyway, signal });
        }),
      ),
    );
  }
  const denied = reviews.filter((review) => review.denied.length > 0);
  if (denied.length > 0) {
    const names = denied.map(({ plan }) => `${plan.id} (profile ${plan.profileId})`).join(", ");
    throw new RefusedError(`Cannot ${verb} the rollout: the policy denies plan ${names}. Nothing was sent`);
  }
  return reviews;
}

/** Reviews every open plan, shows what each of them asks, and asks once for all. */
export async function approveRollout(
  rollout: Rollout,
  entries: readonly RolloutEntry[],
  { verb, options, context, ads }: {
    verb: "apply" | "undo";
    options: ReviewOptions;
    context: CliContext;
    ads: PlatformAds;
  },
): Promise<Map<string, Consent>> {
  const store = PlanStore.open(rollout.folder, { now: context.io.now });
  const reviews = await reviewPlans(entries, { verb, store, options, context, ads });
  let answer: Promise<boolean> | undefined;
  let passphrase: Promise<string | undefined> | undefined;
  const asker = commandAsker({ store, options, context });
  const shared: Asker = options.yes ? asker : {
    ...asker,
    ask: () => answer ??= askOnce(rollout, { verb, reviews, ads, context }),
    sign: async (review) => {
      const secret = { passphrase: await (passphrase ??= passphraseFor(context)) };
      return (await signReview(review, { store, context, secret })).approval;
    },
  };
  const consents = new Map<string, Consent>();
  for (const review of reviews) consents.set(review.plan.id, await ask(review, shared));
  return consents;
}

function questionLines(rollout: Rollout, reviews: readonly Review[], account: AccountOf): string[] {
  const entries = reviews.map(({ shown }) => ({ plan: shown, state: "open" as const }));
  const facts = rolloutLines(
    reviews.map(({ shown, open }) => planView(shown, { open })),
    ({ profile_id, country_code }) => account({ profileId: profile_id, countryCode: country_code }),
  );
  return [totalsText(rollout, entries), ...facts];
}

/** Name of the account of a plan, as questions have it. */
type AccountOf = (plan: Pick<PlanData, "profileId" | "countryCode">) => string;

/** Names the accounts of plans as questions do: as the rollout has them, and where it has none, as the login has. */
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

/** The one question about a rollout: its totals, and what each plan asks a person about. */
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
