import { useState } from "react";
import { type PolicyDraft, policyDraftOf } from "./policy-draft.ts";
import type { PolicyAnswer } from "./texts.ts";

export type Drafting = {
  readonly draft: PolicyDraft;
  /** The version that is being changed; the newest until somebody types. */
  readonly base: PolicyAnswer;
  readonly isTouched: boolean;
  readonly change: (changed: Partial<PolicyDraft>) => void;
  /** Begins again with this version. */
  readonly begin: (from: PolicyAnswer) => void;
  /** Goes on with what is typed, to be saved in place of this version. */
  readonly goOnFrom: (from: PolicyAnswer) => void;
};

/** What is typed of a policy. `record`: the newest version that is known. */
export function usePolicyDraft(record: PolicyAnswer): Drafting {
  const [base, setBase] = useState(record);
  const [draft, setDraft] = useState(() => policyDraftOf(record.policy));
  const isTouched = JSON.stringify(draft) !== JSON.stringify(policyDraftOf(base.policy));
  const begin = (from: PolicyAnswer) => {
    setBase(from);
    setDraft(policyDraftOf(from.policy));
  };
  if (record.version > base.version && !isTouched) begin(record);
  return {
    draft,
    base,
    isTouched,
    change: (changed) => setDraft((before) => ({ ...before, ...changed })),
    begin,
    goOnFrom: setBase,
  };
}
