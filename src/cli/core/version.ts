/** Version of the package; the same as in `deno.json`, which a test holds. */
export const VERSION = "0.1.0";
