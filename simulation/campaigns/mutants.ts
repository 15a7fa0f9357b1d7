import { DECIDERS } from "../../application/log/aggregates.ts";
import type { Mutants } from "./shared-world.ts";

const same = <T>(thing: T): T => thing;

export const HEALTHY: Mutants = {
  eventStore: same,
  ids: same,
  deciders: DECIDERS,
  admission: same,
  directory: same,
  telephony: same,
  carriers: same,
  optOuts: same,
  reaction: same,
  deliveryStore: same,
};
