import type { Caller } from '../http/caller.ts';
import type { RequestOptions } from '../http/request.ts';
import { type StrictOptions, strictQuery } from '../http/strict.ts';
import type { DiffVersionsQuery, LabelTarget, ListVersionsQuery, NewVersion } from '../types.ts';

/** `ph.versions`: the versions of prompts. */
export function createVersions({ call, list }: Caller) {
  return {
    list: (name: string, query: ListVersionsQuery = {}, options?: RequestOptions) =>
      list('listVersions', { path: { name }, query }, options),
    get: (name: string, version: number, options?: RequestOptions) => call('getVersion', { path: { name, version } }, options),
    /** Saves a new version. The new version gets only the labels in `labels`. */
    create: (name: string, body: NewVersion, { strict, ...options }: StrictOptions = {}) =>
      call('createVersion', { path: { name }, query: strictQuery(strict), body }, options),
    /** Deletes a version and removes its labels. The number of the version is never used again. */
    delete: (name: string, version: number, options?: RequestOptions) => call('deleteVersion', { path: { name, version } }, options),
    /** Returns the changes between two versions as a unified diff. */
    diff: (name: string, query: DiffVersionsQuery, options?: RequestOptions) => call('diffVersions', { path: { name }, query }, options),
  };
}

/** `ph.labels`: the labels of prompts. */
export function createLabels({ call }: Caller) {
  return {
    /**
     * Deploys or rolls back by moving a label to a version. To move a gated label without passing checks, an admin gives a reason in
     * `override`. The `warnings` of the result describe the problems at the label.
     */
    move: (name: string, { label, ...body }: LabelTarget & { label: string }, { strict, ...options }: StrictOptions = {}) =>
      call('moveLabel', { path: { name, label }, query: strictQuery(strict), body }, options),
    remove: (name: string, { label }: { label: string }, { strict, ...options }: StrictOptions = {}) =>
      call('removeLabel', { path: { name, label }, query: strictQuery(strict) }, options),
  };
}
