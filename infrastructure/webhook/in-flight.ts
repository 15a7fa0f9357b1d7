/**
 * Whether an attempt of the delivery `d` has started and its end is not recorded, for statements about few
 * deliveries: an end that is recorded raises `attempts`.
 */
export const IN_FLIGHT = `((d.id, d.attempts + 1) in (
  select unnest(started.deliveries), unnest(started.numbers) from work.webhook_starts started
  where started.owner_id = d.owner_id))`;
