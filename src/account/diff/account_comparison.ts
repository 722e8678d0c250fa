import { idOf } from "../../base/json/id_of.ts";
import type { Fields } from "../../client/entities/model/resource_wire.ts";
import type { AccountLock, LockedEntity, LockedProfile } from "../files/account_lock.ts";
import { sameValue } from "../../base/json/canonical_json.ts";
import { entityKey, keyFields } from "../files/entity_key.ts";
import { type AccountNode, type AccountReading, campaignsOf, parentField } from "../files/account_reading.ts";
import { type AccountSettings, isManaged, nounOf } from "../files/account_settings.ts";
import { compareEntity, createFields } from "./compare_entity.ts";
import type { AddedEntity, ChangedEntity, DiffEntry, ExtraEntity, PortfolioChoice } from "./diff_entries.ts";
import { entityInFile, hasPortfolio, PORTFOLIO_KEY, specOf } from "../files/file_kinds.ts";
import type { FileProblem } from "../files/file_problem.ts";
import { likeness, matchEntities } from "./match_entities.ts";
import {
  createProblems,
  type WantedAccount,
  type WantedEntity,
  wantedLabel,
} from "../files/wanted_entities.ts";

interface ComparisonParts {
  readonly wanted: WantedAccount;
  readonly reading: AccountReading;
  readonly settings: AccountSettings;
  readonly lock: AccountLock | undefined;
  readonly same?: ReadonlySet<string>;
  readonly samePortfolios?: boolean;
  readonly onPair?: (wanted: WantedEntity, node: AccountNode) => void;
}

export class AccountComparison {
  readonly added: AddedEntity[] = [];
  readonly changed: ChangedEntity[] = [];
  readonly extra: ExtraEntity[] = [];
  readonly refusals: FileProblem[] = [];
  readonly notes: Set<string> = new Set();
  readonly #parts: ComparisonParts;
  readonly #locked: LockedProfile | undefined;
  readonly #parents = new Map<string, string>();
  readonly #portfolioIds = new Map<WantedEntity, string>();
  /** Missing and new ad groups, kept until the end because some may have moved between files. */
  readonly #goneGroups: { readonly node: AccountNode; readonly file: string | null }[] = [];

  constructor(parts: ComparisonParts) {
    this.#parts = parts;
    this.#locked = parts.lock?.profiles[parts.reading.profileId];
    const index = (node: AccountNode, parent: string): void => {
      this.#parents.set(`${node.kind.kind} ${node.id}`, parent);
      for (const child of node.children) index(child, node.id);
    };
    for (const node of [...campaignsOf(parts.reading), ...parts.reading.portfolios]) index(node, "");
  }

  run(): this {
    this.#portfolios();
    for (const [folder, nodes] of Object.entries(this.#parts.reading.campaigns)) {
      this.#campaigns(folder, nodes);
    }
    this.#moves();
    return this;
  }

  /**
   * File ids are account ids only if the files were pulled from this account; otherwise they only distinguish
   * entities.
   */
  get #ownIds(): boolean {
    return this.#locked !== undefined;
  }

