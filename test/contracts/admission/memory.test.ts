import { capacityContract } from "./capacity-contract.ts";
import { connectionContract } from "./connection-contract.ts";
import { creditsContract } from "./credits-contract.ts";
import { fairShareContract } from "./fair-share-contract.ts";
import { intentsContract } from "./intents-contract.ts";
import { limitsContract } from "./limits-contract.ts";
import { looksContract } from "./looks-contract.ts";
import { memoryAdmissionWorld } from "./memory-admission-world.ts";
import { paceContract } from "./pace-contract.ts";

limitsContract(memoryAdmissionWorld);
paceContract(memoryAdmissionWorld);
creditsContract(memoryAdmissionWorld);
looksContract(memoryAdmissionWorld);
intentsContract(memoryAdmissionWorld);
fairShareContract(memoryAdmissionWorld);
connectionContract(memoryAdmissionWorld);
capacityContract(memoryAdmissionWorld);
