import { ConfigurationError } from "../../../../errors.ts";
import { ApprovalError } from "../../../../plans/model/plan_errors.ts";
import { approvePlan } from "../../../../plans/review/approval.ts";
import {
  type ApprovalKeyFiles,
  approvalKeyFiles,
  approvalKeyNeedsPassphrase,
  createApprovalKey,
} from "../../../../plans/review/approval_key.ts";
import type { Asker } from "../../../../plans/review/ask.ts";
import type { Review } from "../../../../plans/review/judge.ts";
import type { Approval } from "../../../../plans/model/approval.ts";
import { askedByPolicy } from "../../../../plans/model/finding.ts";
import type { PlanStore } from "../../../../plans/store/plan_store.ts";
import { accountQuestion } from "../../../../plans/view/plan_lines.ts";
import { readAccountTitle } from "../../../../client/account_title.ts";
import type { ProfileClient } from "../../../../client/profile_client.ts";
import { planView } from "../../../../plans/view/plan_view.ts";
import { fileSystem } from "../../../../base/runtime/file_system.ts";
import { configFolder } from "../../../../base/runtime/user_folders.ts";
import { planText } from "../output/plan_text.ts";
import { askSecret, confirm, confirmByWord } from "../context/confirm.ts";
import type { CliContext } from "../context/context.ts";
import { CliError, EXIT } from "../io/cli_error.ts";

export interface RiskOptions {
  readonly yes?: true;
  /** Send disproportionate changes without asking. */
  readonly acceptRisk?: true;
}

export interface CommandQuestion {
  readonly client?: Pick<ProfileClient, "profile" | "loginProfiles">;
  readonly store: PlanStore;
  readonly options: RiskOptions;
  readonly context: CliContext;
  readonly question?: (account: string) => string;
  readonly word?: string;
}

const SHOWN = 40;

/** Asks at the terminal; with `--yes` an earlier decision counts. */
export function commandAsker(
  { client, store, options, context, question, word = "apply" }: CommandQuestion,
): Asker {
  if (options.yes) {
    return {
      by: "--accept-risk",
      may: options.acceptRisk ? "warnings" : "nothing",
      lead: "--yes is not enough for this plan",
      given: async (review) => {
        try {
          return await store.ensureApproved(review, { publicKey: approvalKeyPath(context.io.env) });
        } catch (error) {
          // Without a key, or a folder for one, nothing is signed.
          if (!(error instanceof ConfigurationError)) throw error;
          throw new ApprovalError(error.message, "missing", { cause: error });
        }
      },
      hint: ({ asks, plan }) =>
        askedByPolicy(asks).length > 0
          ? `Apply it in a terminal without --yes, or sign it first: adsctl plan approve ${plan.id}`
          : "Apply it in a terminal without --yes, or say --accept-risk",
    };
  }
  return {
    by: "a person at a terminal",
    may: "policy",
    ask: async (review) => {
      const account = await showReview(review, client, context);
      const text = question?.(account) ?? `Apply these changes to ${account}?`;
      return review.asks.length > 0 ? await confirmByWord(text, word, context) : await confirm(text, context);
    },
    sign: async (review) => {
      const approval = await signUnsaved(review, { context });
      await store.saveApproval(approval);
      return approval;
    },
  };
}

export async function showReview(
  { shown, open }: Review,
  client: CommandQuestion["client"],
  context: CliContext,
  { limit = SHOWN }: { limit?: number } = {},
): Promise<string> {
  const { stderr } = context.io;
  const ids = context.globals.verbose;
  const view = planView(shown, { limit, open });
  const account = accountQuestion(view, { account: client && await readAccountTitle(client), ids });
  await stderr.write(planText(view, { sink: stderr, limit, ids, account }, context));
  return account;
}

/** Signs with the person's own key. The caller saves the approval. */
export async function signUnsaved(
  review: Review,
  { seconds, context, secret }: {
    readonly seconds?: number;
    readonly context: CliContext;
    readonly secret?: { readonly passphrase: string | undefined };
  },
): Promise<Approval> {
  const { io } = context;
  const key = approvalKeyFiles(configFolder(io.env, { of: "the key for approvals" }));
  const passphrase = secret === undefined ? await passphraseFor(context) : secret.passphrase;
  return await approvePlan(review, {
    key,
    now: io.now,
    ...(passphrase === undefined ? {} : { passphrase }),
    ...(seconds === undefined ? {} : { seconds }),
  });
}

export function approvalKeyPath(env: Readonly<Record<string, string | undefined>>): string {
  return env["PLATFORM_ADS_MCP_APPROVAL_KEY"] ||
    approvalKeyFiles(configFolder(env, { of: "the key for approvals" })).public;
}

/**
 * Returns the passphrase of the approval key, and creates the key if there is none; `undefined` for a key without a
 * passphrase.
 */
export async function passphraseFor(context: CliContext): Promise<string | undefined> {
  const key: ApprovalKeyFiles = approvalKeyFiles(
    configFolder(context.io.env, { of: "the key for approvals" }),
  );
  if (await fileSystem().exists(key.secret)) {
    return await approvalKeyNeedsPassphrase(key)
      ? await askSecret("Passphrase of your approval key: ", context)
      : undefined;
  }
  await context.io.stderr.write(
    "This is your first approval, so a key is made for it. Choose a passphrase for the key; without one (just Return), " +
      "any program that runs as you could use the key\n",
  );
  const passphrase = await askSecret("New passphrase: ", context);
  if (passphrase !== "" && await askSecret("Once more: ", context) !== passphrase) {
    throw new CliError("Cannot make the approval key: the passphrases differ", EXIT.failed);
  }
  await createApprovalKey(key, passphrase === "" ? {} : { passphrase });
  return passphrase === "" ? undefined : passphrase;
}
