import type { NamedTerm } from "../../account/jobs/search_terms.ts";
import type { Fields } from "../model/field.ts";

export const TERMS_FIELD = {
  terms: {
    type: "table",
    columns: { term: { type: "text", required: true }, ad_group: { type: "text", required: true } },
    maxRows: 1000,
    help:
      "file with only these terms, whatever their clicks, orders and ACOS; ad_group is the id of their ad group",
    brief: "Only these, without limits; ad_group is the source's id",
    isRare: true,
  },
} as const satisfies Fields;

export function termsOf(
  rows: readonly { readonly term: string; readonly ad_group: string }[] | undefined,
): readonly NamedTerm[] | undefined {
  return rows?.map(({ term, ad_group: adGroupId }) => ({ searchTerm: term, adGroupId }));
}
