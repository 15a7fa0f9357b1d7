import { queryOptions } from "@tanstack/react-query";
import { useMemo } from "react";
import { get } from "../api/request.ts";
import { en as callingEn } from "../calling/en.ts";
import { hoursSaid, listOf } from "../calling/hours-sentence.ts";
import { tr as callingTr } from "../calling/tr.ts";
import { useFormat } from "../texts/format.ts";
import { useTexts } from "../texts/language.tsx";
import { en } from "./en.ts";
import { type PolicyRecord, type Sentence, type Sentences, sentencesOf } from "./sentences.ts";
import { tr } from "./tr.ts";

const TEXTS = { en, tr };
const CALLING = { en: callingEn, tr: callingTr };

export const POLICY = "/api/v1/policy";

/** The policy that was in force at that instant; left out: now. */
export const policyQuery = (at?: string) =>
  queryOptions({
    queryKey: [POLICY, at ?? "now"],
    queryFn: ({ signal }) => get(POLICY, { query: { at }, signal }),
  });

/** Tells a policy in the reader's language. */
export function useSentences(): (policy: PolicyRecord | null) => Sentences {
  const say = useTexts(TEXTS);
  const sayHours = useTexts(CALLING);
  const { locale, seconds } = useFormat();
  return useMemo(() => {
    const hours = (draft: Parameters<typeof hoursSaid>[0]) =>
      hoursSaid(draft, sayHours("said.there"), sayHours, locale);
    const list = (items: readonly string[]) => listOf(items, locale);
    return (policy) => sentencesOf(policy, { say, hours, list, seconds });
  }, [say, sayHours, locale, seconds]);
}

/** A policy as sentences; null: there is none. */
export function PolicySaid({ policy }: { readonly policy: PolicyRecord | null }) {
  const say = useTexts(TEXTS);
  const said = [...useSentences()(policy)];
  if (said.length === 0) return <p data-testid="no-rule">{say("none")}</p>;
  return (
    <ul data-testid="policy-said" style={{ margin: 0, paddingInlineStart: 18 }}>
      {said.map(([rule, sentence]) => (
        <li key={rule} data-rule={rule}>
          <Said sentence={sentence} />
        </li>
      ))}
    </ul>
  );
}

export function Said({ sentence: { text, address } }: { readonly sentence: Sentence }) {
  return (
    <>
      {text}
      {address === null ? null : (
        <>
          {" "}
          <code style={{ overflowWrap: "anywhere" }}>{address}</code>
        </>
      )}
    </>
  );
}
