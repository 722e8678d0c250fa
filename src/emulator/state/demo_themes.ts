export interface Theme {
  readonly lines: readonly string[];
  readonly nouns: readonly string[];
  readonly modifiers: readonly string[];
  readonly unwanted: readonly string[];
  readonly rivals: readonly string[];
  readonly portfolios: readonly string[];
  readonly nounFirst?: boolean;
}

const OUTDOOR: Theme = {
  lines: [
    "Trail Tent 2P",
    "Trail Tent 4P",
    "Down Sleeping Bag",
    "Camp Stove Mini",
    "🎒 Daypack 22L",
    "Trekking Poles",
    "Headlamp 400",
    "Water Filter",
  ],
  nouns: [
    "backpacking tent",
    "family tent",
    "sleeping bag",
    "camp stove",
    "hiking backpack",
    "trekking poles",
    "headlamp",
    "water filter",
    "2 person tent",
    "4 person tent",
    "mummy sleeping bag",
    "backpacking stove",
    "daypack",
    "hiking sticks",
    "running headlamp",
    "water purifier",
  ],
  modifiers: [
    "ultralight",
    "3 season",
    "4 season",
    "lightweight",
    "waterproof",
    "for kids",
    "cheap",
    "compact",
    "best",
    "for hiking",
    "winter",
    "family",
    "rechargeable",
    "portable",
  ],
  unwanted: ["free", "used", "repair", "inflatable pool", "toy", "coloring book", "jobs"],
  rivals: ["Summitex", "Kodiak Trail", "Northwall"],
  portfolios: ["Tents & Shelter", "Sleep Systems", "Accessories", "Clearance"],
};

const KITCHEN: Theme = {
  lines: ["Cast Iron Skillet", "Maple Cutting Board", "Espresso Cups", "Knife Set"],
  nouns: [
    "cast iron skillet",
    "cutting board",
    "espresso cups",
    "knife set",
    "cast iron pan",
    "chopping board",
    "coffee cups",
    "kitchen knives",
  ],
  modifiers: [
    "large",
    "wooden",
    "for gift",
    "dishwasher safe",
    "professional",
    "small",
    "with lid",
    "nonstick",
  ],
  unwanted: ["plastic", "disposable", "rental", "recipe"],
  rivals: ["Hearthstone", "Copperleaf"],
  portfolios: ["Cookware", "Tableware"],
};

const HOME: Theme = {
  lines: ["Sábanas de Algodón", "Cobija San Marcos", "Cortinas Blackout", "Almohada Fresca"],
  nouns: [
    "sábanas matrimonial",
    "cobija",
    "cortinas",
    "almohada",
    "juego de sábanas",
    "cobertor",
    "cortina blackout",
    "almohadas",
  ],
  modifiers: ["suave", "para niños", "king size", "barato", "de algodón", "grande", "blanco", "térmico"],
  unwanted: ["usado", "gratis", "mayoreo", "disfraz"],
  rivals: ["Hogar Luna", "Textiles Sol"],
  portfolios: ["Recámara", "Baño"],
  nounFirst: true,
};

const BOOKS: Theme = {
  lines: ["The Saltmarsh Murders", "A Lantern for Elsie", "The Bone Harbour", "Saltmarsh Box Set 1–3"],
  nouns: [
    "cosy mystery",
    "crime thriller",
    "detective novel",
    "murder mystery books",
    "seaside mystery",
    "historical fiction",
    "british crime series",
    "female detective books",
  ],
  modifiers: ["new", "box set", "paperback", "2026", "e-reader", "large print", "bestseller", "for women"],
  unwanted: ["free", "pdf", "audiobook", "film", "summary"],
  rivals: ["Harrow Press", "Nightjar Books"],
  portfolios: ["Saltmarsh Series", "Standalones"],
};

const KUECHE: Theme = {
  lines: ["Brotbackform", "Käsereibe", "Gewürzmühle", "Spätzlepresse"],
  nouns: [
    "brotbackform",
    "käsereibe",
    "pfeffermühle",
    "spätzlepresse",
    "kastenform",
    "parmesanreibe",
    "gewürzmühle",
    "kartoffelpresse",
  ],
  modifiers: [
    "groß",
    "edelstahl",
    "geschenk",
    "spülmaschinenfest",
    "klein",
    "günstig",
    "mit deckel",
    "profi",
  ],
  unwanted: ["gebraucht", "kostenlos", "spielzeug", "rezept"],
  rivals: ["Topfmeister", "Rührwerk"],
  portfolios: ["Backen", "Kochen"],
};

const GARTEN: Theme = {
  lines: ["Rosenschere Größe L", "Bewässerungsset", "Hochbeet Lärche", "Vogelhäuschen"],
  nouns: [
    "rosenschere",
    "bewässerungssystem",
    "hochbeet",
    "vogelhaus",
    "gartenschere",
    "tropfbewässerung",
    "pflanzkasten",
    "nistkasten",
  ],
  modifiers: ["holz", "für balkon", "wetterfest", "groß", "set", "kinder", "testsieger", "automatisch"],
  unwanted: ["gebraucht", "bauanleitung", "mieten", "miniatur"],
  rivals: ["Grünwerk", "Beetfreund"],
  portfolios: ["Frühjahr", "Ganzjährig"],
};

const TEA: Theme = {
  lines: ["宇治抹茶 100g", "深蒸し煎茶", "ほうじ茶ティーバッグ", "茶筅セット"],
  nouns: ["抹茶", "煎茶", "ほうじ茶", "茶筅", "抹茶 粉末", "緑茶", "ほうじ茶 ティーバッグ", "茶道具"],
  modifiers: ["国産", "有機", "業務用", "人気", "ギフト", "高級", "大容量", "個包装"],
  unwanted: ["無料", "中古", "レシピ", "空き缶"],
  rivals: ["茶の里", "若葉園"],
  portfolios: ["抹茶", "日常のお茶"],
};

const PETS: Theme = {
  lines: ["Orthopaedic Dog Bed", "Cat Tree Bondi", "Dog Lead 1.8m", "Litter Mat"],
  nouns: [
    "dog bed",
    "cat tree",
    "dog lead",
    "litter mat",
    "dog mattress",
    "cat scratcher",
    "dog leash",
    "cat litter mat",
  ],
  modifiers: [
    "large",
    "washable",
    "orthopaedic",
    "for small dogs",
    "outdoor",
    "cheap",
    "heavy duty",
    "indoor",
  ],
  unwanted: ["free", "second hand", "vet", "costume"],
  rivals: ["Dingo & Co", "Purrfect Days"],
  portfolios: ["Dogs", "Cats"],
};

export const THEMES: readonly Theme[] = [OUTDOOR, KITCHEN, HOME, BOOKS, KUECHE, GARTEN, TEA, PETS];

export function searchTerms(theme: Theme, line: number): string[] {
  const nouns = [line, line + theme.lines.length].map((index) => theme.nouns[index % theme.nouns.length]!);
  const phrase = (noun: string, modifiers: readonly string[]) =>
    (theme.nounFirst ? [noun, ...modifiers] : [...modifiers, noun]).join(" ");
  return nouns.flatMap((noun) => [
    noun,
    ...theme.modifiers.map((modifier) => phrase(noun, [modifier])),
    ...theme.modifiers.flatMap((first) =>
      theme.modifiers.filter((second) => second !== first).map((second) => phrase(noun, [first, second]))
    ),
  ]);
}
