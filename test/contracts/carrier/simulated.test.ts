import { carrierContract, type FarSide } from "./carrier-contract.ts";
import { simulatedWorld } from "./simulated-world.ts";

const FAR_SIDE: FarSide = {
  refusals: ["busy", "declined", "no_answer", "invalid_number", "carrier_error"],
  breaks: false,
};

carrierContract("simulated, in process", () => simulatedWorld("in process"), FAR_SIDE);
carrierContract("simulated, over http", () => simulatedWorld("over http"), FAR_SIDE);
