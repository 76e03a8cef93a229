import type { TemplateSyntax, Variable } from '../../contract/versions.ts';
import { createFairQueue } from '../../platform/scheduling/fair-queue.ts';
import { queueLimits } from '../../platform/scheduling/limits.ts';
import { createChildren } from './children.ts';
import { createMainThreadJobs, type ParsedTemplates } from './main-thread-jobs.ts';
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
 * Parses, renders and compares templates, and checks texts. Ordinary jobs run on the main thread, within the workspace's share of it.
 * All others run in child processes, which workspaces share fairly, so that no job can delay the requests of others.
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
  /** Matches a text against a rule of a user. */
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

export function createTemplates(): Templates {
  const mainThread = createMainThreadJobs();
  const children = createChildren();
  const queue = createFairQueue(queueLimits.templateJobs);

  function runInChild<K extends Job['kind']>(workspaceId: string, job: Extract<Job, { kind: K }>): Promise<JobResults[K]> {
    return queue.run(workspaceId, () => children.run(job));
  }

  return {
    async analyze(workspaceId, sources, syntax = 'liquid') {
      const result = await mainThread.inShare(workspaceId, () => mainThread.analyze(workspaceId, sources, syntax));
      return result ?? runInChild(workspaceId, { kind: 'analyze', sources, syntax });
    },
    prepare: (texts) => ({ texts, parsed: mainThread.prepare(texts) }),

    renderNow: (workspaceId, { parsed }, variables) =>
      parsed && mainThread.hasShare(workspaceId) ? mainThread.render(workspaceId, parsed, variables) : undefined,

    async render(workspaceId, { parsed, texts }, variables, missing) {
      const result = parsed && (await mainThread.inShare(workspaceId, () => mainThread.render(workspaceId, parsed, variables, missing)));
      return result ?? runInChild(workspaceId, { kind: 'render', ...texts, variables, missing });
    },

    diff: (workspaceId, job) => runInChild(workspaceId, { kind: 'diff', ...job }),

    async check(workspaceId, job) {
      const result = await mainThread.inShare(workspaceId, () => mainThread.check(workspaceId, job));
      return result ?? runInChild(workspaceId, { kind: 'check', ...job });
    },

    get waiting() {
      return queue.waiting;
    },

    close: () => children.close(),
  };
}
