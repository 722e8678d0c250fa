import { toXml } from "../../base/text/xml_text.ts";

export interface NewChart {
  readonly type: "line" | "bar";
  readonly title: string;
  /** First and last row, counted from 1; labels are in column A. */
  readonly rows: readonly [first: number, last: number];
  readonly series: readonly { readonly name: string; readonly column: string }[];
  /** Position of the chart, as zero-based columns and rows. */
  readonly from: readonly [column: number, row: number];
  readonly to: readonly [column: number, row: number];
}

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const DRAWING = "http://schemas.openxmlformats.org/drawingml/2006";
const OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const NAMESPACES = `xmlns:c="${DRAWING}/chart" xmlns:a="${DRAWING}/main" xmlns:r="${OFFICE}"`;

export function drawingXml(charts: readonly NewChart[]): string {
  const place = (name: string, [column, row]: readonly [number, number]): string =>
    `<xdr:${name}><xdr:col>${column}</xdr:col><xdr:colOff>0</xdr:colOff>` +
    `<xdr:row>${row}</xdr:row><xdr:rowOff>0</xdr:rowOff></xdr:${name}>`;
  const each = charts.map(({ from, to }, at) =>
    `<xdr:twoCellAnchor>${place("from", from)}${place("to", to)}<xdr:graphicFrame macro="">` +
    `<xdr:nvGraphicFramePr><xdr:cNvPr id="${at + 2}" name="Chart ${at + 1}"/><xdr:cNvGraphicFramePr/>` +
    '</xdr:nvGraphicFramePr><xdr:xfrm><a:off x="0" y="0"/><a:ext cx="0" cy="0"/></xdr:xfrm>' +
    `<a:graphic><a:graphicData uri="${DRAWING}/chart"><c:chart r:id="rId${
      at + 1
    }"/></a:graphicData></a:graphic>` +
    "</xdr:graphicFrame><xdr:clientData/></xdr:twoCellAnchor>"
  );
  return `${HEAD}<xdr:wsDr xmlns:xdr="${DRAWING}/spreadsheetDrawing" ${NAMESPACES}>${
    each.join("")
  }</xdr:wsDr>`;
}

export function chartXml({ type, title, rows: [first, last], series }: NewChart, tab: string): string {
  const cells = (column: string): string =>
    toXml(`'${tab.replaceAll("'", "''")}'!$${column}$${first}:$${column}$${last}`);
  const each = series.map(({ name, column }, at) =>
    `<c:ser><c:idx val="${at}"/><c:order val="${at}"/><c:tx><c:v>${toXml(name)}</c:v></c:tx>` +
    `<c:cat><c:strRef><c:f>${cells("A")}</c:f></c:strRef></c:cat>` +
    `<c:val><c:numRef><c:f>${cells(column)}</c:f></c:numRef></c:val></c:ser>`
  ).join("");
  const isLine = type === "line";
  const ids = '<c:axId val="1"/><c:axId val="2"/>';
  const plot = isLine
    ? `<c:lineChart><c:grouping val="standard"/><c:varyColors val="0"/>${each}<c:marker val="1"/>${ids}</c:lineChart>`
    : '<c:barChart><c:barDir val="bar"/><c:grouping val="clustered"/><c:varyColors val="0"/>' +
      `${each}${ids}</c:barChart>`;
  const axis = (id: number, orientation: string, place: string): string =>
    `<c:axId val="${id}"/><c:scaling><c:orientation val="${orientation}"/></c:scaling><c:delete val="0"/>` +
    `<c:axPos val="${place}"/>`;
  return `${HEAD}<c:chartSpace ${NAMESPACES}><c:chart><c:title><c:tx><c:rich><a:bodyPr/><a:p><a:r>` +
    `<a:t>${toXml(title)}</a:t></a:r></a:p></c:rich></c:tx><c:overlay val="0"/></c:title>` +
    `<c:autoTitleDeleted val="0"/><c:plotArea><c:layout/>${plot}` +
    `<c:catAx>${axis(1, isLine ? "minMax" : "maxMin", isLine ? "b" : "l")}` +
    '<c:crossAx val="2"/><c:crosses val="autoZero"/></c:catAx>' +
    `<c:valAx>${axis(2, "minMax", isLine ? "l" : "b")}<c:majorGridlines/>` +
    '<c:numFmt formatCode="#,##0" sourceLinked="0"/><c:crossAx val="1"/>' +
    `<c:crosses val="${isLine ? "autoZero" : "max"}"/></c:valAx></c:plotArea>` +
    '<c:legend><c:legendPos val="b"/><c:overlay val="0"/></c:legend><c:plotVisOnly val="1"/>' +
    "</c:chart></c:chartSpace>";
}
