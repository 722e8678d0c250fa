/* @ts-self-types="./stream_datasets_data.d.ts" */
// JavaScript with a declared type: inferring one from the JSON would slow down every type check.
export { default } from "../../../catalog/stream_datasets.json" with { type: "json" };
