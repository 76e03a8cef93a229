import type { Caller } from '../http/caller.ts';
import type { RequestOptions } from '../http/request.ts';
import { type StrictOptions, strictQuery } from '../http/strict.ts';
import type { NewRelease, ReleaseChange, ReleaseFinish } from '../types.ts';

interface LabelOption {
  label: string;
}

/** `ph.releases`: the releases of labels, which divide the callers of a label between versions. */
export function createReleases({ call }: Caller) {
  return {
    /** Starts a release. The `warnings` of the result describe the problems for callers of its versions. */
    start: (name: string, { label, ...body }: NewRelease & LabelOption, { strict, ...options }: StrictOptions = {}) =>
      call('startRelease', { path: { name, label }, query: strictQuery(strict), body }, options),
    /** Returns the last release of a label, which may have ended. */
    get: (name: string, { label }: LabelOption, options?: RequestOptions) => call('getRelease', { path: { name, label } }, options),
    /** Widens, pauses or resumes a release. Weights can only become larger. */
    change: (name: string, { label, ...body }: ReleaseChange & LabelOption, options?: RequestOptions) =>
      call('changeRelease', { path: { name, label }, body }, options),
    /** Ends a release. All callers get the control again. */
    rollBack: (name: string, { label }: LabelOption, options?: RequestOptions) =>
      call('rollBackRelease', { path: { name, label } }, options),
    /** Ends a release by moving the label to one of its versions. */
    finish: (name: string, { label, ...body }: ReleaseFinish & LabelOption, options?: RequestOptions) =>
      call('finishRelease', { path: { name, label }, body }, options),
  };
}
