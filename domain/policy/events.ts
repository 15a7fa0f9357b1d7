import type { OwnerId } from "../shared/ids.ts";
import type { Instant } from "../shared/instant.ts";
import type { Policy } from "./policy.ts";

export type PolicyChanged = {
  readonly type: "PolicyChanged";
  readonly data: {
    readonly owner: OwnerId;
    /** 1 for the first, then one more each time. */
    readonly version: number;
    /** The whole of it. */
    readonly policy: Policy;
    readonly at: Instant;
  };
};

export type PolicyEvent = PolicyChanged;
