import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import type { CommandKit } from "../../core/command.ts";
import { authCheckCommand } from "./auth_check.ts";
import { authDoctorCommand } from "./auth_doctor.ts";
import { authExchangeCommand, authUrlCommand } from "./auth_consent.ts";

/** `adsctl auth`. */
export function authCommand(kit: CommandKit): CommandUnknownOpts {
  const group = kit.group("auth", {
    summary: "Log in, check the login, and find out why it fails",
    examples: [
      ["adsctl auth url", "the link to the consent page"],
      ["adsctl auth exchange", "the code it gave, into the dotenv file"],
      ["adsctl auth doctor", "try each piece and name what fails"],
    ],
  });
  for (const make of [authUrlCommand, authExchangeCommand, authCheckCommand, authDoctorCommand]) {
    group.addCommand(make(kit));
  }
  return group;
}
