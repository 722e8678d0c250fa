import * as z from "zod";

/** The argument that says which profile is meant. */
export const MARKET: z.ZodString = z.string().describe("Country code or profile id");
