/**
 * Gives every client of this isolate that is made without a policy {@linkcode WIDE_POLICY}. Import it before any module
 * that makes clients, or preload it: `deno test -A --no-check --preload tests/support/judged_clients.ts FILE`.
 */
import { registerHooks } from "node:module";
import { marks } from "../../scripts/run_tests/marks.ts";

const REAL = new URL("../../src/client/platform_ads.ts", import.meta.url).href;
const JUDGED = new URL("judged_platform_ads.ts", import.meta.url).href;

marks.isUnderPolicy = true;
registerHooks({
  resolve: (specifier, context, next) => {
    const found = next(specifier, context);
    return found.url === REAL && context.parentURL !== JUDGED ? { ...found, url: JUDGED } : found;
  },
});
