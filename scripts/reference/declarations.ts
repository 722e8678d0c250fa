/** A member of a class or an interface that anybody may read. */
export interface Member {
  /** Its name. */
  readonly name: string;
  /** Its type, as the source has it. */
  readonly type: string;
  /** What it is, and its default: the first paragraph of its doc comment. */
  readonly doc: string;
}

/** A class or an interface of a source file, with its doc comment. */
export interface Declaration {
  /** Its name. */
  readonly name: string;
  /** The class it extends. */
  readonly parent: string | undefined;
  /** What it is. */
  readonly doc: string;
  /** Its own members in the order of the source. */
  readonly members: readonly Member[];
}

interface DocComment {
  readonly doc?: string;
}

interface DocProperty {
  readonly name: string;
  readonly jsDoc?: DocComment;
  readonly location: { readonly line: number };
}

interface DocDeclaration {
  readonly kind: string;
  readonly declarationKind: string;
  readonly jsDoc?: DocComment;
  readonly def: { readonly extends?: unknown; readonly properties?: readonly DocProperty[] };
}

interface DocFile {
  readonly symbols: readonly { readonly name: string; readonly declarations: readonly DocDeclaration[] }[];
}

/** The exported classes and interfaces of a source file, read by `deno doc`, in the order of the source. */
export async function declarationsOf(file: URL): Promise<Declaration[]> {
  const command = new Deno.Command(Deno.execPath(), { args: ["doc", "--json", file.href] });
  const { success, stdout, stderr } = await command.output();
  const decoder = new TextDecoder();
  if (!success) {
    throw new Error(`Cannot read the doc comments of ${file.pathname}: ${decoder.decode(stderr)}`);
  }
  const { nodes } = JSON.parse(decoder.decode(stdout)) as { nodes: Record<string, DocFile> };
  const lines = (await Deno.readTextFile(file)).split("\n");
  return Object.values(nodes).flatMap(({ symbols }) => symbols).flatMap(({ name, declarations }) =>
    declarations.filter(({ kind, declarationKind }) =>
      declarationKind === "export" && (kind === "class" || kind === "interface")
    ).map(({ jsDoc, def }) => ({
      name,
      parent: typeof def.extends === "string" ? def.extends : undefined,
      doc: plain(jsDoc?.doc ?? ""),
      members: (def.properties ?? []).map((property) => ({
        name: property.name,
        type: typeOn(lines[property.location.line] ?? "", property.name),
        doc: plain(property.jsDoc?.doc ?? ""),
      })),
    }))
  );
}

function typeOn(line: string, name: string): string {
  const type = /^\s*readonly (\w+)\??: (.*);$/.exec(line);
  if (type?.[1] !== name) throw new Error(`Cannot find the type of "${name}" in "${line.trim()}"`);
  return type[2]!.replaceAll("readonly ", "");
}

function plain(doc: string): string {
  const first = doc.split("\n\n")[0]!.replaceAll("\n", " ").trim();
  return first.replaceAll(/\{@linkcode (\w+)\}/g, "`$1`").replace(" @default ", " Default: ");
}
