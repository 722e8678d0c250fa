import { type CommandUnknownOpts, Option } from "@commander-js/extra-typings";
import { separated } from "../arguments/parse_values.ts";

/** `-m, --market`. */
export function marketOption(): Option<"-m, --market <market>"> {
  return new Option("-m, --market <market>", "country code or profile id; otherwise PLATFORM_ADS_MARKET");
}

export function accountTypeOption(): Option<"--account-type <type>"> {
  return new Option("--account-type <type>", "if a market has several profiles: seller, vendor or agency");
}

export function accountNameOption(): Option<"--account-name <name>"> {
  return new Option("--account-name <name>", "if a market has several profiles: the advertiser's name");
}

/** A list of profiles; `effect` says what each of them gets. */
export function profilesOption(
  effect: string,
): Option<"--profiles <names>", undefined, undefined, string[] | undefined> {
  return new Option("--profiles <names>", `country codes or profile ids: ${effect}`).argParser(separated);
}

/** Every profile; `effect` says what each of them gets. */
export function allProfilesOption(effect: string): Option<"--all-profiles"> {
  return new Option("--all-profiles", `every profile of the login: ${effect}`);
}

/** Profiles that `--all-profiles` leaves out. */
export function exceptOption(): Option<"--except <names>", undefined, undefined, string[] | undefined> {
  return new Option("--except <names>", "country codes or profile ids to exclude from --all-profiles")
    .argParser(
      separated,
    );
}

/** `-m` of commands that show what is stored or saved: `what` names the rows. */
export function onlyMarketsOption(
  what: string,
): Option<"-m, --market <markets>", undefined, undefined, string[] | undefined> {
  return new Option("-m, --market <markets>", `only ${what} of these country codes or profile ids`).argParser(
    separated,
  );
}

/** Adds the options that choose a profile. */
export function addProfileOptions(command: CommandUnknownOpts): CommandUnknownOpts {
  return command.addOption(marketOption()).addOption(accountTypeOption()).addOption(accountNameOption());
}

/** Adds the options that choose a profile or several; `effect` says what each of them gets. */
export function addProfilesOptions(command: CommandUnknownOpts, effect: string): CommandUnknownOpts {
  return command
    .addOption(marketOption())
    .addOption(profilesOption(effect))
    .addOption(allProfilesOption(effect))
    .addOption(exceptOption())
    .addOption(accountTypeOption())
    .addOption(accountNameOption());
}
