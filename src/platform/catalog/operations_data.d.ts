import type { CatalogData } from "./catalog_data.ts";

declare const data: CatalogData;
export default data;
