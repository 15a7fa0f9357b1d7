// `npm start`. In JavaScript like node-version.js: with an older Node it still prints what to do.
import { pathToFileURL } from "node:url";
import { builtStart } from "./build.mjs";
import { requireNode24 } from "./node-version.js";

requireNode24();
const built = builtStart();
await import(built === null ? "./start.ts" : pathToFileURL(built).href);
