import * as z from "zod";

/** A moment in an argument, read by {@linkcode readMoment}. */
export const MOMENT: z.ZodString = z.string().describe("ISO time, day, or -N for N days ago");
