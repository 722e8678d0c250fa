import type { PulledSheet } from "../../account/sheets/pull_sheet.ts";
import { defineOperation } from "../model/operation.ts";
import type { ReadContext } from "./read_operation.ts";

export const sheetPull = defineOperation<ReadContext, PulledSheet>()({
  name: "sheet pull",
  effect: "read",
  isForPeople: true,
  title: "Pull a sheet",
  summary: "Save the account as a bulk sheet, one tab per product",
  details:
    "Ids are text, amounts are numbers, dates are yyyyMMdd, and the column Operation is empty. A .csv file " +
    "holds one product. In .csv, values that look like formulas start with an apostrophe, which is removed " +
    "when the file is read.",
  brief: "Saves the account as a bulk sheet",
  examples: [
    { input: { file: "bulk.xlsx" }, about: "everything" },
    { input: { file: "sp.csv", products: ["Sponsored Products"] }, about: "save one product as CSV" },
  ],
  library: "const { bytes } = await pullSheet(profile)",
  input: {
    file: {
      type: "text",
      required: true,
      value: "file",
      help: "an .xlsx or .csv file to write; for many profiles, a folder",
    },
    products: {
      type: "words",
      value: "names",
      help: "Portfolios, Sponsored Products, Sponsored Brands, Sponsored Display",
      otherwise: "all",
    },
    campaign_ids: { type: "ids", help: "only these campaigns and their contents" },
  },
  async check({ file, products, campaign_ids: campaignIds }) {
    const { wantedProducts } = await import("../../account/sheets/pull_sheet.ts");
    wantedProducts({ format: sheetFormat(file), products, campaignIds });
  },
  async run({ profile, signal }, { file, products, campaign_ids: campaignIds }) {
    const { pullSheet } = await import("../../account/sheets/pull_sheet.ts");
    return await pullSheet(profile, { format: sheetFormat(file), products, campaignIds, signal });
  },
});

function sheetFormat(file: string): "xlsx" | "csv" {
  const [, extension = ""] = /\.(xlsx|csv)$/i.exec(file) ?? [];
  if (extension !== "") return extension.toLowerCase() === "csv" ? "csv" : "xlsx";
  throw new RangeError(`Cannot write a sheet to "${file}": its name must end in .xlsx or .csv`);
}
