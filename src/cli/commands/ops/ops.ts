import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import type { CommandKit } from "../../core/command.ts";
import { opsApisCommand } from "./ops_apis.ts";
import { opsCallCommand } from "./ops_call.ts";
import { opsSearchCommand } from "./ops_search.ts";
import { opsShowCommand } from "./ops_show.ts";
import { opsSunsetCommand } from "./ops_sunset.ts";

/** `adsctl ops`. */
export function opsCommand(kit: CommandKit): CommandUnknownOpts {
  const group = kit.group("ops", {
    summary: "Find, read about and call any operation of the platform",
    examples: [
      ["adsctl ops search budget usage", "operations about budget usage"],
      ["adsctl ops call sponsored-products:ListSponsoredProductsCampaigns -m US", "call one"],
    ],
    library: 'await profile.call("sponsored-products:ListSponsoredProductsCampaigns")',
  });
  for (const make of [opsSearchCommand, opsShowCommand, opsApisCommand, opsSunsetCommand, opsCallCommand]) {
    group.addCommand(make(kit));
  }
  return group;
}
