import type { Caller } from '../http/caller.ts';
import { toContextQuery } from '../http/context-query.ts';
import type { CsvParameter } from '../http/csv-parameter.ts';
import type { RequestOptions } from '../http/request.ts';
import { type StrictOptions, strictQuery } from '../http/strict.ts';
import type { Transport } from '../http/transport.ts';
import type { CallerOptions } from '../load/choose-version.ts';
import { loadPrompts } from '../load/load.ts';
import type { LoadOptions } from '../load/options.ts';
import type { Reporter } from '../results/reporter.ts';
import type {
  BatchItem,
  CopyRequest,
  GetOverviewQuery,
  GetPromptQuery,
  GetPromptResultsQuery,
  ListCommentsQuery,
  ListDependentsQuery,
  ListHistoryQuery,
  ListPromptsQuery,
  NewPrompt,
  NewView,
  PreviewRequest,
  PromptChange,
  RenderRequest,
  RestoreRequest,
  ViewChange,
} from '../types.ts';

type Context = Pick<CallerOptions, 'context'>;

/** `ph.prompts`: the prompts of the workspace. */
export function createPrompts({ call, list }: Caller, transport: Transport, reporter: Reporter) {
  return {
    /** Fetches all prompts at a label and keeps them up to date, for use in an application. */
    load: (options?: LoadOptions) => loadPrompts(transport, reporter, options),
    list: (query: ListPromptsQuery & Context = {}, options?: RequestOptions) =>
      list('listPrompts', { query: toContextQuery(query) }, options),
    /**
     * Returns the version at `label` (default `production`), or the given `version`. If the label has a release, `key` and `context` choose
     * the version.
     */
    get: (name: string, query: GetPromptQuery & Context = {}, options?: RequestOptions) =>
      call('getPrompt', { path: { name }, query: toContextQuery(query) }, options),
    create: (body: NewPrompt, { strict, ...options }: StrictOptions = {}) =>
      call('createPrompt', { query: strictQuery(strict), body }, options),
    /** Renames a prompt, or changes its description or tags. To change its content, save a new version. */
    update: (name: string, body: PromptChange, options?: RequestOptions) => call('changePrompt', { path: { name }, body }, options),
    /** Copies a prompt with its versions, labels and history to a workspace. With `move`, the original goes to the bin in the same step. */
    copy: (name: string, body: CopyRequest, { strict, ...options }: StrictOptions = {}) =>
      call('copyPrompt', { path: { name }, query: strictQuery(strict), body }, options),
    /** Moves a prompt to the bin, where it stays for 30 days. */
    delete: (name: string, { strict, ...options }: StrictOptions = {}) =>
      call('deletePrompt', { path: { name }, query: strictQuery(strict) }, options),
    /** Restores a prompt from the bin. If it has a gated label on a version that has not passed its checks, an admin must give a reason in `override`. */
    restore: (name: string, body: RestoreRequest = {}, options?: RequestOptions) =>
      call('restorePrompt', { path: { name }, body }, options),
    /** Renders a prompt on the service. */
    render: (name: string, body: RenderRequest = {}, options?: RequestOptions) => call('renderPrompt', { path: { name }, body }, options),
    /** Renders an unsaved draft. */
    preview: (body: PreviewRequest, options?: RequestOptions) => call('previewPrompt', { body }, options),
    /** Saves up to 50 prompts and versions. If one item cannot be saved, none is saved. */
    batch: (items: BatchItem[], { skipUnchanged = false, strict, ...options }: StrictOptions & { skipUnchanged?: boolean } = {}) =>
      call('savePrompts', { query: strictQuery(strict), body: { items, skipUnchanged } }, options),
    /** Lists the prompts that include this one. */
    dependents: (name: string, query: ListDependentsQuery = {}, options?: RequestOptions) =>
      list('listDependents', { path: { name }, query }, options),
    /**
     * Returns the number of different keys with which the prompt was read in the last 7 days. Above 512 keys, the number is an estimate.
     */
    countKeys: (name: string, options?: RequestOptions) => call('countKeys', { path: { name } }, options),
    /** Lists the prompts whose test cases use this one as a judge. */
    judged: (name: string, options?: RequestOptions) => call('listJudged', { path: { name } }, options),
    /** Lists the changes to a prompt, with their authors and times. */
    history: (name: string, query: ListHistoryQuery = {}, options?: RequestOptions) =>
      list('listHistory', { path: { name }, query }, options),
    /** Returns the results that programs reported about their model calls with this prompt, by version, by model and over time. */
    results: (name: string, query: Omit<GetPromptResultsQuery, CsvParameter> = {}, options?: RequestOptions) =>
      call('getPromptResults', { path: { name }, query }, options),
    /** Lists the comments that were sent with feedback, newest first. */
    comments: (name: string, query: ListCommentsQuery = {}, options?: RequestOptions) =>
      list('listComments', { path: { name }, query }, options),
    /** Lists the folders with the number of prompts in each. */
    folders: (options?: RequestOptions) => call('listFolders', {}, options),
    /** Counts prompts and lists the tags, labels and authors. */
    overview: (query: GetOverviewQuery = {}, options?: RequestOptions) => call('getOverview', { query }, options),
  };
}

/** `ph.favorites`: the prompts that the caller has marked in the workspace. */
export function createFavorites({ call }: Caller) {
  return {
    list: (options?: RequestOptions) => call('listFavorites', {}, options),
    add: (name: string, options?: RequestOptions) => call('addFavorite', { path: { name } }, options),
    remove: (name: string, options?: RequestOptions) => call('removeFavorite', { path: { name } }, options),
  };
}

/** `ph.views`: the combinations of filters and a sort order that the caller has saved in the workspace. */
export function createViews({ call }: Caller) {
  return {
    list: (options?: RequestOptions) => call('listViews', {}, options),
    create: (body: NewView, options?: RequestOptions) => call('createView', { body }, options),
    update: (id: string, body: ViewChange, options?: RequestOptions) => call('changeView', { path: { id }, body }, options),
    delete: (id: string, options?: RequestOptions) => call('deleteView', { path: { id } }, options),
  };
}
