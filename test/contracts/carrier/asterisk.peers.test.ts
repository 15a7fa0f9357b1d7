import { asteriskWorld } from "./asterisk-world.ts";
import { carrierContract } from "./carrier-contract.ts";

carrierContract("asterisk", asteriskWorld, { recordsSilence: false });
