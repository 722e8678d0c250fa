import { attribute } from "./xml_text.ts";

/** A tab of a workbook and where it is in the archive. */
export interface WorkbookTab {
  /** As people see it. */
  readonly name: string;
  /** Path in the archive. */
  readonly path: string;
}

/**
 * The tabs of a workbook in their order.
 *
 * @param workbook Text of `xl/workbook.xml`.
 * @param relations Text of `xl/_rels/workbook.xml.rels`.
 */
export function workbookTabs(workbook: string, relations: string): WorkbookTab[] {
  const targets = new Map(
    [...relations.matchAll(/<(?:\w+:)?Relationship\b([^>]*)>/g)].map(([, tag = ""]) => [
      attribute(tag, "Id"),
      attribute(tag, "Target") ?? "",
    ]),
  );
  return [...workbook.matchAll(/<(?:\w+:)?sheet\b([^>]*)>/g)].flatMap(([, tag = ""]) => {
    const target = targets.get(attribute(tag, "r:id"));
    if (target === undefined) return [];
    const path = target.startsWith("/") ? target.slice(1) : `xl/${target}`;
    return [{ name: attribute(tag, "name") ?? "", path }];
  });
}
