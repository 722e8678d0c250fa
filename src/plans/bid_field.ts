/** The field that holds the bid of a kind: an ad group has a default bid. A field of the other name means nothing there. */
export function bidField(kind: string): "bid" | "defaultBid" {
  return kind.endsWith(".ad_groups") ? "defaultBid" : "bid";
}
