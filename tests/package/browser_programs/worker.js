import { listKeywords } from "./list_keywords.js";

self.postMessage(await listKeywords().catch((error) => ({ error: String(error.stack) })));
