import { capacityContract } from "./capacity-contract.ts";
import { connectionContract } from "./connection-contract.ts";
import { creditsContract } from "./credits-contract.ts";
import { fairShareContract } from "./fair-share-contract.ts";
import { intentsContract } from "./intents-contract.ts";
import { limitsContract } from "./limits-contract.ts";
import { looksContract } from "./looks-contract.ts";
import { paceContract } from "./pace-contract.ts";
import { postgresAdmissionWorld } from "./postgres-admission-world.ts";

limitsContract(postgresAdmissionWorld);
paceContract(postgresAdmissionWorld);
creditsContract(postgresAdmissionWorld);
looksContract(postgresAdmissionWorld);
intentsContract(postgresAdmissionWorld);
fairShareContract(postgresAdmissionWorld);
connectionContract(postgresAdmissionWorld);
capacityContract(postgresAdmissionWorld);
