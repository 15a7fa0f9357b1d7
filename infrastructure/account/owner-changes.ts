import type { Notifications } from "../../application/ports/notifications.ts";
import type { OwnerId } from "../../domain/shared/ids.ts";

/** Owners of whom something changed, in this process or another one. */
export type OwnerChanges = {
  /** Call it after the commit of the change. */
  readonly changed: (owner: OwnerId) => void;
  /** A change of another process was seen without its notification. */
  readonly noticed: (owner: OwnerId) => void;
  readonly onChange: (listener: (owner: OwnerId) => void) => () => void;
  /** Changes of other processes may have been missed: caches are invalid. */
  readonly onGap: (listener: () => void) => () => void;
  /** False while changes of other processes may be missed: then nothing may be cached. */
  readonly reliable: () => boolean;
};

/** `topic`: what changes. Default: configuration. */
export function createOwnerChanges(notifications: Notifications, topic = "owner-changed"): OwnerChanges {
  const listeners = new Set<(owner: OwnerId) => void>();
  const here = (owner: OwnerId): void => {
    for (const listener of listeners) listener(owner);
  };
  notifications.subscribe(topic, { onMessage: (message) => here(message as OwnerId) });
  return {
    changed: (owner) => {
      here(owner);
      notifications.tell(topic, owner);
    },
    noticed: here,
    onChange: (listener) => {
      const own = (owner: OwnerId): void => listener(owner);
      listeners.add(own);
      return () => {
        listeners.delete(own);
      };
    },
    onGap: (listener) => notifications.subscribe(topic, { onMessage: () => undefined, onGap: listener }),
    reliable: () => notifications.listening(),
  };
}
