import { useQuery } from "@tanstack/react-query";
import { useMemo, useRef } from "react";
import type { ContactRecord } from "../../../../../contract/contact.ts";
import { firstContactsQuery, moreContactsQuery } from "../../../api/campaigns.ts";

export type ContactsView = {
  /** In the order of import, those loaded so far; indexes stay the same while more arrive. */
  readonly contacts: readonly ContactRecord[];
  readonly areAll: boolean;
  readonly error: unknown;
  readonly refetch: () => Promise<unknown>;
};

const NONE: readonly ContactRecord[] = [];

/**
 * The contacts of a campaign of `count`: the first ones at once, then all others. null: the
 * number is not known yet.
 */
export function useContacts(id: string, count: number | null): ContactsView {
  const first = useQuery(firstContactsQuery(id));
  const start = first.data?.length ?? 0;
  const more = useQuery(moreContactsQuery(id, start, first.data === undefined ? 0 : (count ?? 0)));
  const kept = useRef(NONE);
  const contacts = useMemo(() => {
    const now = first.data === undefined ? NONE : [...first.data, ...(more.data ?? NONE)];
    // Contacts were added: the current ones stay on the page until the new ones are loaded.
    if (now.length > kept.current.length || now[0]?.id !== kept.current[0]?.id) kept.current = now;
    return kept.current;
  }, [first.data, more.data]);
  const { refetch: firstAgain } = first;
  const { refetch: moreAgain } = more;
  return {
    contacts,
    areAll: count !== null && contacts.length >= count,
    error: first.error ?? more.error,
    refetch: () => Promise.all([firstAgain(), ...(more.error === null ? [] : [moreAgain()])]),
  };
}
