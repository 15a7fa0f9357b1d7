import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { generatedClient } from "../../client/generated-client.ts";

it("is what the document of this release makes (npm run client:generate)", async () => {
  const file = join(import.meta.dirname, "../../client/generated/ringfold-api.ts");
  expect(readFileSync(file, "utf8")).toBe(await generatedClient());
});
