import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { get } from "../../../api/request.ts";
import { UserText } from "../../../records/records.tsx";
import { useAllowed } from "../../../records/use-allowed.ts";
import { useTexts } from "../../../texts/language.tsx";
import { Failure } from "../../../ui/page.tsx";
import { en } from "../en.ts";
import { tr } from "../tr.ts";
import styles from "./drawer.module.css";

/** The transcript of a call, loaded on request, and a link to the call. */
export function Said({ callId }: { readonly callId: string }) {
  const say = useTexts({ en, tr });
  const [isOpen, setOpen] = useState(false);
  const isAllowed = useAllowed()("calls:read");
  const path = `/api/v1/calls/${callId}`;
  const call = useQuery({
    queryKey: [path],
    queryFn: ({ signal }) => get("/api/v1/calls/:callId", { params: { callId }, signal }),
    enabled: isOpen,
  });
  if (!isAllowed) return null;
  const said = call.data?.messages.filter(({ role }) => role === "assistant" || role === "customer");
  return (
    <>
      <Link to="/calls/$id" params={{ id: callId }}>
        {say("call")}
      </Link>
      <details data-testid="said" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>{say("said")}</summary>
        {call.isError ? <Failure error={call.error} onRetry={() => void call.refetch()} /> : null}
        {said?.length === 0 ? <p>{say(call.data?.erased === true ? "said.erased" : "said.none")}</p> : null}
        <ol className={styles.said}>
          {said?.map(({ index, role, content }) => (
            <li key={index} data-role={role}>
              <strong>{say(role === "assistant" ? "said.assistant" : "said.customer")}:</strong>{" "}
              <UserText>{content}</UserText>
            </li>
          ))}
        </ol>
      </details>
    </>
  );
}
