import type { SendContext } from "../../../../operations/plans/send_operation.ts";
import { visibleText } from "../../../../base/text/visible_text.ts";
import type { ProfileClient } from "../../../../client/profile_client.ts";
import { commandAsker, type CommandQuestion, type RiskOptions } from "./command_asker.ts";
import type { CliContext } from "../context/context.ts";

export type SendOptions = Pick<RiskOptions, keyof RiskOptions> & {
  readonly checkDrift: boolean;
  readonly skipDrifted?: true;
  readonly sendAnyway?: true;
  readonly serial?: string;
  readonly stopOnFailures?: string;
  readonly enqueue?: true;
  readonly store?: string;
};

export const ACCEPT_RISK = [
  "--accept-risk",
  "with --yes: also send extreme changes, such as a bid more than tripled",
] as const;

export function sendContext(
  target: Pick<SendContext, "plan" | "store"> & { readonly profile: ProfileClient },
  { context, ...asked }: Pick<CommandQuestion, "options" | "question" | "word" | "context">,
): SendContext {
  const { io, interruption, progress } = context;
  const { store, profile: client } = target;
  return {
    ...target,
    signal: interruption.signal,
    isUnattended: asked.options.yes === true,
    asker: () => commandAsker({ client, store, context, ...asked }),
    sending: async ({ plan }, send) => {
      const work = progress.work({ noun: "change", total: plan.changes.length });
      let answered = 0;
      const applied = await send({
        stop: interruption.finishFirst(),
        onResults: (results) => work.count({ done: answered += results.length }),
      });
      await work.end();
      return applied;
    },
    onWait: (seconds) => void tellWait(seconds, context),
    onWarnings: async (warnings) => {
      for (const warning of warnings) await io.stderr.write(`warning: ${visibleText(warning)}\n`);
    },
  };
}

async function tellWait(seconds: number, { io, globals }: CliContext): Promise<void> {
  if (globals.quiet) return;
  const text = `Waiting ${Math.ceil(seconds)} s: the last request may still be on its way\n`;
  await io.stderr.write(text).catch(() => {});
}
