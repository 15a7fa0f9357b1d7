import { createMemoryImports } from "../../../simulation/memory/imports.ts";
import { createMemorySubjectKeys } from "../../../simulation/memory/subject-keys.ts";
import { importsContract } from "./imports-contract.ts";

importsContract(async () => {
  const keys = createMemorySubjectKeys();
  return { imports: createMemoryImports(keys), keys, end: async () => undefined };
});
