// `npm start`. In JavaScript as node-version.js is: whoever starts it with an older Node reads what to do.
import { requireNode24 } from "./node-version.js";

requireNode24();
await import("./start.ts");
