import * as z from "zod";

/** The argument that says which profile is meant. */
export const MARKET: z.ZodString = z.string().min(1).describe("Country code or profile id");
