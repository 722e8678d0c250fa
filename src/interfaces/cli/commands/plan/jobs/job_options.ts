import {
  type Command,
  type CommandUnknownOpts,
  InvalidArgumentError,
  Option,
  type OptionValues,
} from "@commander-js/extra-typings";
import type { ManyProfilesOptions } from "../../../shell/options/many_profiles.ts";
import { type ExperimentOptions, withExperimentOptions } from "../../../shell/options/experiment_options.ts";
import { storeOption } from "../../../shell/store/store_option.ts";
import { marketOf } from "../../../../../base/markets/markets.ts";
import { UsageError } from "../../../shell/errors/cli_error.ts";
import type { StoreOptions } from "../../../shell/store/store_place.ts";
import { addProfilesOptions } from "../../../shell/options/profile_options.ts";

/** Options that every weekly job has. */
export interface JobOptions extends ManyProfilesOptions, StoreOptions, ExperimentOptions {
  /** False to judge by what is stored. */
  readonly sync: boolean;
  /** True to work on imported files alone. */
  readonly fromFiles?: true;
  /** Moment of whose knowledge the plan is made. */
  readonly asOf?: string;
  /** True to judge also what was changed lately. */
  readonly again?: true;
  readonly note?: string;
  readonly out?: string;
}

export function noSyncOption(): Option<"--no-sync"> {
  return new Option("--no-sync", "judge by what is stored; days that are missing are an error");
}

export function fromFilesOption(): Option<"--from-files"> {
  return new Option(
    "--from-files",
    "work on what adsctl import stored, and write a bulk sheet to upload (--out FILE.xlsx)",
  );
}

export function asOfOption(): Option<"--as-of <moment>"> {
  return new Option(
    "--as-of <moment>",
    "the plan that would have been made then, by what was known, and what happened since; nothing is saved",
  );
}

const ONE_EACH = "a plan for each, in one rollout";

/** Adds the options that every weekly job has. */
export function withJobOptions<Args extends unknown[], Own extends OptionValues>(
  command: Command<Args, Own>,
): Command<Args, Own & Pick<JobOptions, keyof JobOptions>> {
  const full: CommandUnknownOpts = addProfilesOptions(withExperimentOptions(command), ONE_EACH)
    .addOption(storeOption())
    .addOption(noSyncOption())
    .option("--again", "judge also what was changed in or after the judged days, by figures from before")
    .option("--note <text>", "why; stays with the plan")
    .option(
      "--out <path>",
      "file or folder for the plan, otherwise plan-<id>.json in this folder; folder of a rollout, otherwise rollout",
    );
  // The types of commander cannot add to options that are not known yet.
  return full as Command<Args, Own & Pick<JobOptions, keyof JobOptions>>;
}

/** An amount of money, or one for each currency: profiles of several markets take no common amount. */
export type MoneyOption = number | Readonly<Record<string, number>>;

/** Reads `2.50`, or `USD=2.50,CAD=3`. */
export function money(text: string): MoneyOption {
  if (!text.includes("=")) return amount(text);
  const amounts: Record<string, number> = {};
  for (const part of text.split(",")) {
    const [, currency, number] = /^\s*([A-Za-z]{3})\s*=\s*([\d.]+)\s*$/.exec(part) ?? [];
    if (currency === undefined || number === undefined) {
      throw new InvalidArgumentError(`"${part.trim()}" is not an amount of a currency, such as USD=2.50.`);
    }
    amounts[currency.toUpperCase()] = amount(number);
  }
  return amounts;
}

/**
 * The amount of an option in the currency of a profile.
 *
 * @throws {UsageError} when it gives amounts for other currencies only.
 */
export function moneyFor(
  option: MoneyOption | undefined,
  { countryCode }: { readonly countryCode: string },
): number | undefined {
  if (option === undefined || typeof option === "number") return option;
  const currency = marketOf(countryCode)?.currency ?? "";
  const found = option[currency];
  if (found !== undefined) return found;
  throw new UsageError(
    `Cannot use an amount in ${Object.keys(option).join(", ")} for ${countryCode}: add one in ${currency}`,
  );
}

/**
 * Refuses one amount for profiles of several currencies.
 *
 * @param amounts By the name of the option.
 * @throws {UsageError} that says how to give it.
 */
export function checkCurrencies(
  amounts: Readonly<Record<string, MoneyOption | string | undefined>>,
  profiles: readonly { readonly countryCode: string }[],
): void {
  const currencies = [
    ...new Set(profiles.flatMap(({ countryCode }) => marketOf(countryCode)?.currency ?? [])),
  ];
  if (currencies.length < 2) return;
  for (const [option, value] of Object.entries(amounts)) {
    if (value === undefined || typeof value === "object") continue;
    throw new UsageError(
      `Cannot use ${option} ${value} for profiles in ${currencies.sort().join(", ")}: ` +
        (option === "--change"
          ? "an amount means something else in each; use a share such as +10%"
          : `give one for each, as ${option} ${currencies.map((code) => `${code}=...`).join(",")}`),
    );
  }
}

/** An amount of money, above 0. */
function amount(text: string): number {
  if (!/^\d+(\.\d+)?$/.test(text) || Number(text) <= 0) {
    throw new InvalidArgumentError("It is not an amount above 0, such as 2.50.");
  }
  return Number(text);
}

/** A share: `30%` or `0.3`. */
export function share(text: string): number {
  const [, number, percent] = /^(\d+(?:\.\d+)?)\s*(%?)$/.exec(text.trim()) ?? [];
  if (number === undefined) throw new InvalidArgumentError("It is not a share such as 30% or 0.3.");
  return Number(number) / (percent === "%" ? 100 : 1);
}
