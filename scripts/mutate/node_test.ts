/** What tests of the changed copy get for `node:test`. */
export { after, before, test, test as it } from "./collected_tests.ts";
export { mock } from "node:test";
