import { createMemoryCheckpoints } from "../../support/memory/checkpoints.ts";
import { checkpointsContract } from "./checkpoints-contract.ts";

checkpointsContract(async () => ({ checkpoints: createMemoryCheckpoints(), end: async () => undefined }));
