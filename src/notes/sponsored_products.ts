import type { NoteGroup } from "./note.ts";

/** Sponsored Products and portfolios. */
export const SPONSORED_PRODUCTS: NoteGroup = {
  id: "sponsored-products",
  title: "Sponsored Products and portfolios",
  notes: [
    {
      id: "sp-budget-object",
      title: "A budget is an object, and a bare number a riddle",
      text:
        "The wire wants `{budget, budgetType}`. A bare number gets a 400 that names no field. The library widens a number in all four ways of writing; `planUpdate` keeps the budget type the campaign has, the others take DAILY.",
    },
    {
      id: "sp-negative-ids",
      title: "Negative keywords change the name of their id",
      text:
        "They are read and updated by `keywordId`; verdicts call it `negativeKeywordId`, or `campaignNegativeKeywordId` for those of campaigns.",
    },
    {
      id: "sp-keyword-fixed",
      title: "Text and match type of a keyword are fixed",
      text:
        "An update that carries them is refused, so they are left out. Make a new keyword and pause the old one.",
    },
    {
      id: "sp-default-bidding",
      title: "A campaign without a bidding strategy lowers bids",
      text: "Left out on create, `dynamicBidding` becomes dynamic bids, down only.",
    },
    {
      id: "archive-forever",
      title: "Archiving cannot be undone",
      text:
        "An archived entity stays listed when asked for (`states: null`) and refuses every change, as do the entities below it: PARENT_ARCHIVED_FORBIDS_UPDATES. Plans that archive say so, and their results offer no undo.",
    },
    {
      id: "portfolio-states",
      title: "Portfolios are listed in every state, and nothing archives them",
      text: "ENABLED is the only state the platform describes.",
    },
  ],
};
