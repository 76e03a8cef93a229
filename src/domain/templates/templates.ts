import { availableParallelism } from 'node:os';
import { createFairQueue } from '../fair-queue.ts';
import { createChildren } from './children.ts';
import { createInPlace } from './in-place.ts';
import type { AnalyzeResult, DiffJob, Job, JobResults, RenderJob, RenderResult, Source } from './types.ts';

/**
 * Parses, renders and compares templates. Ordinary ones run on the main thread within a small budget. All others run in child
 * processes, which workspaces share fairly, so that no template can delay the requests of others.
 */
export interface Templates {
  analyze(workspaceId: string, sources: Source[]): Promise<AnalyzeResult>;
  render(workspaceId: string, job: Omit<RenderJob, 'kind'>): Promise<RenderResult>;
  diff(workspaceId: string, job: Omit<DiffJob, 'kind'>): Promise<string>;
  /** The number of jobs that wait for a child process. */
  readonly waiting: number;
  close(): Promise<void>;
}

const limits = { waitingPerTenant: 16, waiting: 256, waitTimeoutMs: 10_000 };

export function createTemplates(): Templates {
  const inPlace = createInPlace();
  const children = createChildren();
  const running = Math.max(2, Math.min(4, availableParallelism()));
  const queue = createFairQueue({ ...limits, running, runningPerTenant: running - 1 });

  function runApart<K extends Job['kind']>(workspaceId: string, job: Extract<Job, { kind: K }>): Promise<JobResults[K]> {
    return queue.run(workspaceId, () => children.run(job));
  }

  return {
    analyze: async (workspaceId, sources) => inPlace.analyze(sources) ?? (await runApart(workspaceId, { kind: 'analyze', sources })),
    render: async (workspaceId, job) => inPlace.render(workspaceId, job) ?? (await runApart(workspaceId, { kind: 'render', ...job })),
    diff: (workspaceId, job) => runApart(workspaceId, { kind: 'diff', ...job }),

    get waiting() {
      return queue.waiting;
    },

    close: () => children.close(),
  };
}
