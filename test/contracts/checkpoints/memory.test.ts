import { createMemoryCheckpoints } from "../../../simulation/memory/checkpoints.ts";
import { checkpointsContract } from "./checkpoints-contract.ts";

checkpointsContract(async () => ({ checkpoints: createMemoryCheckpoints(), end: async () => undefined }));
