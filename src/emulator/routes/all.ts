import type { Route } from "../route.ts";
import { PROFILE_ROUTES } from "./profiles.ts";

/** Every operation the emulator serves. Add a family's list here. */
export const ROUTES: readonly Route[] = [
  ...PROFILE_ROUTES,
];
