import { useFormat } from "../texts/format.ts";

/** A local time; its title has UTC. */
export function Time({ at }: { readonly at: string | null }) {
  const { time } = useFormat();
  if (at === null) return <span>–</span>;
  return (
    <time dateTime={at} title={at}>
      {time(at)}
    </time>
  );
}
