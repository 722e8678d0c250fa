import type { Script } from "../judge/task.ts";
import { ProfileDraft } from "../account/account_draft.ts";
import type { Draw } from "../account/draw.ts";

const COUNTRIES = ["US", "CA", "UK", "DE", "FR", "IT", "ES", "AU"];

export function drawnProfile(draw: Draw, country: string = draw.pick(COUNTRIES)): ProfileDraft {
  return new ProfileDraft(draw, {
    country,
    now: Date.parse(draw.now()),
    accountName: `${draw.line().name} Store`,
  });
}

export const idle: Script = () => Promise.resolve("");

export function claim(lines: Readonly<Record<string, unknown>>): Script {
  return () => Promise.resolve(linesOf(lines));
}

export function linesOf(lines: Readonly<Record<string, unknown>>): string {
  return Object.entries(lines).map(([key, value]) => `${key}: ${value}`).join("\n");
}

export function cents(amount: number): number {
  return Math.round(amount * 100) / 100;
}

// deno-lint-ignore no-explicit-any -- scripts look into answers of every shape
export type Row = Readonly<Record<string, any>>;

export function by(column: string): (a: Row, b: Row) => number {
  return (a, b) => Number(b[column]) - Number(a[column]);
}
