import type { NoteGroup } from "./note.ts";

export const SPONSORED_DISPLAY: NoteGroup = {
  id: "sponsored-display",
  title: "Sponsored Display",
  notes: [
    {
      id: "sd-flat",
      title: "Lists by GET, bodies and verdicts as bare lists",
      text:
        "Lists take filters with commas and a start index; writes take a list of up to a hundred items and answer 207 with a verdict for each in the same order. Ids are bare numbers that can exceed 2^53, states and most words are in lower case.",
    },
    {
      id: "sd-days",
      title: "Days have no hyphens",
      text:
        "`startDate` and `endDate` are written 20261001. Methods, plans and files accept 2026-10-01 as well; entities keep the platform's spelling.",
    },
    {
      id: "sd-tactic",
      title: "The tactic decides what can be targeted",
      text:
        "A campaign with the tactic T00020 targets products and content, one with T00030 also audiences: `views`, `purchases`, `audience`, whose value is a list of predicates. Tactic and cost type (`cpc` or `vcpm`) cannot be changed; bids for a thousand viewable impressions have limits of their own. The unified family has no tactic: there it follows from the targets.",
    },
    {
      id: "sd-archive",
      title: "Display is archived one request each",
      text:
        "There is no batch for it. What is missing gets 404, which becomes a NOT_FOUND verdict on that item alone.",
    },
    {
      id: "sd-negative-targets",
      title: "Negative targets do not say their campaign",
      text:
        "They are listed by campaign and name only their ad group; and of their two lists only the extended one finds them by id, so that it is always used.",
    },
    {
      id: "sd-extended",
      title: "Dates and serving status are at an address of their own",
      text:
        "`extended` asks `/sd/campaigns/extended` and kin, which add `creationDate`, `lastUpdatedDate` and `servingStatus` and leave out a few other fields.",
    },
    {
      id: "sd-history",
      title: "The change history knows nothing of Display",
      text: "What changed is found by comparing the entities of the store: `sync --entities`, then `drift`.",
    },
  ],
};
