/* @ts-self-types="./console_headers_data.d.ts" */
// JavaScript with a declared type: inferring one from the JSON would slow down every type check.
export { default } from "./console_headers.json" with { type: "json" };
