import type { HeardOptOut, OptOuts } from "../../../application/ports/opt-outs.ts";
import {
  ASKED_ON_THE_CALL,
  CALL_NOT_READABLE,
  reasonAfterTakeOver,
} from "../../../application/suppression/listing.ts";
import { changeMemoryList, keyOf, type MemoryListDeps, type MemoryOptOut } from "./suppression-list.ts";

/** The in-memory form of the opt-outs for tests and the simulation; both pass test/contracts/opt-outs. */
export function memoryOptOuts(deps: MemoryListDeps): OptOuts {
  const { state } = deps;
  const isKnown = ({ callId }: HeardOptOut) => (state.optOuts.get(callId)?.by ?? null) !== null;
  const all = () => [...state.optOuts.values()];
  const remember = (heard: HeardOptOut, is: Pick<MemoryOptOut, "recorded" | "revoked">) => {
    const { callId, owner, campaignId, phoneNumber, by, messageIndex, saidAt } = heard;
    state.optOuts.set(callId, { callId, owner, campaignId, phoneNumber, by, messageIndex, saidAt, ...is });
  };
  const listAsked = async (heard: HeardOptOut, recorded: boolean) => {
    if (isKnown(heard)) return;
    remember(heard, { recorded, revoked: false });
    const entry = state.entries.get(keyOf(heard.owner, heard.phoneNumber));
    await changeMemoryList(deps, {
      ...fromCall(heard),
      action: entry === undefined ? "listed" : "taken_over",
      reason: ASKED_ON_THE_CALL,
      kept: reasonAfterTakeOver(entry?.reason ?? null),
    });
  };
  return {
    list: (heard) => listAsked(heard, false),
    async due(limit) {
      const waiting = all().filter(({ recorded, revoked }) => !recorded && !revoked);
      return waiting.flatMap(heardOf).slice(0, limit);
    },
    async recorded(heard) {
      const known = state.optOuts.get(heard.callId);
      if (known === undefined || !isKnown(heard)) return listAsked(heard, true);
      state.optOuts.set(heard.callId, { ...known, recorded: true });
    },
    async revoked(heard) {
      remember(heard, { recorded: true, revoked: true });
    },
    async unrevoked(owner, phoneNumber) {
      return all()
        .filter((each) => each.owner === owner && each.phoneNumber === phoneNumber && !each.revoked)
        .flatMap(heardOf);
    },
    async listAgain() {
      let added = 0;
      for (const optOut of all().toReversed()) {
        if (optOut.revoked || state.entries.has(keyOf(optOut.owner, optOut.phoneNumber))) continue;
        added += 1;
        const reason = optOut.by === null ? CALL_NOT_READABLE : ASKED_ON_THE_CALL;
        await changeMemoryList(deps, { ...fromCall(optOut), action: "listed", reason });
      }
      return added;
    },
    async refuse(call) {
      if (state.optOuts.has(call.callId)) return;
      const unread = { by: null, messageIndex: null, saidAt: deps.clock.now() };
      const { callId, owner, campaignId, phoneNumber } = call;
      const known = { callId, owner, campaignId, phoneNumber, ...unread, recorded: false, revoked: false };
      state.optOuts.set(callId, known);
      if (state.entries.has(keyOf(owner, phoneNumber))) return;
      await changeMemoryList(deps, { ...fromCall(known), action: "listed", reason: CALL_NOT_READABLE });
    },
  };
}

function fromCall({ owner, phoneNumber, callId, campaignId }: HeardOptOut | MemoryOptOut) {
  return { owner, phoneNumber, callId, campaignId, source: "call", by: null } as const;
}

/** None: what was said on the call cannot be read. */
function heardOf(optOut: MemoryOptOut): readonly HeardOptOut[] {
  const { recorded: _recorded, revoked: _revoked, by, ...heard } = optOut;
  return by === null ? [] : [{ ...heard, by }];
}
