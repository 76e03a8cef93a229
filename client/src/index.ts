export { PromptHarbor } from './client.ts';
export {
  ApiError,
  AuthenticationError,
  ConflictError,
  ConnectionError,
  ForbiddenError,
  InvalidRequestError,
  NotFoundError,
  PromptHarborError,
  RateLimitError,
  RenderError,
  ServerError,
  TimeoutError,
  TlsError,
} from './errors.ts';
export type { EventStreamOptions, StreamEvent } from './events.ts';
export type { Page, PagedList } from './http/pages.ts';
export type { Request, RequestOptions, ResponseInfo } from './http/request.ts';
export type { CallerOptions } from './load/choose-version.ts';
export type { LoadedPrompts } from './load/load.ts';
export type { LoadOptions, PromptsChange, PromptsState } from './load/options.ts';
export type { ApiKey, PromptHarborOptions } from './options.ts';
export type { TemplateEngine } from './render/engine.ts';
export type { CheckEvent } from './resources/models.ts';
export type { ImportOptions } from './resources/transfer.ts';
export type { PromptAttributes } from './results/attributes.ts';
export type { CallReport } from './results/call-report.ts';
export type { ObserveOptions } from './results/observe.ts';
export type { ResultsState } from './results/reporter.ts';
// A program can augment `Prompts` in this package only if the package exports it with a star.
export * from './typed-prompts.ts';
export type * from './types.ts';
export { verifyWebhook, type WebhookPayload, WebhookVerificationError } from './verify-webhook.ts';
