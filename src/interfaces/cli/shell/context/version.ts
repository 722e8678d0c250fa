/** Version of the package; the same as in `deno.json`, which a test holds. */
export const VERSION = "0.3.0";
