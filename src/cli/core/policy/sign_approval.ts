import { existsSync } from "node:fs";
import type { Approval } from "../../../plans/approval.ts";
import type { ChangePlan } from "../../../plans/change_plan.ts";
import { approvePlan } from "../../../plans/store/approval.ts";
import {
  type ApprovalKeyFiles,
  approvalKeyFiles,
  approvalKeyNeedsPassphrase,
  createApprovalKey,
} from "../../../plans/store/approval_key.ts";
import type { PlanStore } from "../../../plans/store/plan_store.ts";
import { configFolder } from "../../../runtime/user_folders.ts";
import { askSecret } from "../ask_secret.ts";
import type { CliContext } from "../context.ts";
import { CliError } from "../errors/cli_error.ts";
import { EXIT } from "../errors/exit_codes.ts";

/** Signs the approval of a person who has just given it at the terminal, and saves it beside the plan. */
export async function signApproval(
  plan: ChangePlan,
  { store, minutes, context }: { store: PlanStore; minutes?: number | undefined; context: CliContext },
): Promise<{ approval: Approval; path: string }> {
  const { io } = context;
  const key = approvalKeyFiles(configFolder(io.env));
  const passphrase = await passphraseFor(key, context);
  const approval = await approvePlan(plan, {
    key,
    now: io.now,
    ...(passphrase === undefined ? {} : { passphrase }),
    ...(minutes === undefined ? {} : { seconds: minutes * 60 }),
  });
  return { approval, path: await store.saveApproval(approval) };
}

/** The passphrase of the key, which is made when there is none; `undefined` for a key without one. */
async function passphraseFor(key: ApprovalKeyFiles, context: CliContext): Promise<string | undefined> {
  if (existsSync(key.secret)) {
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
