import { useQuery } from "@tanstack/react-query";
import { POLICY, policyQuery } from "../../policy/policy-said.tsx";
import { Beside } from "../../records/records.tsx";
import { useAllowed } from "../../records/use-allowed.ts";
import { useRefresh } from "../../records/use-refresh.ts";
import { useTexts } from "../../texts/language.tsx";
import { Page, stateOf } from "../../ui/page.tsx";
import { InForce } from "./in-force.tsx";
import { Rules } from "./rules.tsx";
import { TEXTS, VERSIONS } from "./texts.ts";
import { Versions } from "./versions.tsx";

/** Who may be called: the rules, what they were, and the lists of those who are not. */
export function Policy() {
  const say = useTexts(TEXTS);
  const mayChange = useAllowed()("admin");
  const policy = useQuery(policyQuery());
  const { data: record } = policy;
  useRefresh(POLICY, ({ type }) => type === "PolicyChanged");
  useRefresh(VERSIONS, ({ type }) => type === "PolicyChanged");
  const facts = record === undefined ? null : <InForce record={record} />;
  return (
    <Page
      name="policy"
      title={say("title")}
      state={stateOf({ ...policy, isEmpty: false })}
      failure={policy.error}
      onRetry={() => void policy.refetch()}
    >
      <p>{say("told")}</p>
      {mayChange && record !== undefined ? (
        <Beside facts={facts}>
          <Rules record={record} />
        </Beside>
      ) : (
        facts
      )}
      <Versions />
    </Page>
  );
}
