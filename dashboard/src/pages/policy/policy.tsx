import { useQuery } from "@tanstack/react-query";
import { POLICY, policyQuery } from "../../policy/policy-said.tsx";
import { Beside } from "../../records/records.tsx";
import { useAllowed } from "../../records/use-allowed.ts";
import { useRefresh } from "../../records/use-refresh.ts";
import { useTexts } from "../../texts/language.tsx";
import { Page, stateOf } from "../../ui/page.tsx";
import { InForce } from "./in-force.tsx";
import { Lists } from "./lists/lists.tsx";
import { Past } from "./past/past.tsx";
import { Rules } from "./rules.tsx";
import { type PolicyAnswer, TEXTS, VERSIONS } from "./texts.ts";
import { usePolicyDraft } from "./use-policy-draft.ts";
import { Versions } from "./versions.tsx";

/** Who may be called: the rules, what they were, the lists of those who are not, and what was dialled. */
export function Policy() {
  const say = useTexts(TEXTS);
  const policy = useQuery(policyQuery());
  const { data: record } = policy;
  useRefresh(POLICY, ({ type }) => type === "PolicyChanged");
  useRefresh(VERSIONS, ({ type }) => type === "PolicyChanged");
  return (
    <Page
      name="policy"
      title={say("title")}
      state={stateOf({ ...policy, isEmpty: false })}
      failure={policy.error}
      onRetry={() => void policy.refetch()}
    >
      <p>{say("told")}</p>
      {record === undefined ? null : <Sections record={record} />}
    </Page>
  );
}

function Sections({ record }: { readonly record: PolicyAnswer }) {
  const may = useAllowed();
  const drafting = usePolicyDraft(record);
  const facts = <InForce record={record} />;
  return (
    <>
      {may("admin") ? (
        <Beside facts={facts}>
          <Rules drafting={drafting} record={record} />
        </Beside>
      ) : (
        facts
      )}
      {may("calls:read") ? <Lists maxAgeDays={record.policy?.listMaxAgeDays ?? null} /> : null}
      <Versions />
      {may("admin") ? <Past draft={drafting.draft} /> : null}
    </>
  );
}
