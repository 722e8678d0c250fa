/* @ts-self-types="./report_fields_data.d.ts" */
// JavaScript with a declared type: inferring one from the JSON would slow down every type check.
export { default } from "./report_fields.json" with { type: "json" };
