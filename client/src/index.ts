export { PromptHarbor } from './client.ts';
export * from './errors.ts';
export type { EventStreamOptions, StreamEvent } from './events.ts';
export type { Page, PagedList } from './http/pages.ts';
export type { Request, RequestOptions, ResponseInfo } from './http/transport.ts';
export type { ApiKey, PromptHarborOptions } from './options.ts';
export type { BatchItem, BatchResult } from './resources/prompts.ts';
export type * from './types.ts';
