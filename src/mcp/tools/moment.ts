import * as z from "zod";

/** A moment in an argument, read by {@linkcode readMoment}. */
export const MOMENT: z.ZodString = z.string().describe(
  "Day of the account (2026-11-20, -7, yesterday) or ISO time",
);
