import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { post } from "../../../api/request.ts";
import { allows, sessionQuery } from "../../../api/session.ts";
import { useTexts } from "../../../texts/language.tsx";
import { Button } from "../../../ui/controls.tsx";
import { Failure } from "../../../ui/page.tsx";
import { en } from "../en.ts";
import { tr } from "../tr.ts";
import styles from "./drawer.module.css";
import type { DrawerProps } from "./drawer-props.ts";

const CALLED_YET = new Set(["pending", "dialing", "waiting_retry"]);

/** Skip the contact in this campaign, or put its number on the do-not-call list. */
export function ContactCommands({ campaignId, contact, state, isOpen }: DrawerProps) {
  const say = useTexts({ en, tr });
  const session = useQuery(sessionQuery).data ?? null;
  const queries = useQueryClient();
  const onSuccess = () => queries.invalidateQueries({ queryKey: ["campaign", campaignId] });
  const skip = useMutation({
    mutationFn: () =>
      post("/api/v1/campaigns/:id/contacts/:contactId/skip", {
        params: { id: campaignId, contactId: contact.id },
      }),
    onSuccess,
  });
  const suppress = useMutation({
    mutationFn: () => post("/api/v1/suppressions", { body: { phoneNumber: contact.phoneNumber } }),
    onSuccess,
  });
  if (session === null) return null;
  const maySkip = allows(session, "campaigns:write") && isOpen && CALLED_YET.has(state ?? "");
  const problem = skip.error ?? suppress.error;
  return (
    <div className={styles.commands}>
      {maySkip ? (
        <Button data-testid="skip" disabled={skip.isPending} onClick={() => skip.mutate()}>
          {say("skip")}
        </Button>
      ) : null}
      {allows(session, "calls:write") ? (
        <Button
          look="danger"
          data-testid="do-not-call"
          disabled={suppress.isPending || suppress.isSuccess}
          onClick={() => suppress.mutate()}
        >
          {say(suppress.isSuccess ? "do-not-call.done" : "do-not-call")}
        </Button>
      ) : null}
      {problem === null ? null : <Failure error={problem} />}
    </div>
  );
}
