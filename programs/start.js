// `npm start`. In JavaScript like node-version.js: with an older Node it still prints what to do.
import { requireNode24 } from "./node-version.js";

requireNode24();
await import("./start.ts");
