import { useFormat } from "../texts/format.ts";

/** A local time, of today without the date; its title has the date, and UTC. */
export function Time({ at }: { readonly at: string | null }) {
  const { moment, time } = useFormat();
  if (at === null) return <span>–</span>;
  return (
    <time dateTime={at} title={`${time(at)} · ${at}`}>
      {moment(at)}
    </time>
  );
}
