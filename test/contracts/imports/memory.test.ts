import { createMemoryImports } from "../../../simulation/memory/imports.ts";
import { importsContract } from "./imports-contract.ts";

importsContract(async () => ({ imports: createMemoryImports(), end: async () => undefined }));
