import type { DomainEvent } from "../../../domain/events.ts";

/** A bug in a history: what a service that broke a rule would have written. */
export type Plant = (log: readonly DomainEvent[]) => readonly DomainEvent[];

type Of<Type extends DomainEvent["type"]> = Extract<DomainEvent, { readonly type: Type }>;

/** The n-th event (from 0) of that type is another one. */
export function changed<Type extends DomainEvent["type"]>(
  type: Type,
  nth: number,
  change: (data: Of<Type>["data"]) => object,
): Plant {
  return (log) => {
    const index = indexOf(log, type, nth);
    return log.map((event, at) =>
      at === index
        ? ({ ...event, data: { ...event.data, ...change(event.data as Of<Type>["data"]) } } as DomainEvent)
        : event,
    );
  };
}

/** The evidence of the n-th dial says something else. */
export function evidence(nth: number, change: object): Plant {
  return changed("ContactDialed", nth, (data) => ({ evidence: { ...data.evidence, ...change } }));
}

/** The n-th event of that type was never written. */
export function missing(type: DomainEvent["type"], nth = 0): Plant {
  return (log) => log.filter((_event, at) => at !== indexOf(log, type, nth));
}

/** The n-th event of that type stands twice, one after the other. */
export function twice(type: DomainEvent["type"], nth = 0): Plant {
  return (log) => {
    const index = indexOf(log, type, nth);
    return [...log.slice(0, index + 1), ...log.slice(index)];
  };
}

/** An event that nobody should have written, right before (or after) the n-th event of a type. */
export function added(
  event: DomainEvent,
  where: "before" | "after",
  type: DomainEvent["type"],
  nth = 0,
): Plant {
  return (log) => log.toSpliced(indexOf(log, type, nth) + (where === "after" ? 1 : 0), 0, event);
}

/** The n-th event of one type stands right before the m-th of another. */
export function moved(
  type: DomainEvent["type"],
  nth: number,
  before: DomainEvent["type"],
  other: number,
): Plant {
  return (log) => {
    const event = log[indexOf(log, type, nth)];
    const rest = log.filter((each) => each !== event);
    return event === undefined ? log : rest.toSpliced(indexOf(rest, before, other), 0, event);
  };
}

export function both(first: Plant, second: Plant): Plant {
  return (log) => second(first(log));
}

function indexOf(log: readonly DomainEvent[], type: DomainEvent["type"], nth: number): number {
  const indexes = log.flatMap((event, index) => (event.type === type ? [index] : []));
  const index = indexes[nth];
  if (index === undefined) throw new Error(`The story has no ${type} number ${nth}`);
  return index;
}
