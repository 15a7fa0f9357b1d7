import { useQuery } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { PHONE_LINE } from "../../../../domain/call/carrier-identity.ts";
import { get } from "../../api/request.ts";
import { Columns } from "../../records/records.tsx";
import { ScriptedModel } from "../../records/scripted-model.tsx";
import { useAllowed } from "../../records/use-allowed.ts";
import { useCommand } from "../../records/use-command.ts";
import { ALL } from "../../records/use-list.ts";
import { useTexts } from "../../texts/language.tsx";
import { Page, stateOf } from "../../ui/page.tsx";
import { CallOfMine } from "./call-of-mine.tsx";
import { en } from "./en.ts";
import { DEFAULT_NUMBER, type Made, placeFirstCall, SCOPES, type Step, type Wishes } from "./first-call.ts";
import { Steps } from "./steps.tsx";
import { tr } from "./tr.ts";
import { WishForm } from "./wish-form.tsx";

/** From nothing to a call that greets by name, with three fields. */
export function Welcome() {
  const say = useTexts({ en, tr });
  const allowed = useAllowed();
  const missing = SCOPES.filter((scope) => !allowed(scope));
  const numbers = useQuery({
    queryKey: ["welcome", "numbers"],
    queryFn: ({ signal }) => get("/api/v1/phone-numbers", { query: ALL, signal }),
    enabled: missing.length === 0,
  });
  const isMissing = missing.length > 0;
  const state = stateOf({
    isPending: !isMissing && numbers.isPending,
    isError: numbers.isError,
    isEmpty: isMissing,
  });
  return (
    <Page
      name="welcome"
      title={say("title")}
      state={state}
      failure={numbers.error}
      onRetry={() => void numbers.refetch()}
      empty={<p>{say("no-scope", { scopes: missing.join(", ") })}</p>}
    >
      <FirstCall number={numbers.data?.find(({ active }) => active)?.phoneNumber ?? DEFAULT_NUMBER} />
    </Page>
  );
}

function FirstCall({ number }: { readonly number: string }) {
  const say = useTexts({ en, tr });
  const made = useRef<Made>({});
  const [step, setStep] = useState<Step | null>(null);
  const [called, setCalled] = useState<{ readonly callId: string; readonly wishes: Wishes } | null>(null);
  const { busy, fault, run } = useCommand("/api/v1/calls", "/api/v1/assistants", "/api/v1/phone-numbers");
  const call = async (wishes: Wishes) => {
    setCalled(null);
    const callId = await run(() => placeFirstCall(wishes, made.current, PHONE_LINE, setStep));
    if (callId !== undefined) setCalled({ callId, wishes });
  };
  return (
    <>
      <p>{say("intro")}</p>
      <ScriptedModel />
      <Columns>
        <WishForm number={number} busy={busy} fault={fault} isAgain={called !== null} onCall={call} />
        <Steps step={step} isDone={called !== null} hasFailed={fault !== null}>
          <CallOfMine
            callId={called?.callId ?? null}
            greeting={called?.wishes.greeting ?? ""}
            assistantId={made.current.assistantId ?? ""}
          />
        </Steps>
      </Columns>
    </>
  );
}
