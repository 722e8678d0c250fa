/* @ts-self-types="./schema_files.d.ts" */
// JavaScript with a declared type, because inferring one from a megabyte of JSON takes a type check seconds.
export { SCHEMA_FILES, SHARED_MODELS } from "../../../catalog/schemas/index.js";
