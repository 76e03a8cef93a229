import { availableParallelism } from 'node:os';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { TemplateSyntax, Variable } from '../../contract/versions.ts';
import { createFairQueue } from '../../platform/scheduling/fair-queue.ts';
import { createChildren } from './children.ts';
import { createInPlace, type ParsedTemplates } from './in-place.ts';
import type {
  AnalyzeResult,
  CheckJob,
  CheckJobResult,
  DiffJob,
  Job,
  JobResults,
  RenderResult,
  Source,
  TemplateTexts,
} from './template-types.ts';

export interface WithTemplates {
  templates: Templates;
}

/**
 * Parses, renders and compares templates. Ordinary ones run on the main thread within a small budget. All others run in child
 * processes, which workspaces share fairly, so that no template can delay the requests of others.
 */
interface Templates {
  analyze(workspaceId: string, sources: Source[], syntax?: TemplateSyntax): Promise<AnalyzeResult>;
  /** Prepares templates for rendering, so that what can be done once is not done for each render. */
  prepare(templates: TemplateTexts): PreparedTemplates;
  /** Renders at once, on the main thread. Returns undefined if that might take long. */
  renderNow(workspaceId: string, prepared: PreparedTemplates, variables: Variables): RenderResult | undefined;
  /** Of variables that are `missing`, a Liquid template shows the names. */
  render(workspaceId: string, prepared: PreparedTemplates, variables: Variables, missing?: Variable[]): Promise<RenderResult>;
  diff(workspaceId: string, job: Omit<DiffJob, 'kind'>): Promise<string>;
  /** Matches a text against a rule of a user, always in a child process. */
  check(workspaceId: string, job: Omit<CheckJob, 'kind'>): Promise<CheckJobResult>;
  /** The number of jobs that wait for a child process. */
  readonly waiting: number;
  close(): Promise<void>;
}

export interface PreparedTemplates {
  texts: TemplateTexts;
  /** Undefined if they must run in a child process. */
  parsed: ParsedTemplates | undefined;
}

type Variables = Record<string, unknown>;

const limits = { waitingPerTenant: 100, waiting: 1000, waitTimeoutMs: 10_000 };

export function createTemplates(): Templates {
  const inPlace = createInPlace();
  const children = createChildren();
  const running = Math.max(2, Math.min(4, availableParallelism()));
  const queue = createFairQueue({ ...limits, running, runningPerTenant: running - 1 });

  function runApart<K extends Job['kind']>(workspaceId: string, job: Extract<Job, { kind: K }>): Promise<JobResults[K]> {
    return queue.run(workspaceId, () => children.run(job));
  }

  return {
    analyze: async (workspaceId, sources, syntax = 'liquid') =>
      inPlace.analyze(sources, syntax) ?? (await runApart(workspaceId, { kind: 'analyze', sources, syntax })),
    prepare: (texts) => ({ texts, parsed: inPlace.prepare(texts) }),

    renderNow: (workspaceId, { parsed }, variables) =>
      parsed && inPlace.hasShare(workspaceId) ? inPlace.render(workspaceId, parsed, variables) : undefined,

    async render(workspaceId, { parsed, texts }, variables, missing) {
      // The requests of other workspaces run before the next turn.
      if (parsed) while (!inPlace.hasShare(workspaceId)) await nextTurn();
      const result = parsed && inPlace.render(workspaceId, parsed, variables, missing);
      return result ?? runApart(workspaceId, { kind: 'render', ...texts, variables, missing });
    },

    diff: (workspaceId, job) => runApart(workspaceId, { kind: 'diff', ...job }),
    check: (workspaceId, job) => runApart(workspaceId, { kind: 'check', ...job }),

    get waiting() {
      return queue.waiting;
    },

    close: () => children.close(),
  };
}
