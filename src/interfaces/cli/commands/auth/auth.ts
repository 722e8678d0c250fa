import { group } from "../../shell/command.ts";
import { authCheckCommand } from "./auth_check.ts";
import { authDoctorCommand } from "./auth_doctor.ts";
import { authExchangeCommand, authUrlCommand } from "./auth_consent.ts";

export const authCommand = group(
  "auth",
  {
    summary: "Log in, list profiles, and diagnose login problems",
    examples: [
      ["adsctl auth url", "print the link to the consent page"],
      ["adsctl auth exchange", "exchange its code, and save the token in the dotenv file"],
      ["adsctl auth doctor", "find out what fails"],
    ],
  },
  [
    authUrlCommand,
    authExchangeCommand,
    authCheckCommand,
    authDoctorCommand,
  ],
);
