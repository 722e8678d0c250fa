import * as z from "zod";

const DAY = 86_400_000;

/** How moments may be written in arguments. */
export const MOMENT: z.ZodString = z.string().describe("ISO time, day, or -N for N days ago");

/** A moment of an argument: `-7` is that many days before now, all else is left as it is. */
export function momentOf(text: string, now: number): string {
  const ago = /^-(\d{1,4})$/.exec(text.trim());
  return ago === null ? text.trim() : new Date(now - Number(ago[1]) * DAY).toISOString();
}
