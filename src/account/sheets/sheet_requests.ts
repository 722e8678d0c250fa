import type { EntityFields } from "../../plans/model/change.ts";
import { KINDS } from "../../client/entities/kinds/kinds.ts";
import type { ResourceSpec } from "../../client/entities/model/resource_spec.ts";
import { nested, type RowPlace, type RowProblem, type SheetRow } from "./sheet_row.ts";
import type { SheetRows } from "./sheet_rows.ts";

export interface SheetRequest {
  readonly kind: string;
  readonly op: SheetRow["op"];
  readonly id: string | null;
  readonly ref: string | undefined;
  readonly fields: EntityFields;
  readonly rows: readonly RowPlace[];
}

interface Group {
  readonly first: SheetRow;
  readonly rows: SheetRow[];
  readonly ref: string | undefined;
}

export function sheetRequests(
  { rows, problems }: SheetRows,
): { requests: SheetRequest[]; problems: RowProblem[] } {
  const found: RowProblem[] = [...problems];
  const groups = groupRows(rows, found);
  const created = new Map<string, Group>();
  for (const group of groups) {
    if (group.ref !== undefined && group.first.id !== "") created.set(entityKey(group.first), group);
  }
  const usable = new Set(groups);
  // A row whose parent cannot be used cannot be used either, at any depth.
  for (let before = -1; before !== usable.size;) {
    before = usable.size;
    for (const group of usable) {
      for (const { kind, id, header } of group.first.parents) {
        if (/^\d+$/.test(id)) continue;
        const parent = created.get(`${kind} ${id}`);
        if (parent !== undefined && usable.has(parent)) continue;
        usable.delete(group);
        const message = parent === undefined
          ? `"${id}" is neither an id nor the text of a usable row that creates the entity`
          : `its parent in row ${parent.first.row} cannot be used`;
        found.push({ ...placeOf(group.first), header, message });
      }
    }
  }
  const requests = [...usable].map((group) => requestOf(group, created));
  return { requests, problems: found };
}

export function entityKey({ kind, id }: { readonly kind: string; readonly id: string }): string {
  return `${kind} ${id}`;
}

function groupRows(rows: readonly SheetRow[], problems: RowProblem[]): Group[] {
  const tabs = new Map<string, number>();
  const groups: Group[] = [];
  const byEntity = new Map<string, Group>();
  const adjustments: SheetRow[] = [];
  for (const row of rows) {
    if (!tabs.has(row.tab)) tabs.set(row.tab, tabs.size + 1);
    if ("placement" in row.entity) {
      adjustments.push(row);
      continue;
    }
    const old = row.id === "" ? undefined : byEntity.get(entityKey(row));
    if (old !== undefined) {
      problems.push({
        ...placeOf(row),
        header: "",
        message: `row ${old.first.row}${
          old.first.tab === row.tab ? "" : ` of tab "${old.first.tab}"`
        } is about the same entity`,
      });
      continue;
    }
    const ref = row.op === "create" ? `t${tabs.get(row.tab)}-${row.row}` : undefined;
    const group = { first: row, rows: [row], ref };
    groups.push(group);
    if (row.id !== "") byEntity.set(entityKey(row), group);
  }
  for (const row of adjustments) addAdjustment(row, { groups, byEntity, problems });
  return groups;
}

/** Adds a placement adjustment to its campaign. The campaign's own row may come before or after it, or be missing. */
function addAdjustment(
  row: SheetRow,
  { groups, byEntity, problems }: { groups: Group[]; byEntity: Map<string, Group>; problems: RowProblem[] },
): void {
  const group = byEntity.get(entityKey(row));
  if (group === undefined && !/^\d+$/.test(row.id)) {
    const message = `"${row.id}" is neither an id nor the text of a usable row that creates the campaign`;
    problems.push({ ...placeOf(row), header: "Campaign Id", message });
  } else if (group === undefined) {
    const made = { first: { ...row, op: "update" as const }, rows: [row], ref: undefined };
    groups.push(made);
    byEntity.set(entityKey(row), made);
  } else if (group.first.op === "archive") {
    const message = `row ${group.first.row} archives the campaign`;
    problems.push({ ...placeOf(row), header: "Operation", message });
  } else group.rows.push(row);
}

function requestOf({ first, rows, ref }: Group, created: ReadonlyMap<string, Group>): SheetRequest {
  const { kind, op, id, parents, entity } = first;
  const spec: ResourceSpec = KINDS[kind as keyof typeof KINDS];
  const owners = parents.filter(({ path }) => op === "create" || spec.updatable.includes(path)).map(
    (owner): readonly [string, unknown] => {
      const name = created.get(entityKey(owner))?.ref;
      return [owner.path, name === undefined ? owner.id : { ref: name }];
    },
  );
  const fields = nested([...owners, ...rows.flatMap((row) => row.fields)]);
  const complete = op === "create" && "onCreate" in entity ? entity.onCreate?.(fields) ?? fields : fields;
  return { kind, op, id: op === "create" ? null : id, ref, fields: complete, rows: rows.map(placeOf) };
}

function placeOf({ tab, row }: RowPlace): RowPlace {
  return { tab, row };
}
