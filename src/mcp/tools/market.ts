import * as z from "zod";

/** The argument that says which profile is meant: a country code or profile id, as list_profiles explains. */
export const MARKET: z.ZodString = z.string();
