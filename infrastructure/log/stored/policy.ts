import { z } from "zod";
import { callWindow, instant, ownerId } from "./fields.ts";
import { versionOne } from "./stored-type.ts";

const attemptsPerNumber = z.object({
  day: z.int().exactOptional(),
  week: z.int().exactOptional(),
  month: z.int().exactOptional(),
});

const policy = z.object({
  callableHours: callWindow.nullable(),
  attemptsPerNumber: attemptsPerNumber.nullable(),
  oneCallAtATime: z.boolean(),
  exceptSingleCalls: z.boolean(),
});

/** The stored form of the events of a policy, by type. */
export const storedPolicyTypes = {
  PolicyChanged: versionOne(z.object({ owner: ownerId, version: z.int(), policy, at: instant })),
};
