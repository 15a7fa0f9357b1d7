import type {
  AssistantVersion,
  Directory,
  NumberEntry,
  ToolEntry,
} from "../../application/ports/directory.ts";
import type { PlanRecord } from "../../contract/account.ts";
import type { Plan } from "../../domain/admission/slots.ts";
import type { SuppressionEntry } from "../../domain/campaign/events.ts";
import type { AssistantId, OwnerId, PhoneNumberId, ToolId } from "../../domain/shared/ids.ts";
import type { PhoneNumber } from "../../domain/shared/phone-number.ts";
import { createListeners } from "./listeners.ts";

/** Without a limit of tokens unless one is given. */
export type MemoryOwner = { readonly active: boolean; readonly plan: Plan & Partial<PlanRecord> };

/** A directory with what a test or a simulated user sets up; each change is told to those who listen. */
export type MemoryDirectory = Directory & {
  readonly setOwner: (owner: OwnerId, is: MemoryOwner) => void;
  readonly setPhoneNumber: (
    owner: OwnerId,
    id: PhoneNumberId,
    /** Without a connection unless one is given. */
    is: (Omit<NumberEntry, "connectionId"> & Partial<NumberEntry>) | null,
  ) => void;
  /** Makes the version the published one. */
  readonly publish: (owner: OwnerId, version: AssistantVersion) => void;
  readonly setTool: (owner: OwnerId, tool: ToolEntry) => void;
  readonly unpublish: (owner: OwnerId, id: AssistantId) => void;
  readonly deleteAssistant: (owner: OwnerId, id: AssistantId) => void;
  readonly suppress: (owner: OwnerId, number: PhoneNumber) => void;
  readonly unsuppress: (owner: OwnerId, number: PhoneNumber) => void;
  readonly isSuppressed: (owner: OwnerId, number: PhoneNumber) => boolean;
  /** These numbers stand on the list beside the do-not-call list, and no others. */
  readonly setListed: (owner: OwnerId, list: OtherList, numbers: readonly PhoneNumber[]) => void;
  /** The same as `owner`, at once. */
  readonly ownerNow: (owner: OwnerId) => MemoryOwner | null;
};

type OtherList = NonNullable<SuppressionEntry["list"]>;

type Records = {
  readonly numbers: Map<PhoneNumberId, NumberEntry>;
  readonly assistants: Map<AssistantId, { publishedVersion: number | null }>;
  readonly versions: Map<string, AssistantVersion>;
  readonly tools: Map<ToolId, ToolEntry>;
  readonly suppressed: Set<PhoneNumber>;
  readonly listed: Map<
    OtherList["id"],
    { readonly list: OtherList; readonly numbers: ReadonlySet<PhoneNumber> }
  >;
};

/** It does not keep who listed a number, nor when. */
const LISTED_AT = "2026-09-01T00:00:00.000Z";

export function createMemoryDirectory(): MemoryDirectory {
  const owners = new Map<OwnerId, MemoryOwner>();
  const records = new Map<OwnerId, Records>();
  const changes = createListeners<OwnerId>();
  const of = (owner: OwnerId): Records => {
    const known = records.get(owner) ?? emptyRecords();
    records.set(owner, known);
    return known;
  };
  const changing =
    <Rest extends unknown[]>(change: (owner: OwnerId, ...rest: Rest) => void) =>
    (owner: OwnerId, ...rest: Rest): void => {
      change(owner, ...rest);
      changes.tell(owner);
    };
  return {
    phoneNumber: async (owner, id) => of(owner).numbers.get(id) ?? null,
    assistant: async (owner, id) => of(owner).assistants.get(id) ?? null,
    assistantVersion: async (owner, id, version) => of(owner).versions.get(versionKey(id, version)) ?? null,
    tools: async (owner, ids) => ids.flatMap((id) => of(owner).tools.get(id) ?? []),
    suppressed: async (owner, numbers) =>
      new Set(numbers.filter((number) => entryOf(of(owner), number) !== null)),
    onOwnList: async (owner, numbers) =>
      new Set(numbers.filter((number) => of(owner).suppressed.has(number))),
    suppressions: async (owner, numbers) =>
      new Map(
        numbers.flatMap((number) => {
          const entry = entryOf(of(owner), number);
          return entry === null ? [] : [[number, entry] as const];
        }),
      ),
    owner: async (owner) => {
      const found = owners.get(owner);
      if (found === undefined) return null;
      return { ...found, plan: { maxModelTokensPerDay: null, source: "operator", ...found.plan } };
    },
    onChange: changes.add,
    ownerNow: (owner) => owners.get(owner) ?? null,
    setOwner: changing((owner, is: MemoryOwner) => owners.set(owner, is)),
    setPhoneNumber: changing((owner, id, is) => {
      if (is === null) of(owner).numbers.delete(id);
      else of(owner).numbers.set(id, { connectionId: null, ...is });
    }),
    publish: changing((owner, version: AssistantVersion) => {
      const { assistants, versions } = of(owner);
      assistants.set(version.assistantId, { publishedVersion: version.version });
      versions.set(versionKey(version.assistantId, version.version), version);
    }),
    setTool: changing((owner, tool: ToolEntry) => of(owner).tools.set(tool.toolId, tool)),
    unpublish: changing((owner, id: AssistantId) => {
      if (of(owner).assistants.has(id)) of(owner).assistants.set(id, { publishedVersion: null });
    }),
    deleteAssistant: changing((owner, id: AssistantId) => {
      const { assistants, versions } = of(owner);
      assistants.delete(id);
      for (const [key, version] of versions) if (version.assistantId === id) versions.delete(key);
    }),
    suppress: changing((owner, number: PhoneNumber) => of(owner).suppressed.add(number)),
    setListed: changing((owner, list: OtherList, numbers: readonly PhoneNumber[]) =>
      of(owner).listed.set(list.id, { list, numbers: new Set(numbers) }),
    ),
    isSuppressed: (owner, number) => of(owner).suppressed.has(number),
    unsuppress: changing((owner, number: PhoneNumber) => of(owner).suppressed.delete(number)),
  };
}

function entryOf({ suppressed, listed }: Records, number: PhoneNumber): SuppressionEntry | null {
  const entry = { reason: null, createdAt: LISTED_AT, by: null } as const;
  if (suppressed.has(number)) return entry;
  for (const { list, numbers } of listed.values()) if (numbers.has(number)) return { ...entry, list };
  return null;
}

function emptyRecords(): Records {
  return {
    numbers: new Map(),
    assistants: new Map(),
    versions: new Map(),
    tools: new Map(),
    suppressed: new Set(),
    listed: new Map(),
  };
}

function versionKey(id: AssistantId, version: number): string {
  return `${id} ${version}`;
}
