import type { LakeTable } from "./lake_tables.ts";
import { type LakeFile, type LakeManifest, type LakeTableFiles, partitionKey } from "./manifest.ts";

export function withFiles(
  manifest: LakeManifest,
  { tables, files, now }: {
    tables: readonly LakeTable[];
    files: ReadonlyMap<string, readonly LakeFile[]>;
    now: number;
  },
): LakeManifest {
  const at = new Date(now).toISOString();
  const found: Record<string, LakeTableFiles> = { ...manifest.tables };
  const replaced: string[] = [];
  for (const table of tables) {
    const { name, columns } = table;
    const fresh = files.get(name);
    if (fresh === undefined) continue;
    const { files: old = [], schema_version: version = 0, columns: former = [] } = manifest.tables[name] ??
      {};
    const keys = new Set(fresh.map(partitionKey));
    const isSame = haveColumns({ columns: former }, table);
    found[name] = {
      schema_version: isSame ? version : version + 1,
      columns,
      files: [...old.filter((file) => !keys.has(partitionKey(file))), ...fresh].sort(inOrder),
    };
    replaced.push(
      ...old.flatMap((file) => keys.has(partitionKey(file)) && file.path !== null ? [file.path] : []),
    );
  }
  const live = new Set(Object.values(found).flatMap((table) => table.files.map(({ path }) => path)));
  const retired = [...manifest.retired, ...replaced.map((path) => ({ path, at }))];
  return {
    ...manifest,
    published_at: at,
    tables: found,
    retired: retired.filter(({ path }) => !live.has(path)),
  };
}

export function haveColumns(
  former: Pick<LakeTableFiles, "columns">,
  { columns }: Pick<LakeTable, "columns">,
): boolean {
  return JSON.stringify(former.columns) === JSON.stringify(columns);
}

function inOrder(one: LakeFile, other: LakeFile): number {
  const [a, b] = [one, other].map((file) => `${file.country_code ?? ""} ${partitionKey(file)}`) as [
    string,
    string,
  ];
  return a < b ? -1 : a > b ? 1 : 0;
}
