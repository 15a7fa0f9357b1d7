import { useNavigate, useRouterState } from "@tanstack/react-router";

export type Search = Readonly<Record<string, string | undefined>>;

/** The query of the URL as texts, and a function to change it. An empty text removes a name. */
export function useSearch(): readonly [Search, (change: Search) => void] {
  const navigate = useNavigate();
  const search = useRouterState({ select: ({ location }) => location.search });
  const texts = Object.fromEntries(Object.entries(search).map(([name, value]) => [name, String(value)]));
  const change = (next: Search) => {
    const all = Object.entries({ ...texts, ...next }).filter(
      ([, value]) => value !== undefined && value !== "",
    );
    void navigate({ to: ".", search: Object.fromEntries(all), replace: true } as never);
  };
  return [texts, change];
}
