import type { Notifications } from "../../application/ports/notifications.ts";
import type { OwnerId } from "../../domain/shared/ids.ts";

const TOPIC = "owner-changed";

/** Owners whose configuration changed, in this process or another one. */
export type OwnerChanges = {
  /** Call it after the commit of the change. */
  readonly changed: (owner: OwnerId) => void;
  readonly onChange: (listener: (owner: OwnerId) => void) => () => void;
  /** Changes of other processes may have been missed: caches are invalid. */
  readonly onGap: (listener: () => void) => () => void;
  /** False while changes of other processes may be missed: then nothing may be cached. */
  readonly reliable: () => boolean;
};

export function createOwnerChanges(notifications: Notifications): OwnerChanges {
  const listeners = new Set<(owner: OwnerId) => void>();
  const here = (owner: OwnerId): void => {
    for (const listener of listeners) listener(owner);
  };
  notifications.subscribe(TOPIC, { onMessage: (message) => here(message as OwnerId) });
  return {
    changed: (owner) => {
      here(owner);
      notifications.tell(TOPIC, owner);
    },
    onChange: (listener) => {
      const own = (owner: OwnerId): void => listener(owner);
      listeners.add(own);
      return () => {
        listeners.delete(own);
      };
    },
    onGap: (listener) => notifications.subscribe(TOPIC, { onMessage: () => undefined, onGap: listener }),
    reliable: () => notifications.listening(),
  };
}
