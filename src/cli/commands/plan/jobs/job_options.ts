import { InvalidArgumentError, Option } from "@commander-js/extra-typings";
import type { MarketOptions } from "../../../options/market_options.ts";
import type { StoreOptions } from "../../../core/store_place.ts";

/** Options that every weekly job has. */
export interface JobOptions extends MarketOptions, StoreOptions {
  /** False to judge by what is stored. */
  readonly sync: boolean;
  /** Why the plan is made. */
  readonly note?: string;
  /** Where the plan is saved. */
  readonly out?: string;
}

export function noSyncOption(): Option<"--no-sync"> {
  return new Option("--no-sync", "judge by what is stored; days that are missing are an error");
}

export function noteOption(): Option<"--note <text>"> {
  return new Option("--note <text>", "why; stays with the plan");
}

export function outOption(): Option<"--out <path>"> {
  return new Option("--out <path>", "file or folder for the plan; otherwise plan-<id>.json in this folder");
}

/** An amount of money, above 0. */
export function amount(text: string): number {
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
