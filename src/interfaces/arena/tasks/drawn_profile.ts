import type { Script } from "../model/task.ts";
import { ProfileDraft } from "../account/account_draft.ts";
import type { Draw } from "../account/draw.ts";

/** Markets of tasks; all of them write amounts with two decimals. */
const COUNTRIES = ["US", "CA", "UK", "DE", "FR", "IT", "ES", "AU"];

/** A profile to fill, in a drawn market at a drawn time. */
export function drawnProfile(draw: Draw, country: string = draw.pick(COUNTRIES)): ProfileDraft {
  return new ProfileDraft(draw, {
    country,
    now: Date.parse(draw.now()),
    accountName: `${draw.line().name} Store`,
  });
}

/** Says nothing and does nothing. */
export const idle: Script = () => Promise.resolve("");

/** Answers without a call. */
export function claim(lines: Readonly<Record<string, unknown>>): Script {
  return () => Promise.resolve(linesOf(lines));
}

/** Lines of an answer. */
export function linesOf(lines: Readonly<Record<string, unknown>>): string {
  return Object.entries(lines).map(([key, value]) => `${key}: ${value}`).join("\n");
}

/** Rounds to two decimals. */
export function cents(amount: number): number {
  return Math.round(amount * 100) / 100;
}

/** A row of an answer. */
// deno-lint-ignore no-explicit-any -- scripts look into answers of every shape
export type Row = Readonly<Record<string, any>>;

/** Orders rows by a column, largest first. */
export function by(column: string): (a: Row, b: Row) => number {
  return (a, b) => Number(b[column]) - Number(a[column]);
}
