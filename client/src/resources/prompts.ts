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
    /** Fetches all prompts at a label and keeps them up to date, for use in an application. */
    load: (options?: LoadOptions) => loadPrompts(transport, options),
    list: (query: ListPromptsQuery = {}, options?: RequestOptions) => list('listPrompts', { query }, options),
    /** Returns the version at `label` (default `production`), or the given `version`. */
    get: (name: string, query: GetPromptQuery = {}, options?: RequestOptions) => call('getPrompt', { path: { name }, query }, options),
    create: (body: NewPrompt, { strict, ...options }: StrictOptions = {}) =>
      call('createPrompt', { query: strictQuery(strict), body }, options),
    /** Renames a prompt, or changes its description or tags. To change its content, save a new version. */
    update: (name: string, body: PromptChange, options?: RequestOptions) => call('changePrompt', { path: { name }, body }, options),
    /** Moves a prompt to the bin, where it stays for 30 days. */
    delete: (name: string, { strict, ...options }: StrictOptions = {}) =>
      call('deletePrompt', { path: { name }, query: strictQuery(strict) }, options),
    /** Restores a prompt from the bin. If it has a gated label on a version that has not passed its checks, an admin must give a reason in `override`. */
    restore: (name: string, body: RestoreRequest = {}, options?: RequestOptions) =>
      call('restorePrompt', { path: { name }, body }, options),
    /** Renders a prompt on the service. */
    render: (name: string, body: RenderRequest = {}, options?: RequestOptions) => call('renderPrompt', { path: { name }, body }, options),
    /** Renders a draft that is not saved. */
    preview: (body: PreviewRequest, options?: RequestOptions) => call('previewPrompt', { body }, options),
    /** Saves up to 50 prompts and versions. If one cannot be saved, none is saved. */
    batch: (items: BatchItem[], { skipUnchanged = false, strict, ...options }: StrictOptions & { skipUnchanged?: boolean } = {}) =>
      call('savePrompts', { query: strictQuery(strict), body: { items, skipUnchanged } }, options),
    /** Lists the prompts that include this one. */
    dependents: (name: string, query: ListDependentsQuery = {}, options?: RequestOptions) =>
      list('listDependents', { path: { name }, query }, options),
    /** Lists the prompts whose test cases use this one as a judge. */
    judged: (name: string, options?: RequestOptions) => call('listJudged', { path: { name } }, options),
    /** Lists who changed what, and when. */
    history: (name: string, query: ListHistoryQuery = {}, options?: RequestOptions) =>
      list('listHistory', { path: { name }, query }, options),
    /** Counts prompts and lists the tags and labels in use. */
    overview: (query: GetOverviewQuery = {}, options?: RequestOptions) => call('getOverview', { query }, options),
  };
}
