import type { Checkpoint, Checkpoints, ParkedEvent } from "../../application/ports/checkpoints.ts";

export function createMemoryCheckpoints(): Checkpoints {
  const saved = new Map<string, Checkpoint>();
  const parked = new Map<string, ParkedEvent>();
  return {
    load: async (processor) => saved.get(processor) ?? null,
    save: async (processor, checkpoint) => {
      saved.set(processor, checkpoint);
    },
    park: async (processor, { position, stream, type }, problem) => {
      const key = `${processor} ${position}`;
      if (!parked.has(key)) parked.set(key, { processor, position, stream, type, problem });
    },
    parked: async () => [...parked.values()],
  };
}
