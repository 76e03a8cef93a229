import { type Caller, fillPath } from '../http/operations.ts';
import type { RequestOptions, Transport } from '../http/transport.ts';
import type { DiffVersionsQuery, ListVersionsQuery, NewVersion } from '../types.ts';

/** `ph.versions` */
export function createVersions({ call, list }: Caller, { send }: Transport) {
  return {
    list: (name: string, query: ListVersionsQuery = {}, options?: RequestOptions) =>
      list('listVersions', { path: { name }, query }, options),
    get: (name: string, version: number, options?: RequestOptions) => call('getVersion', { path: { name, version } }, options),
    /** Saves a new version. It gets the labels that are given, and no others. */
    create: (name: string, body: NewVersion, options?: RequestOptions) => call('createVersion', { path: { name }, body }, options),
    /** Its number is never used again, and labels on it are removed. */
    async delete(name: string, version: number, options?: RequestOptions): Promise<undefined> {
      await send({ method: 'DELETE', path: fillPath('/api/prompts/{name}/versions/{version}', { name, version }) }, options);
    },
    /** What changed between two versions, as a unified diff. */
    diff: (name: string, query: DiffVersionsQuery, options?: RequestOptions) => call('diffVersions', { path: { name }, query }, options),
  };
}

/** `ph.labels` */
export function createLabels({ call }: Caller) {
  return {
    /** Deploys or rolls back: from now on the label is this version. */
    move: (name: string, { label, version }: { label: string; version: number }, options?: RequestOptions) =>
      call('moveLabel', { path: { name, label }, body: { version } }, options),
    remove: (name: string, { label }: { label: string }, options?: RequestOptions) =>
      call('removeLabel', { path: { name, label } }, options),
  };
}
