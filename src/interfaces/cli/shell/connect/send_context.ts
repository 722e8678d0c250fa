import type { SendContext } from "../../../../operations/plans/send_operation.ts";
import { visibleText } from "../../../../base/text/visible_text.ts";
import type { ProfileClient } from "../../../../client/profile_client.ts";
import { commandAsker, type CommandQuestion, type RiskOptions } from "./command_asker.ts";
import type { CliContext } from "../context/context.ts";

/** Options of commands that send a plan, or the plans of a rollout. */
export type SendOptions = Pick<RiskOptions, keyof RiskOptions> & {
  /** Refuse a plan when an entity has changed since it was made. */
  readonly checkDrift: boolean;
  /** Leave out what has changed since the plan was made. */
  readonly skipDrifted?: true;
  /** Send also what the platform would refuse. */
  readonly sendAnyway?: true;
  /** Of a rollout: sizes of the stages. */
  readonly serial?: string;
  /** Of a rollout: number or share of a stage's plans that may fail. */
  readonly stopOnFailures?: string;
  /** Of a rollout: leave it to workers. */
  readonly enqueue?: true;
  /** Of a rollout on a queue: address of the database. */
  readonly store?: string;
};

/** Option of every command that sends a plan. */
export const ACCEPT_RISK = [
  "--accept-risk",
  "with --yes: also send extreme changes, such as a bid more than tripled",
] as const;

/** A sending that the person at the terminal approves, with its progress on stderr. */
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

/** Says why nothing happens for a while. */
async function tellWait(seconds: number, { io, globals }: CliContext): Promise<void> {
  if (globals.quiet) return;
  const text = `Waiting ${Math.ceil(seconds)} s: the last request may still be on its way\n`;
  await io.stderr.write(text).catch(() => {});
}
