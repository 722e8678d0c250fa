import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import { visibleText } from "../../../internal/visible_text.ts";
import { confirm, ensureCanAsk } from "../../core/confirm.ts";
import type { CommandKit } from "../../core/command.ts";
import type { CliContext } from "../../core/context.ts";
import { EXIT } from "../../core/errors/exit_codes.ts";
import { lazyImport } from "../../core/lazy_import.ts";
import type { StoreOptions } from "../../core/store_place.ts";
import { withStore } from "../../core/with_store.ts";
import { storeOption } from "../../options/store_option.ts";
import { printRows } from "../../output/print_rows.ts";
import {
  loopbackOrigins,
  namedQueue,
  openNamedQueue,
  type QueueOption,
  queueOption,
  wireWord,
} from "./stream_queue.ts";
import { withPlatform } from "./with_platform.ts";
import { say } from "../../output/say.ts";

/** Options of {@linkcode runStreamConfirm}. */
export interface StreamConfirmOptions extends StoreOptions, QueueOption {
  readonly yes?: true;
  /** Print the addresses and visit none. */
  readonly print?: true;
}

/** `adsctl stream confirm`. */
export function streamConfirmCommand(kit: CommandKit): CommandUnknownOpts {
  return kit.leaf("confirm", {
    summary: "Confirm new subscriptions, whose requests come as messages",
    details:
      "Receives what is on the queue first, and stores it as stream consume does. Then it visits the address of each " +
      "request, after asking: only one of the platform's own hosts, which is sns.REGION.<wireWord>aws.com. " +
      "A request holds for two days.",
    examples: [
      [
        "adsctl stream confirm --queue arn:aws:sqs:us-east-1:123456789012:hourly",
        "receive requests, ask, confirm",
      ],
      ["adsctl stream confirm --print", "print the addresses, to visit them yourself"],
    ],
    library: "const outcomes = await confirmSubscriptions(store)",
  })
    .addOption(queueOption())
    .addOption(storeOption())
    .option("--print", "print the addresses and visit none")
    .option("--yes", "do not ask")
    .action((options, self) => kit.run((context) => runStreamConfirm(options, context), self));
}

/** Confirms subscriptions. */
export async function runStreamConfirm(options: StreamConfirmOptions, context: CliContext): Promise<number> {
  const { io, globals, interruption: { signal } } = context;
  if (!options.print) ensureCanAsk(options.yes, context, "confirming subscriptions");
  const { confirmSubscriptions, pendingConfirmations } = await lazyImport<
    typeof import("../../../store/stream/confirm_subscriptions.ts")
  >("../store/stream/confirm_subscriptions");
  const { consumeStream } = await lazyImport<typeof import("../../../store/stream/consume_stream.ts")>(
    "../store/stream/consume_stream",
  );
  return await withPlatform(context, async (ads) => {
    const queue = await namedQueue(options, context, ads);
    return await withStore({ ...options, create: true }, context, async (store) => {
      if (queue !== undefined) {
        const { source } = await openNamedQueue(options, context, ads);
        await consumeStream(store, source, { once: true, signal, now: io.now });
      }
      const pending = await pendingConfirmations(store);
      if (pending.length === 0) {
        await say("No subscription waits to be confirmed", { io, globals });
        return EXIT.done;
      }
      if (options.print) {
        const rows = pending.map(({ topic, sentAt, url }) => ({ topic, sent_at: sentAt, url }));
        await printRows(rows, { columns: ["topic", "sent_at", "url"] }, context);
        return EXIT.done;
      }
      for (const { topic, url } of pending) {
        const host = URL.canParse(url) ? new URL(url).host : "no host";
        await io.stderr.write(`${visibleText(topic)} by ${visibleText(host)}\n`);
      }
      const count = pending.length === 1 ? "1 subscription" : `${pending.length} subscriptions`;
      if (!options.yes && !await confirm(`Confirm ${count}?`, context)) return EXIT.refused;
      const outcomes = await confirmSubscriptions(store, {
        wireWord: await wireWord(context, ads),
        loopback: loopbackOrigins(ads, queue),
        fetch: io.fetch,
        now: io.now,
        signal,
      });
      const rows = outcomes.map(({ topic, sentAt, outcome, reason = "" }) => ({
        topic,
        sent_at: sentAt,
        outcome,
        reason,
      }));
      await printRows(rows, { columns: ["topic", "sent_at", "outcome", "reason"] }, context);
      return outcomes.every(({ outcome }) => outcome === "confirmed") ? EXIT.done : EXIT.someFailed;
    });
  });
}
