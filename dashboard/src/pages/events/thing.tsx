import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { FeedEvent } from "../../live/feed-protocol.ts";
import { UserText } from "../../records/records.tsx";
import { useTexts } from "../../texts/language.tsx";
import type { CallFacts } from "./call-facts.ts";
import { TEXTS } from "./texts.ts";

const KINDS = { call: "call", cmp: "campaign", sqd: "squad" } as const;
/** Ids are long, and those made in the same minute begin alike. */
const SHOWN_CHARACTERS = 6;

type Named = { readonly id: string; readonly kind: (typeof KINDS)[keyof typeof KINDS] };
type Stream = { readonly stream: string };

type ThingNameProps = Pick<FeedEvent, "stream" | "type" | "data"> & {
  readonly names: ReadonlyMap<string, string>;
  readonly facts: CallFacts | null;
};

/** The subject of an event: the campaign that it is of or for, else its kind and the end of its id. */
export function ThingName({ stream, type, data, names, facts }: ThingNameProps) {
  const say = useTexts(TEXTS);
  if (stream.startsWith("policy-")) return <span>{say("thing.policy")}</span>;
  if (stream.startsWith("list-"))
    return (
      <span>
        {say("thing.list")} <UserText>{typeof data["name"] === "string" ? data["name"] : null}</UserText>
      </span>
    );
  const thing = thingOf(stream);
  if (thing === null) return <code>{stream}</code>;
  const name = names.get(thing.id) ?? names.get(facts?.campaignId ?? "");
  if (name !== undefined) {
    const [before = "", after = ""] = type.startsWith("Campaign") ? [] : say("for").split("{name}");
    return (
      <span title={thing.id}>
        {before}
        <span data-user-text="" dir="auto">
          {name}
        </span>
        {after}
      </span>
    );
  }
  return (
    <span title={thing.id}>
      {say(`thing.${thing.kind}`)} <code>…{thing.id.slice(-SHOWN_CHARACTERS)}</code>
    </span>
  );
}

/** Its whole id, as a link to its page. */
export function Thing({ stream }: Stream) {
  const say = useTexts(TEXTS);
  const thing = thingOf(stream);
  if (thing === null) return null;
  return (
    <p>
      <code>{thing.id}</code> <ThingLink {...thing}>{say("thing.open")}</ThingLink>
    </p>
  );
}

function ThingLink({ id, kind, children }: Named & { readonly children: ReactNode }) {
  switch (kind) {
    case "campaign":
      return (
        <Link to="/campaigns/$campaignId" params={{ campaignId: id }}>
          {children}
        </Link>
      );
    case "squad":
      return (
        <Link to="/squads/$id" params={{ id }}>
          {children}
        </Link>
      );
    default:
      return (
        <Link to="/calls/$id" params={{ id }}>
          {children}
        </Link>
      );
  }
}

function thingOf(stream: string): Named | null {
  const [, id = "", prefix] = /((call|cmp|sqd)_\w+)$/.exec(stream) ?? [];
  return prefix === "call" || prefix === "cmp" || prefix === "sqd" ? { id, kind: KINDS[prefix] } : null;
}
