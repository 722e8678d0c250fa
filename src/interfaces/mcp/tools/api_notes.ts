import * as z from "zod";
import { NOTES } from "../../../platform/notes/notes.ts";
import { type Tool, tool } from "../tooling/tool.ts";

export const apiNotes: Tool = tool({
  name: "api_notes",
  title: "Notes on the platform",
  description:
    "Undocumented platform behaviour: limits, odd responses, meaning of figures. Without a topic, lists " +
    "topics; with one (topic id or words), returns its notes.",
  input: z.strictObject({ topic: z.string().optional() }),
  output: z.object({
    topics: z.array(z.object({ id: z.string(), title: z.string(), notes: z.int() })).optional(),
    notes: z.array(z.object({ id: z.string(), title: z.string(), text: z.string() })).optional(),
  }),
  effect: "read",
  isLocal: true,
  run({ topic }) {
    const notes = topic === undefined ? [] : notesOn(topic);
    if (notes.length > 0) {
      const data = { notes: notes.map(({ id, title, text }) => ({ id, title, text })) };
      return Promise.resolve({
        data,
        text: notes.map(({ title, text }) => `${title}\n${text}`).join("\n\n"),
      });
    }
    const topics = NOTES.map(({ id, title, notes }) => ({ id, title, notes: notes.length }));
    const list = topics.map(({ id, title, notes }) => `${id}: ${title} (${notes})`).join("\n");
    const lead = topic === undefined ? "Topics" : `No note holds all of "${topic}". Topics`;
    return Promise.resolve({ data: { topics }, text: `${lead}\n${list}` });
  },
});

function notesOn(topic: string) {
  const group = NOTES.find(({ id }) => id === topic.trim());
  if (group !== undefined) return group.notes;
  const words = topic.toLowerCase().split(/\s+/).filter((word) => word !== "");
  return NOTES.flatMap((group) => group.notes).filter(({ id, title, text }) => {
    const all = `${id} ${title} ${text}`.toLowerCase();
    return words.length > 0 && words.every((word) => all.includes(word));
  });
}
