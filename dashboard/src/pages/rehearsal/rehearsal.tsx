import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { useRef } from "react";
import type { AssistantRecord } from "../../../../contract/assistant.ts";
import type { RehearsalRecord } from "../../../../contract/rehearsal.ts";
import { get } from "../../api/request.ts";
import { ALL, useList } from "../../records/use-list.ts";
import { useSearch } from "../../records/use-search.ts";
import { useTexts } from "../../texts/language.tsx";
import { Page, stateOf } from "../../ui/page.tsx";
import { ASSISTANT, PATH as ASSISTANTS } from "../assistants/texts.ts";
import { Cases } from "./cases.tsx";
import { draftOf, newCase, newExpect, type RehearsalDraft } from "./rehearsal-draft.ts";
import { Result } from "./result.tsx";
import { PATH, REHEARSAL, TEXTS } from "./texts.ts";

/**
 * `?rehearsal=`: what came of one. Else its cases: those of `?from=`, or of the newest rehearsal of the
 * assistant, and one for `?call=`.
 */
export function Rehearsal() {
  const say = useTexts(TEXTS);
  const { id = "" } = useParams({ strict: false });
  const [{ rehearsal: shown, from, call }] = useSearch();
  const assistant = useQuery({
    queryKey: [ASSISTANTS, id],
    queryFn: ({ signal }) => get(ASSISTANT, { params: { id }, signal }),
  });
  const list = useList(PATH, { query: ALL });
  const own = list.rows.filter(({ assistantId }) => assistantId === id);
  // A newer one, from another tab, must not replace what is being typed.
  const newest = useRef("");
  const readable = own.filter(({ erased }) => !erased);
  if (!readable.some((each) => each.id === newest.current)) newest.current = readable[0]?.id ?? "";
  const begunWith = from ?? newest.current;
  const kept = useQuery({
    queryKey: [PATH, begunWith],
    queryFn: ({ signal }) => get(REHEARSAL, { params: { id: begunWith }, signal }),
    enabled: shown === undefined && begunWith !== "",
  });
  const head = {
    name: "rehearsal",
    title: say("title"),
    crumb: (
      <Link to="/assistants/$id" params={{ id }} data-user-text="" dir="auto">
        {assistant.data?.name ?? ""}
      </Link>
    ),
  };
  const state = stateOf({
    isPending: assistant.isPending || list.isPending || (kept.isPending && kept.fetchStatus !== "idle"),
    isError: assistant.isError || list.isError || kept.isError,
    isEmpty: false,
  });
  const retry = () =>
    void Promise.all([assistant.refetch(), list.refetch(), begunWith === "" ? null : kept.refetch()]);
  if (assistant.data === undefined || state !== "ready")
    return (
      <Page {...head} state={state} failure={assistant.error ?? list.error ?? kept.error} onRetry={retry} />
    );
  if (shown !== undefined)
    return <Result key={shown} head={head} assistant={assistant.data} id={shown} rehearsals={own} />;
  return (
    <Cases
      key={`${begunWith} ${call ?? ""}`}
      head={head}
      assistant={assistant.data}
      rehearsals={own}
      begun={beginWith(assistant.data, kept.data ?? null, call, say("case.of-call"))}
    />
  );
}

function beginWith(
  { name, outcome }: AssistantRecord,
  kept: RehearsalRecord | null,
  callId: string | undefined,
  nameOfCase: string,
): RehearsalDraft {
  const { cases, expect } = kept ?? { cases: null, expect: null };
  const draft = draftOf({ name, version: "draft", ...kept, cases: cases ?? [], expect: expect ?? [] });
  if (callId === undefined) return draft;
  const expected = newExpect(outcome?.success == null ? "says" : "success");
  const names = new Set(draft.cases.map((each) => each.name));
  const free = names.has(nameOfCase) ? `${nameOfCase} ${callId.slice(-6)}` : nameOfCase;
  return { ...draft, cases: [...draft.cases, newCase(free, { kind: "past", callId }, [expected])] };
}
