import type { SecretBox } from "../../application/ports/secret-box.ts";
import type { EndpointSecrets } from "../../application/ports/webhook-sender.ts";
import type { OwnerId } from "../../domain/shared/ids.ts";

/** The columns of config.webhook_secrets. */
export type SealedSecretsRow = { sealed: Buffer; previous: Buffer | null; previous_until: Date | null };

/** An encrypted secret is bound to its owner. */
export function secretContext(owner: OwnerId): string {
  return `webhook:${owner}`;
}

export function openSecrets(box: SecretBox, owner: OwnerId, row: SealedSecretsRow): EndpointSecrets {
  const context = secretContext(owner);
  const { previous, previous_until: until } = row;
  return {
    current: box.open(row.sealed, context),
    previous:
      previous === null || until === null
        ? null
        : { secret: box.open(previous, context), untilMillis: until.getTime() },
  };
}
