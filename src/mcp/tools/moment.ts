import * as z from "zod";

/** A moment in an argument, read by {@linkcode readMoment}. */
export const MOMENT: z.ZodString = z.string().describe(
  "2026-11-20 or last week (days of the account), -7, or ISO time",
);
