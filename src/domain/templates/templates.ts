import type { Variable } from '../../contract/variables.ts';
import type { TemplateSyntax } from '../../contract/versions.ts';
import { createFairQueue } from '../../platform/scheduling/fair-queue.ts';
import { queueLimits } from '../../platform/scheduling/limits.ts';
import { createChildren } from './children.ts';
import { createMainThreadJobs } from './main-thread-jobs.ts';
import type { ParsedTexts } from './render-texts.ts';
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
  templates: ReturnType<typeof createTemplates>;
}

export interface PreparedTemplates {
  texts: TemplateTexts;
  /** The parsed templates, or undefined if they must be rendered in a child process. */
  parsed: ParsedTexts | undefined;
}

type Variables = Record<string, unknown>;

/**
 * Parses, renders and compares templates, and checks texts. Ordinary jobs run on the main thread, within the workspace's share of it. All
 * other jobs run in child processes, which workspaces share fairly. A job of one workspace therefore cannot delay the requests of another
 * workspace.
 */
export function createTemplates() {
  const mainThread = createMainThreadJobs();
  const children = createChildren();
  const queue = createFairQueue(queueLimits.templateJobs);

  function runInChild<K extends Job['kind']>(workspaceId: string, job: Extract<Job, { kind: K }>): Promise<JobResults[K]> {
    return queue.run(workspaceId, () => children.run(job));
  }

  return {
    async analyze(workspaceId: string, sources: Source[], syntax: TemplateSyntax = 'liquid'): Promise<AnalyzeResult> {
      const result = await mainThread.inShare(workspaceId, () => mainThread.analyze(workspaceId, sources, syntax));
      return result ?? runInChild(workspaceId, { kind: 'analyze', sources, syntax });
    },

    /** Prepares templates for rendering, so that they are parsed only once. */
    prepare: (texts: TemplateTexts): PreparedTemplates => ({ texts, parsed: mainThread.prepare(texts) }),

    /** Renders immediately, on the main thread. Returns undefined if rendering might take long. */
    renderNow: (workspaceId: string, { parsed }: PreparedTemplates, variables: Variables): RenderResult | undefined =>
      parsed && mainThread.hasShare(workspaceId) ? mainThread.render(workspaceId, parsed, variables) : undefined,

    /** Renders templates. In Liquid templates, the names of the `missing` variables appear in place of their values. */
    async render(
      workspaceId: string,
      { parsed, texts }: PreparedTemplates,
      variables: Variables,
      missing?: Variable[],
    ): Promise<RenderResult> {
      const result = parsed && (await mainThread.inShare(workspaceId, () => mainThread.render(workspaceId, parsed, variables, missing)));
      return result ?? runInChild(workspaceId, { kind: 'render', ...texts, variables, missing });
    },

    diff: (workspaceId: string, job: Omit<DiffJob, 'kind'>): Promise<string> => runInChild(workspaceId, { kind: 'diff', ...job }),

    /** Matches text against a user's rule. */
    async check(workspaceId: string, job: Omit<CheckJob, 'kind'>): Promise<CheckJobResult> {
      const result = await mainThread.inShare(workspaceId, () => mainThread.check(workspaceId, job));
      return result ?? runInChild(workspaceId, { kind: 'check', ...job });
    },

    /** The number of jobs that wait for a child process. */
    get waiting(): number {
      return queue.waiting;
    },

    close: () => children.close(),
  };
}
