import type { DomainEvent } from "../../../domain/events.ts";
import { storedCallTypes } from "./call.ts";
import { storedCampaignTypes } from "./campaign.ts";
import { storedPolicyTypes, storedSuppressionListTypes } from "./policy.ts";
import { storedSquadTypes } from "./squad.ts";
import type { StoredType } from "./stored-type.ts";

const all = {
  ...storedCallTypes,
  ...storedCampaignTypes,
  ...storedSquadTypes,
  ...storedPolicyTypes,
  ...storedSuppressionListTypes,
};

type DomainData = { [Type in DomainEvent["type"]]: Extract<DomainEvent, { type: Type }>["data"] };
type ReadableData = {
  [Type in keyof typeof all]: (typeof all)[Type] extends StoredType<infer Data> ? ReadonlyDeep<Data> : never;
};

type ReadonlyDeep<T> = T extends readonly (infer Item)[]
  ? readonly ReadonlyDeep<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: ReadonlyDeep<T[Key]> }
    : T;

/** Does not compile when the domain writes something that the stored form cannot read. */
type Readable<Written extends Stored, Stored> = Written;

/**
 * Every type of this release. The compiler checks that no type is missing, that what is written can be read,
 * and that what is read is of the domain's type.
 */
export const storedTypes: {
  readonly [Type in DomainEvent["type"]]: StoredType<Readable<DomainData, ReadableData>[Type]>;
} = all;
