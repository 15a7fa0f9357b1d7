/** The package: what another project imports as `ringfold-client`. */

export type * from "./api.ts";
export { createClient, idempotencyKey } from "./client.ts";
export { ConnectionError, type ErrorCode, RingfoldError } from "./errors.ts";
export { type FollowOptions, followEvents } from "./event-stream.ts";
export { type PageQuery, paginate } from "./pages.ts";
export {
  foldStory,
  NOT_THERE,
  openStory,
  STORY_STATUSES,
  type Story,
  type StoryColumns,
  type StoryMoment,
} from "./story/fold-story.ts";
export type { ClientOptions, HttpResponse, RequestParams } from "./transport.ts";
export { type ReceivedWebhook, verifyWebhook, WebhookError, type WebhookRefusal } from "./webhooks.ts";