  #portfolios(): void {
    const { wanted, reading, samePortfolios } = this.#parts;
    if (samePortfolios) return;
    const locked = Object.values(this.#locked?.files ?? {}).find(({ portfolios }) =>
      portfolios !== undefined
    );
    const ids = Object.entries(locked?.portfolios ?? {});
    const matches = matchEntities(wanted.portfolios, reading.portfolios, {
      ownIds: this.#ownIds,
      locked: Object.fromEntries(ids.map(([name, id]): [string, LockedEntity] => [name, { id }])),
    });
    for (const { wanted: one, node } of matches.pairs) {
      this.#portfolioIds.set(one, node.id);
      this.#compare(one, node, null);
    }
    for (const one of matches.added) this.#add(one, [], null);
    // Nothing archives a portfolio, so one that the files do not have is nobody's difference.
  }

  #campaigns(folder: string, nodes: readonly AccountNode[]): void {
    const { wanted, same } = this.#parts;
    const own = wanted.campaigns.filter(({ source }) => source.yaml.file.startsWith(`${folder}/`));
    const left = nodes.filter(({ id }) => !same?.has(id));
    const matches = matchEntities(own, left, {
      ownIds: this.#ownIds,
      lockedId: ({ source }) => this.#locked?.files[source.yaml.file]?.campaign?.id,
    });
    for (const { wanted: one, node } of matches.pairs) this.#compareTree(one, node);
    for (const one of matches.added) {
      const rival = nodes.find((node) => nameOf(node) === String(one.fields["name"]).trim().toLowerCase());
      if (rival !== undefined) {
        this.#refuse(
          one,
          "name",
          `is already the name of ${nounOf(one.kind.kind)} ${rival.id} in another file`,
        );
      } else this.#addTree(one, [], String(one.fields["name"]));
    }
    for (const node of matches.extra) this.#extra(node, String(node.entity["name"]), null);
  }

  #compareTree(wanted: WantedEntity, node: AccountNode): void {
    const campaign = String(wanted.fields["name"] ?? node.entity["name"]);
    this.#compare(wanted, node, campaign);
    const locked = this.#locked?.files[wanted.source.yaml.file]?.campaign;
    this.#compareChildren(wanted, node, {
      campaign,
      parents: [node],
      locked: locked?.id === node.id ? locked : undefined,
    });
  }

  #compareChildren(
    wanted: WantedEntity,
    node: AccountNode,
    { campaign, parents, locked }: {
      campaign: string;
      parents: readonly AccountNode[];
      locked: LockedEntity | undefined;
    },
  ): void {
    const { file } = wanted.source.yaml;
    for (const kind of wanted.kind.children) {
      if (this.#parts.settings.ignore.kinds.includes(kind.kind)) continue;
      const own = wanted.children.filter((child) => child.kind === kind && !this.#isMoved(child, node));
      const nodes = node.children.filter((child) => child.kind === kind);
      const groups = kind.children.length > 0 ? locked?.ad_groups : undefined;
      const matches = matchEntities(own, nodes, { ownIds: this.#ownIds, locked: groups });
      for (const { wanted: child, node: found } of matches.pairs) {
        this.#compare(child, found, campaign);
        if (kind.children.length === 0) continue;
        const lockedChild = Object.values(groups ?? {}).find(({ id }) => id === found.id);
        this.#compareChildren(child, found, { campaign, parents: [...parents, found], locked: lockedChild });
      }
      for (const child of matches.added) this.#addTree(child, parents, campaign);
      for (const found of matches.extra) {
        if (kind.children.length > 0) this.#goneGroups.push({ node: found, file });
        this.#extra(found, campaign, file);
      }
    }
  }

  #compare(wanted: WantedEntity, node: AccountNode, campaign: string | null): void {
    const { settings, reading, onPair } = this.#parts;
    onPair?.(wanted, node);
    const { before, after, fixed } = compareEntity(wanted, node, {
      settings,
      today: reading.today,
      lost: reading.lost(wanted.kind, node.entity),
    });
    for (const { field, message } of fixed) this.#refuse(wanted, field, message);
    const portfolio = this.#portfolioOf(wanted);
    const now = node.entity["portfolioId"];
    const isMoved = portfolio !== undefined && isManaged(settings, wanted.kind.kind, PORTFOLIO_KEY) &&
      (portfolio === null ? now !== undefined : !("id" in portfolio) || portfolio.id !== now);
    if (Object.keys(after).length === 0 && !isMoved) return;
    const entry = this.#entry(wanted, node, {
      campaign,
      before: isMoved && now !== undefined ? { ...before, portfolioId: now } : before,
      after: isMoved ? { ...after, portfolioId: portfolioValue(portfolio) } : after,
    });
    this.changed.push({ entry, node, portfolio: isMoved ? portfolio : undefined });
  }

  #addTree(wanted: WantedEntity, parents: readonly (AccountNode | WantedEntity)[], campaign: string): void {
    if (!this.#add(wanted, parents, campaign)) return;
    for (const child of wanted.children) this.#addTree(child, [...parents, wanted], campaign);
  }

  /** Returns false for entities that the platform creates automatically. */
  #add(
    wanted: WantedEntity,
    parents: readonly (AccountNode | WantedEntity)[],
    campaign: string | null,
  ): boolean {
    if (wanted.fields["expressionType"] === "AUTO") {
      this.notes.add(
        "The platform creates the automatic targets of new ad groups itself. Apply this plan, then plan again to " +
          "set their bids and states from the files",
      );
      return false;
    }
    if (wanted.fields["globalCampaignId"] !== undefined) {
      this.notes.add(
        "The platform creates the copies of a global campaign itself. Apply this plan, then plan again to fill the " +
          "copy in this marketplace",
      );
      return false;
    }
    if (
      specOf(wanted.kind).bornEnabled &&
      String(wanted.fields["state"] ?? "enabled").toLowerCase() !== "enabled"
    ) {
      this.notes.add(
        `The platform enables every new ${
          nounOf(wanted.kind.kind)
        }. Apply this plan, then plan again to pause ` +
          "the ones that are paused in the files",
      );
    }
    if (wanted.id !== undefined && this.#ownIds) {
      this.#refuse(
        wanted,
        "id",
        `"${wanted.id}" is not in this account, or is archived. Remove the id to create a new ${
          nounOf(wanted.kind.kind)
        }`,
      );
      return false;
    }
    if (this.#isThereWithoutId(wanted, parents.at(-1))) {
      const why =
        "is in the account without an id, so nothing can be planned for it. Remove it from the file";
      this.#refuse(wanted, keyFields(wanted.kind)[0] ?? "name", why);
      return false;
    }
    const { reading } = this.#parts;
    const lost = reading.lost(wanted.kind, {});
    const required = specOf(wanted.kind).required.filter((field) => !lost.includes(field));
    for (const { field, message } of createProblems(wanted, reading.countryCode, required)) {
      this.#refuse(wanted, field, message);
    }
    const portfolio = this.#portfolioOf(wanted) ?? undefined;
    const fields = createFields(wanted, reading);
    const after = portfolio === undefined ? fields : { ...fields, portfolioId: portfolioValue(portfolio) };
    const entry = this.#entry(wanted, undefined, { campaign, before: {}, after });
    this.added.push({ entry, wanted, parents, portfolio });
    return true;
  }

  /** True if the account has a matching entity whose own id or parent id is unknown. */
  #isThereWithoutId(
    { kind, key, fields }: WantedEntity,
    parent: AccountNode | WantedEntity | undefined,
  ): boolean {
    const parentId = parent !== undefined && "entity" in parent ? parent.id : "";
    const field = parentField(kind);
    return this.#parts.reading.withoutId.get(kind.kind)?.some((entity) => {
      const place = field === undefined ? undefined : idOf(entity, field);
      if (place !== undefined && place !== parentId) return false;
      // Ads of older Brands campaigns have no name either.
      return entityKey(kind, entity) === key ||
        entity["creative"] !== undefined && entity["name"] === undefined &&
          sameValue(entityInFile(kind, entity)["creative"], fields["creative"]);
    }) ?? false;
  }

  #extra(node: AccountNode, campaign: string, file: string | null): void {
    const { kind, id, entity } = node;
    if (entity["expressionType"] === "AUTO" || this.#parts.settings.ignore.kinds.includes(kind.kind)) return;
    const label = specOf(kind).label(entity);
    const entry = {
      kind: kind.kind,
      id,
      label,
      campaign,
      file,
      before: { state: entity["state"] },
      after: {},
    };
    this.extra.push({ entry, node });
  }

  #isMoved(child: WantedEntity, parent: AccountNode): boolean {
    if (child.id === undefined || !this.#ownIds) return false;
    const there = this.#parents.get(`${child.kind.kind} ${child.id}`);
    if (there === undefined || there === parent.id) return false;
    this.#refuse(child, "id", movedText(`the ${nounOf(parent.kind.kind)} ${there}`));
    return true;
  }

  /** An ad group missing from one file and new in another, with the same name and content, counts as moved. */
  #moves(): void {
    const gone = this.#goneGroups.filter(({ node }) => this.#wasLocked(node.id));
    const isMoved = ({ wanted }: AddedEntity): boolean => {
      if (wanted.kind.children.length === 0 || wanted.kind.list === undefined) return false;
      const from = gone.find(({ node }) =>
        node.kind === wanted.kind && nameOf(node) === wanted.key.split("\u0000").at(-1) &&
        wanted.children.length > 0 && likeness(wanted, node) >= 0.5
      );
      if (from === undefined) return false;
      this.#refuse(wanted, "name", movedText(from.file ?? "another campaign"));
      return true;
    };
    const moved = new Set(this.added.filter(isMoved).map(({ wanted }) => wanted));
    if (moved.size === 0) return;
    const isInside = ({ wanted, parents }: AddedEntity): boolean =>
      moved.has(wanted) || parents.some((parent) => "source" in parent && moved.has(parent));
    this.added.splice(0, this.added.length, ...this.added.filter((one) => !isInside(one)));
  }

  #wasLocked(adGroupId: string): boolean {
    return Object.values(this.#locked?.files ?? {}).some(({ campaign }) =>
      Object.values(campaign?.ad_groups ?? {}).some(({ id }) => id === adGroupId)
    );
  }

  #portfolioOf(wanted: WantedEntity): PortfolioChoice | undefined {
    if (!hasPortfolio(wanted.kind)) return undefined;
    const { settings, reading, wanted: { portfolios } } = this.#parts;
    const choice = wanted.portfolio;
    if (choice === undefined) {
      return settings.managed[wanted.kind.kind]?.includes(PORTFOLIO_KEY) ? null : undefined;
    }
    if (choice === null) return null;
    if (typeof choice === "object") {
      if (reading.portfolios.some(({ id }) => id === choice.id)) return choice;
      this.#refuse(wanted, PORTFOLIO_KEY, `"${choice.id}" is not a portfolio of this account`);
      return undefined;
    }
    const name = choice.trim().toLowerCase();
    const own = portfolios.find(({ key }) => key.split("\u0000").at(-1) === name);
    const id = own && this.#portfolioIds.get(own);
    if (own !== undefined) return id === undefined ? { added: own } : { id };
    const found = reading.portfolios.filter((node) => nameOf(node) === name);
    const [only, another] = found;
    if (only !== undefined && another === undefined) return { id: only.id };
    const why = only === undefined
      ? `"${choice}" is neither a portfolio of this account nor in portfolios.yaml`
      : `"${choice}" is the name of ${found.length} portfolios. Write { id: "..." }`;
    this.#refuse(wanted, PORTFOLIO_KEY, why);
    return undefined;
  }

  #entry(
    wanted: WantedEntity,
    node: AccountNode | undefined,
    { campaign, before, after }: { campaign: string | null; before: Fields; after: Fields },
  ): DiffEntry {
    const { kind } = wanted;
    const label = specOf(kind).label(node === undefined ? wanted.fields : node.entity);
    return {
      kind: kind.kind,
      id: node?.id ?? null,
      label,
      campaign,
      file: wanted.source.yaml.file,
      before,
      after,
    };
  }

  #refuse({ source, ...wanted }: WantedEntity, field: string, message: string): void {
    const problem = source.yaml.problem([...source.path, field], message);
    const isNamed = source.path.length > 0;
    this.refusals.push(isNamed ? { ...problem, message: `${message} (${wantedLabel(wanted)})` } : problem);
  }
}

function portfolioValue(portfolio: PortfolioChoice): unknown {
  if (portfolio === null) return null;
  return "id" in portfolio ? portfolio.id : { portfolio: portfolio.added.fields["name"] };
}

function nameOf({ entity }: AccountNode): string {
  return String(entity["name"] ?? "").trim().toLowerCase();
}

function movedText(from: string): string {
  return `was moved from ${from}, but the platform can only copy it, without its history. Move it back, or ` +
    "give the copy another name";
}
