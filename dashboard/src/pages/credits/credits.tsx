import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { AccountRecord, LimitsRecord } from "../../../../contract/account.ts";
import { get } from "../../api/request.ts";
import { Bar, Figure } from "../../records/records.tsx";
import { useAllowed } from "../../records/use-allowed.ts";
import { useRefresh } from "../../records/use-refresh.ts";
import { useFormat } from "../../texts/format.ts";
import { useTexts } from "../../texts/language.tsx";
import { Button, Panel } from "../../ui/controls.tsx";
import { Page, stateOf } from "../../ui/page.tsx";
import { Ledger } from "./ledger.tsx";
import { ACCOUNT, LEDGER, LIMITS, TEXTS } from "./texts.ts";
import { TopUp } from "./top-up.tsx";

/** Credits change when a call begins and when it ends. */
const moves = ({ type }: { readonly type: string }) => type.startsWith("Call");

export function Credits() {
  const say = useTexts(TEXTS);
  const isOperator = useAllowed()("operator");
  const [adds, setAdds] = useState(false);
  const account = useQuery({ queryKey: [ACCOUNT], queryFn: ({ signal }) => get(ACCOUNT, { signal }) });
  const limits = useQuery({ queryKey: [LIMITS], queryFn: ({ signal }) => get(LIMITS, { signal }) });
  useRefresh(ACCOUNT, moves);
  useRefresh(LIMITS, moves);
  useRefresh(LEDGER, moves);
  const add = (
    <Button data-testid="add" onClick={() => setAdds(true)}>
      {say("add")}
    </Button>
  );
  return (
    <>
      <Page
        name="credits"
        title={say("title")}
        state={stateOf({
          isPending: account.isPending || limits.isPending,
          isError: account.isError || limits.isError,
          isEmpty: false,
        })}
        failure={account.error ?? limits.error}
        onRetry={() => void Promise.all([account.refetch(), limits.refetch()])}
        actions={isOperator ? add : undefined}
      >
        {account.data === undefined ? null : <Balance account={account.data} />}
        {limits.data === undefined ? null : <Bounds limits={limits.data} />}
        <Ledger />
      </Page>
      {adds ? <TopUp onClose={() => setAdds(false)} /> : null}
    </>
  );
}

function Balance({ account }: { readonly account: AccountRecord }) {
  const say = useTexts(TEXTS);
  const { credits } = useFormat();
  return (
    <Panel>
      <Bar>
        {(["balance", "reserved", "available"] as const).map((name) => (
          <Figure key={name} name={say(name)} count={name} value={account[name]}>
            {credits(account[name])}
          </Figure>
        ))}
      </Bar>
    </Panel>
  );
}

function Bounds({ limits }: { readonly limits: LimitsRecord }) {
  const say = useTexts(TEXTS);
  const { number } = useFormat();
  const { activeCalls, maxConcurrentCalls, maxCallsPerSecond, requestsPerSecond } = limits;
  return (
    <Panel title={say("limits")}>
      <Bar>
        <Figure name={say("active")} count="activeCalls" value={activeCalls}>
          {say("lines", { active: number(activeCalls), limit: number(maxConcurrentCalls) })}
        </Figure>
        <Figure name={say("pace")} count="maxCallsPerSecond" value={maxCallsPerSecond}>
          {number(maxCallsPerSecond)}
        </Figure>
        <Figure name={say("requests")} count="requestsPerSecond" value={requestsPerSecond}>
          {requestsPerSecond === 0 ? say("requests.none") : number(requestsPerSecond)}
        </Figure>
      </Bar>
    </Panel>
  );
}
