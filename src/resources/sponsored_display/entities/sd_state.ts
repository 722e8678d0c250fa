import type { OpenEnum } from "../../fields/open_enum.ts";

/** State of an entity of Sponsored Display; capitals are accepted in what is written. */
export type SdState = OpenEnum<"enabled" | "paused" | "archived">;
