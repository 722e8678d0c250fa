import { OtherAccountError } from "../../../../store/sync/check_accounts.ts";
import { UsageError } from "../../shell/io/cli_error.ts";
import { confirm } from "../../shell/context/confirm.ts";
import type { CliContext } from "../../shell/context/context.ts";

/** @throws {UsageError} when the user does not add the account. */
export async function askingToAddAccount<T>(
  { addAccount = false }: { addAccount?: boolean },
  context: CliContext,
  step: (addAccount: boolean) => Promise<T>,
): Promise<T> {
  try {
    return await step(addAccount);
  } catch (error) {
    if (!(error instanceof OtherAccountError)) throw error;
    if (!context.io.stdin.isTerminal) throw new UsageError(error.message, { cause: error });
    await context.io.stderr.write(`${error.message}\n`);
    if (await confirm("Add it?", context)) return await step(true);
    throw new UsageError("Nothing was added", { cause: error });
  }
}
