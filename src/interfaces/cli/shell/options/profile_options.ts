import { type CommandUnknownOpts, Option } from "@commander-js/extra-typings";
import { separated } from "../arguments/parse_values.ts";

export function marketOption(): Option<"-m, --market <market>"> {
  return new Option("-m, --market <market>", "country code or profile id; otherwise PLATFORM_ADS_MARKET");
}

export function accountTypeOption(): Option<"--account-type <type>"> {
  return new Option("--account-type <type>", "if a market has several profiles: seller, vendor or agency");
}

export function accountNameOption(): Option<"--account-name <name>"> {
  return new Option("--account-name <name>", "if a market has several profiles: the advertiser's name");
}

export function profilesOption(
  effect: string,
): Option<"--profiles <names>", undefined, undefined, string[] | undefined> {
  return new Option("--profiles <names>", `country codes or profile ids: ${effect}`).argParser(separated);
}

export function allProfilesOption(effect: string): Option<"--all-profiles"> {
  return new Option("--all-profiles", `every profile of the login: ${effect}`);
}

export function exceptOption(): Option<"--except <names>", undefined, undefined, string[] | undefined> {
  return new Option("--except <names>", "country codes or profile ids to exclude from --all-profiles")
    .argParser(
      separated,
    );
}

export function onlyMarketsOption(
  what: string,
): Option<"-m, --market <markets>", undefined, undefined, string[] | undefined> {
  return new Option("-m, --market <markets>", `only ${what} of these country codes or profile ids`).argParser(
    separated,
  );
}

export function addProfileOptions(command: CommandUnknownOpts): CommandUnknownOpts {
  return command.addOption(marketOption()).addOption(accountTypeOption()).addOption(accountNameOption());
}

export function addProfilesOptions(command: CommandUnknownOpts, effect: string): CommandUnknownOpts {
  return command
    .addOption(marketOption())
    .addOption(profilesOption(effect))
    .addOption(allProfilesOption(effect))
    .addOption(exceptOption())
    .addOption(accountTypeOption())
    .addOption(accountNameOption());
}
