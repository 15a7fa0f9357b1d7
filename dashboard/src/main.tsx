import "@fontsource-variable/inter";
import "./tokens.css";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { ApiFailure, whenSignedOut } from "./api/request.ts";
import { forget, sessionQuery } from "./api/session.ts";
import { openFeed } from "./live/feed.ts";
import { makeRouter } from "./router.tsx";
import { LanguageProvider } from "./texts/language.tsx";

document.documentElement.dataset["theme"] = localStorage.getItem("ringfold-theme") ?? "auto";

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      // A refusal would be repeated; an unavailable service may come back.
      retry: (failures, error) => failures < 20 && error instanceof ApiFailure && error.status === 0,
      retryDelay: 1_000,
    },
  },
});

const signedOut = () => forget(queries);
whenSignedOut(signedOut);

let close = (): void => undefined;
let keyId: string | null = null;
/** The stream belongs to the signed-in user. */
queries.getQueryCache().subscribe(() => {
  const now = queries.getQueryData(sessionQuery.queryKey)?.keyId ?? null;
  if (now === keyId) return;
  keyId = now;
  close();
  close = now === null ? () => undefined : openFeed(signedOut);
});

const root = document.getElementById("root");
if (root !== null)
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queries}>
        <LanguageProvider>
          <RouterProvider router={makeRouter(queries)} />
        </LanguageProvider>
      </QueryClientProvider>
    </StrictMode>,
  );
