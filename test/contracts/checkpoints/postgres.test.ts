import { createPostgresCheckpoints } from "../../../infrastructure/postgres/checkpoints.ts";
import { migratedDatabase } from "../../support/database.ts";
import { checkpointsContract } from "./checkpoints-contract.ts";

checkpointsContract(async () => {
  const { pool, drop } = await migratedDatabase();
  return { checkpoints: createPostgresCheckpoints(pool), end: drop };
});
