import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import type { CommandKit } from "../../core/command.ts";
import { streamConfirmCommand } from "./stream_confirm.ts";
import { streamConsumeCommand } from "./stream_consume.ts";
import { streamReconcileCommand } from "./stream_reconcile.ts";
import { streamSetupCommand } from "./stream_setup.ts";
import { streamStatusCommand } from "./stream_status.ts";

/** `adsctl stream`. */
export function streamCommand(kit: CommandKit): CommandUnknownOpts {
  const group = kit.group("stream", {
    summary: "Store hourly figures from the platform's stream",
    examples: [
      [
        "adsctl stream setup -m US --dataset sp-traffic --queue arn:aws:sqs:us-east-1:123456789012:hourly",
        "plan a subscription",
      ],
      ["adsctl stream consume --once", "store what is on the queue now"],
    ],
    library: "await consumeStream(store, source)",
  });
  const commands = [
    streamSetupCommand,
    streamConfirmCommand,
    streamConsumeCommand,
    streamStatusCommand,
    streamReconcileCommand,
  ];
  for (const make of commands) group.addCommand(make(kit));
  return group;
}
