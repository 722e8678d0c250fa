/**
 * Heads and words as downloads, templates and the guide have them, typed in here from the published lists: a proof must not
 * draw its cases from the catalog that the reader itself looks up.
 */

/** A language of bulk sheets. */
export interface BulkLanguage {
  readonly language: string;
  /** Heads in the order of {@linkcode BULK_HEADS}. */
  readonly heads: readonly string[];
  /** Words for update, keyword, enabled, exact and Sponsored Products; English ones occur in sheets of every language. */
  readonly words: readonly string[];
}

export const BULK_HEADS: readonly string[] =
  "Product|Entity|Operation|Campaign Id|Ad Group Id|Keyword Id|State|Bid|Keyword Text|Match Type".split("|");

const ENGLISH = "Update|Keyword|enabled|exact|Sponsored Products";

function bulk(language: string, heads: string, words: string): BulkLanguage {
  return { language, heads: heads.split("|"), words: words.split("|") };
}

/** Words of the column Operation in the guide's table of 19 languages, for sheets that are English otherwise. */
const UPDATE: Readonly<Record<string, string>> = {
  ...{ ar: "تحديث", "zh-CN": "更新", "zh-TW": "更新", fr: "Mettre à jour", de: "Aktualisieren" },
  ...{ it: "Aggiorna", ja: "更新", ko: "업데이트", sv: "Uppdatera", es: "Actualizar", pl: "Aktualizuj" },
  ...{ "pt-BR": "Atualização", ta: "புதுப்பிப்பு", th: "อัพเดต", tr: "Güncelle", vi: "Cập nhật" },
  ...{ nl: "Bijwerken", hi: "अपडेट करें" },
};

export const BULK_LANGUAGES: readonly BulkLanguage[] = [
  bulk("en", BULK_HEADS.join("|"), ENGLISH),
  bulk(
    "en, of the console",
    "Product|Entity|Operation|Campaign ID|Ad Group ID|Keyword ID (Read only)|State|Bid|Keyword text|Match type",
    "update|keyword|Enabled|Exact|sponsored products",
  ),
  bulk(
    "de",
    "Produkt|Entität|Operation|Kampagnen-ID|Anzeigengruppen-ID|Keyword-ID|Zustand|Gebot|Keyword-Text|Übereinstimmungstyp",
    "Aktualisieren|Keyword|Aktiviert|Genau Passend|Sponsored Products",
  ),
  bulk(
    "ja",
    "プロダクト|エンティティ|操作|キャンペーンID|広告グループID|キーワードID|ステータス|入札額|キーワードテキスト|マッチタイプ",
    "更新|キーワード|有効|完全一致|スポンサープロダクト広告",
  ),
  bulk(
    "es",
    "Producto|Entidad|Operación|ID de la campaña|ID del grupo de anuncios|ID de palabra clave|Estado|Puja|" +
      "Texto de palabra clave|Tipo de coincidencia",
    "Actualizar|Palabra clave|enabled|Exacta|Sponsored Products",
  ),
  bulk(
    "zh-CN",
    "产品|实体层级|操作|广告活动编号|广告组编号|关键词编号|状态|竞价|关键词文本|匹配类型",
    "更新|关键词|已启用|精准|商品推广",
  ),
  ...Object.entries(UPDATE).map(([language, update]) =>
    bulk(language, BULK_HEADS.join("|"), ENGLISH.replace("Update", update))
  ),
];

/** A language of search term reports. */
export interface ReportLanguage {
  readonly language: string;
  readonly countryCode: string;
  /** Heads of first and last day, campaign, ad group, target, match type, term, impressions, clicks, cost, sales, orders. */
  readonly heads: readonly string[];
}

function report(language: string, countryCode: string, heads: string): ReportLanguage {
  return { language, countryCode, heads: heads.split("|") };
}

export const REPORT_LANGUAGES: readonly ReportLanguage[] = [
  report(
    "en",
    "CA",
    "Start Date|End Date|Campaign Name|Ad Group Name|Targeting|Match Type|Customer Search Term|Impressions|Clicks|Spend|" +
      "7 Day Total Sales |7 Day Total Orders (#)",
  ),
  report(
    "de",
    "DE",
    "Startdatum|Enddatum|Kampagnen-Name|Anzeigengruppenname|Ausrichtung|Übereinstimmungstyp|Suchbegriff des Kunden|" +
      "Impressionen|Klicks|Ausgaben|7 Tage, Umsatz gesamt (€)|7 Tage, Aufträge gesamt (#)",
  ),
  report(
    "es",
    "ES",
    "Fecha de inicio|Fecha de finalización|Nombre de campaña|Nombre del grupo de anuncios|Segmentación|" +
      "Tipo de coincidencia|Término de búsqueda de cliente|Impresiones|Clics|Gasto|Ventas totales de 7 días (€)|" +
      "Pedidos totales de 7 días (#)",
  ),
  report(
    "it",
    "IT",
    "Data di inizio|Data di fine|Nome campagna|Nome gruppo di annunci|Targeting|Tipo di corrispondenza|" +
      "Termine ricerca cliente|Impressioni|Clic|Spesa|Vendite totali (€) 7 giorni|Totale ordini (#) 7 giorni",
  ),
  report(
    "ja",
    "JP",
    "開始日|終了日|キャンペーン名|広告グループ名|ターゲティング|マッチタイプ|カスタマーの検索キーワード|インプレッション|クリック|費用|" +
      "広告がクリックされてから7日間の総売上高|広告がクリックされてから7日間の合計注文数",
  ),
];
