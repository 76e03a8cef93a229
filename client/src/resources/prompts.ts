import type { Caller } from '../http/caller.ts';
import type { RequestOptions } from '../http/request.ts';
import { type StrictOptions, strictQuery } from '../http/strict.ts';
import type { Transport } from '../http/transport.ts';
import { loadPrompts } from '../load/load.ts';
import type { LoadOptions } from '../load/options.ts';
import type {
  BatchItem,
  GetOverviewQuery,
  GetPromptQuery,
  ListDependentsQuery,
  ListHistoryQuery,
  ListPromptsQuery,
  NewPrompt,
  PreviewRequest,
  PromptChange,
  RenderRequest,
  RestoreRequest,
} from '../types.ts';

/** `ph.prompts` */
export function createPrompts({ call, list }: Caller, transport: Transport) {
  return {
    /** Fetches all prompts of a label and keeps them up to date, for an application that uses them. */
    load: (options?: LoadOptions) => loadPrompts(transport, options),
    list: (query: ListPromptsQuery = {}, options?: RequestOptions) => list('listPrompts', { query }, options),
    /** The version at `label` (default `production`), or the given `version`. */
    get: (name: string, query: GetPromptQuery = {}, options?: RequestOptions) => call('getPrompt', { path: { name }, query }, options),
    create: (body: NewPrompt, { strict, ...options }: StrictOptions = {}) =>
      call('createPrompt', { query: strictQuery(strict), body }, options),
    /** Renames it, or changes its description or tags. Its content is changed by a new version. */
    update: (name: string, body: PromptChange, options?: RequestOptions) => call('changePrompt', { path: { name }, body }, options),
    /** Moves it to the bin, where it stays for 30 days. */
    delete: (name: string, { strict, ...options }: StrictOptions = {}) =>
      call('deletePrompt', { path: { name }, query: strictQuery(strict) }, options),
    /** With `override`, a reason, an admin restores a prompt with a gated label on a version that has not passed its checks. */
    restore: (name: string, body: RestoreRequest = {}, options?: RequestOptions) =>
      call('restorePrompt', { path: { name }, body }, options),
    /** Rendered by the service. */
    render: (name: string, body: RenderRequest = {}, options?: RequestOptions) => call('renderPrompt', { path: { name }, body }, options),
    /** Renders content that is not saved. */
    preview: (body: PreviewRequest, options?: RequestOptions) => call('previewPrompt', { body }, options),
    /** Saves up to 50 prompts and versions: all of them or none. */
    batch: (items: BatchItem[], { skipUnchanged = false, strict, ...options }: StrictOptions & { skipUnchanged?: boolean } = {}) =>
      call('savePrompts', { query: strictQuery(strict), body: { items, skipUnchanged } }, options),
    /** Which prompts include it. */
    dependents: (name: string, query: ListDependentsQuery = {}, options?: RequestOptions) =>
      list('listDependents', { path: { name }, query }, options),
    /** Which prompts have cases that it judges. */
    judged: (name: string, options?: RequestOptions) => call('listJudged', { path: { name } }, options),
    /** Who changed what, and when. */
    history: (name: string, query: ListHistoryQuery = {}, options?: RequestOptions) =>
      list('listHistory', { path: { name }, query }, options),
    /** Folders, tags and labels that are in use. */
    overview: (query: GetOverviewQuery = {}, options?: RequestOptions) => call('getOverview', { query }, options),
  };
}
