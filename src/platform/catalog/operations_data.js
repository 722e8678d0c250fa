/* @ts-self-types="./operations_data.d.ts" */
// JavaScript with a declared type, because inferring one from 1,200 lines of JSON doubles the time of a type check.
export { default } from "../../../catalog/operations.json" with { type: "json" };
