import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import type { CommandKit } from "../../core/command.ts";
import { wireCompareCommand } from "./wire_compare.ts";
import { wireStatusCommand } from "./wire_status.ts";

/** `adsctl wire`. */
export function wireCommand(kit: CommandKit): CommandUnknownOpts {
  const group = kit.group("wire", {
    summary: "Compare the families of the platform's API, and show which of them each kind goes by",
    details:
      "Every kind goes by the API family of its product, or by the unified family: --wire unified, --wire sp=unified for " +
      "one family of kinds, --wire sp.keywords@CA=unified for one kind of one market. PLATFORM_ADS_WIRE and adsctl use " +
      "--wire set it for good. Plans, files and sheets are the same on both.",
    examples: [
      ["adsctl wire compare -m US", "read everything on both wires and list the differences"],
      ["adsctl wire status -m US", "the wire of each kind, and what ends when"],
    ],
    library: "for await (const comparison of compareWires(profile)) ...",
  });
  group.addCommand(wireCompareCommand(kit));
  group.addCommand(wireStatusCommand(kit));
  return group;
}
