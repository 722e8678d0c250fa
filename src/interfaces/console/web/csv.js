// @ts-check
// Browsers get the file itself in place of this one.
export { csvText } from "../../../base/text/csv_text.js";
