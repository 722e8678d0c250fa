import type { NoteGroup } from "./note.ts";

export const KEYWORD_TEXT: NoteGroup = {
  id: "keyword-text",
  title: "Keyword texts",
  notes: [
    {
      id: "keyword-length",
      title: "80 characters, ten words; four for most negatives",
      text:
        "A negative exact keyword may have ten words like any other, every other negative four. `checkKeywordText` says what is wrong before the platform does.",
    },
    {
      id: "keyword-characters",
      title: "Few signs are accepted",
      text:
        "Hyphen, plus and period inside a word; ampersand, square brackets and both quotes anywhere. Round brackets and the colon never; the percent sign only in the Emirates, Saudi Arabia and Egypt. No space at either end.",
    },
    {
      id: "keyword-reserved",
      title: "One phrase is reserved",
      text: '"Automatically Selected Keywords" is refused as a keyword.',
    },
  ],
};
