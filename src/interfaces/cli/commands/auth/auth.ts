import { group } from "../../shell/command.ts";
import { authCheckCommand } from "./auth_check.ts";
import { authDoctorCommand } from "./auth_doctor.ts";
import { authExchangeCommand, authUrlCommand } from "./auth_consent.ts";

export const authCommand = group(
  "auth",
  {
    summary: "Log in, list profiles, check the login, and find out why it fails",
    examples: [
      ["adsctl auth url", "the link to the consent page"],
      ["adsctl auth exchange", "the code it gave, into the dotenv file"],
      ["adsctl auth doctor", "try each piece and name what fails"],
    ],
  },
  [
    authUrlCommand,
    authExchangeCommand,
    authCheckCommand,
    authDoctorCommand,
  ],
);
