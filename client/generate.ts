import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { generatedClient } from "./generated-client.ts";

await writeFile(join(import.meta.dirname, "generated/ringfold-api.ts"), await generatedClient());
