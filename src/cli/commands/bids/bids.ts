import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import type { CommandKit } from "../../core/command.ts";
import { bidsKeywordsCommand } from "./bids_keywords.ts";
import { bidsNewCommand } from "./bids_new.ts";
import { bidsTargetsCommand } from "./bids_targets.ts";

/** `adsctl bids`. */
export function bidsCommand(kit: CommandKit): CommandUnknownOpts {
  const group = kit.group("bids", {
    summary: "Get suggested bids from the platform",
    examples: [
      ["adsctl bids keywords -m US --campaign-id 123", "for the keywords of a campaign"],
      [
        "adsctl bids new -m US --asin B0EXAMPLE1 --keyword 'trail shoes:EXACT'",
        "for an ad group that does not exist yet",
      ],
    ],
    library: "await profile.bids.forKeywords(keywords)",
  });
  for (const make of [bidsKeywordsCommand, bidsTargetsCommand, bidsNewCommand]) {
    group.addCommand(make(kit));
  }
  return group;
}
