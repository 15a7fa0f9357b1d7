import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useAllowed } from "../records/use-allowed.ts";
import { useTexts } from "../texts/language.tsx";
import { en } from "./en.ts";
import { PolicySaid, policyQuery, useSentences } from "./policy-said.tsx";
import { tr } from "./tr.ts";

/** What the policy in force adds to the settings of a campaign; nothing where there are no rules. */
export function PolicyAdds() {
  const say = useTexts({ en, tr });
  const { data } = useQuery({ ...policyQuery(), enabled: useAllowed()("account:read") });
  const sentences = useSentences();
  const policy = data?.policy ?? null;
  if (sentences(policy).size === 0) return null;
  return (
    <section aria-label={say("adds")} data-testid="policy-adds" data-version={data?.version}>
      <p>
        {say("adds")} <Link to="/policy">{say("adds.look")}</Link>
      </p>
      <PolicySaid policy={policy} />
    </section>
  );
}
