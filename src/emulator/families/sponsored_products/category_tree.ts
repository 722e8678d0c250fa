export interface Category {
  readonly id: string;
  readonly name: string;
  readonly path: readonly string[];
  readonly parentId?: string;
  readonly children: readonly Category[];
}

type Branches = { readonly [name: string]: Branches };

const NAMES: Branches = {
  "Sports & Outdoors": {
    "Camping & Hiking": {
      "Tents": {},
      "Sleeping Bags": {},
      "Camp Kitchen": {},
      "Backpacks": {},
      "Lights & Lanterns": {},
    },
    "Cycling": { "Helmets": {}, "Lights": {} },
  },
  "Home & Kitchen": {
    "Cookware": { "Skillets": {}, "Dutch Ovens": {} },
    "Kitchen Tools": { "Cutting Boards": {}, "Graters": {}, "Mills": {} },
    "Bedding": { "Sheets": {}, "Pillows": {}, "Blankets": {} },
  },
  "Garden": { "Hand Tools": {}, "Watering": {}, "Raised Beds": {}, "Bird Houses": {} },
  "Books": {
    "Mystery & Crime": { "Cosy Mysteries": {}, "Police Procedurals": {} },
    "Historical Fiction": {},
  },
  "Grocery": { "Tea": { "Green Tea": {}, "Matcha": {} } },
  "Pet Supplies": { "Dogs": { "Beds": {}, "Leads": {} }, "Cats": { "Trees": {}, "Litter Mats": {} } },
};
const FIRST_ID = 3_375_000;

const all: Category[] = [];

export const ROOTS: readonly Category[] = grow(NAMES);

export const CATEGORIES: readonly Category[] = all;

export function categoryOf(id: string): Category | undefined {
  return CATEGORIES.find((category) => category.id === id);
}

function grow(branches: Branches, parent?: { id: string; path: readonly string[] }): Category[] {
  return Object.entries(branches).map(([name, below]) => {
    const id = String(FIRST_ID + all.length * 11);
    const path = [...parent?.path ?? [], name];
    const children: Category[] = [];
    const category: Category = {
      id,
      name,
      path,
      children,
      ...(parent === undefined ? {} : { parentId: parent.id }),
    };
    all.push(category);
    children.push(...grow(below, { id, path }));
    return category;
  });
}
