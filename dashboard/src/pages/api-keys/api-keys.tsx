import { infiniteQueryOptions, useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { ApiKeyRecord, IssuedApiKey } from "../../../../contract/api-key.ts";
import { ask } from "../../api/request.ts";
import { sessionQuery } from "../../api/session.ts";
import { useTexts } from "../../texts/language.tsx";
import { Button, Panel } from "../../ui/controls.tsx";
import layout from "../../ui/layout.module.css";
import { Page, stateOf } from "../../ui/page.tsx";
import { en } from "./en.ts";
import { IssuedKeyPanel } from "./issued-key.tsx";
import { KeyTable } from "./key-table.tsx";
import { MakeKey } from "./make-key.tsx";
import { RevokeDialog } from "./revoke-dialog.tsx";
import { tr } from "./tr.ts";

const TEXTS = { en, tr };

const keysQuery = infiniteQueryOptions({
  queryKey: ["api-keys"],
  queryFn: ({ pageParam, signal }) =>
    ask("GET", "/api/v1/api-keys", { query: { limit: 50, cursor: pageParam }, signal }),
  initialPageParam: "",
  getNextPageParam: ({ pagination }) => pagination?.nextCursor ?? undefined,
});

export function ApiKeys() {
  const say = useTexts(TEXTS);
  const own = useTexts();
  const queries = useQueryClient();
  const session = useQuery(sessionQuery).data ?? null;
  const keys = useInfiniteQuery(keysQuery);
  const [issued, setIssued] = useState<IssuedApiKey | null>(null);
  const [doomed, setDoomed] = useState<ApiKeyRecord | null>(null);
  const refresh = () => queries.invalidateQueries({ queryKey: keysQuery.queryKey });
  const rows = keys.data?.pages.flatMap(({ data }) => data) ?? [];
  // The user of this page has a key, so the list is never empty.
  const state = stateOf({ isPending: keys.isPending, isError: keys.data === undefined, isEmpty: false });
  return (
    <Page
      name="api-keys"
      title={say("title")}
      state={state}
      failure={keys.error}
      onRetry={() => void keys.refetch()}
    >
      {issued === null ? null : <IssuedKeyPanel issued={issued} onDone={() => setIssued(null)} />}
      <Panel title={say("list.title")}>
        <div className={layout.stack}>
          <KeyTable rows={rows} ownKeyId={session?.keyId ?? ""} onRevoke={setDoomed} />
          {keys.hasNextPage ? (
            <Button disabled={keys.isFetchingNextPage} onClick={() => void keys.fetchNextPage()}>
              {own("list.more")}
            </Button>
          ) : null}
        </div>
      </Panel>
      <MakeKey
        isOperator={session?.scopes.includes("operator") ?? false}
        onIssued={(made) => {
          setIssued(made);
          void refresh();
        }}
      />
      {doomed === null ? null : (
        <RevokeDialog
          doomed={doomed}
          isOwn={doomed.id === session?.keyId}
          onClose={() => setDoomed(null)}
          onRevoked={refresh}
        />
      )}
    </Page>
  );
}
