import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import type { CommandKit } from "../../core/command.ts";
import { rehearsePullCommand } from "./rehearse_pull.ts";
import { rehearseResetCommand } from "./rehearse_reset.ts";
import { rehearseShowCommand } from "./rehearse_show.ts";

/** `adsctl rehearse`. */
export function rehearseCommand(kit: CommandKit): CommandUnknownOpts {
  const group = kit.group("rehearse", {
    summary: "Take a copy of an account, and try everything on it first",
    details:
      "--rehearse with the file of a copy works like --demo on that copy: every command, the console and the tool " +
      "server (adsctl plan apply plan.json --rehearse friday.snap). Nothing reaches the account, and plans, stores and " +
      "limits of the day are those of the rehearsal.",
    examples: [
      ["adsctl rehearse pull -m US --out friday.snap", "take the copy of an account"],
      ["adsctl rehearse show friday.snap", "what the copy holds, and what a rehearsal made of it"],
      ["adsctl rehearse reset friday.snap", "begin again from the copy"],
    ],
    library: "await Emulator.start({ account: await snapshotAccount(profile) })",
  });
  for (const make of [rehearsePullCommand, rehearseShowCommand, rehearseResetCommand]) {
    group.addCommand(make(kit));
  }
  return group;
}
