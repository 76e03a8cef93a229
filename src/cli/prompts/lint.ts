import type { PromptHarbor } from '../../../client/src/client.ts';
import { isPortable, replaceIncludes } from '../../contract/composition.ts';
import type { Variable } from '../../contract/variables.ts';
import type { TemplateSyntax, Version } from '../../contract/versions.ts';
import type { IncludedPrompt, IncludeGraph } from '../../domain/prompts/includes/include-graph.ts';
import { describeProblem, listIncludeProblems } from '../../domain/prompts/includes/include-problems.ts';
import { createVariableMerger } from '../../domain/prompts/includes/merge-variables.ts';
import { sourcesOf } from '../../domain/prompts/render/rendered.ts';
import { completeAnalysis, parseContent } from '../../domain/prompts/versions/version-content.ts';
import { runJob } from '../../domain/templates/template-jobs.ts';
import { type Analysis, includeKey } from '../../domain/templates/template-types.ts';
import { AppError } from '../../errors.ts';
import type { PromptContent } from '../../formats/prompt-fields.ts';
import { hasOption, type Input } from '../command.ts';
import { connect } from '../connection.ts';
import type { ExitCode } from '../errors.ts';
import type { LocalPrompt } from '../files/folder.ts';
import { findProject } from '../files/project.ts';
import { findPrompts } from '../remote-prompts.ts';
import { note, toLine } from '../terminal.ts';
import { labelOf } from './choice.ts';
import { type Finding, formatOf, reportFindings } from './lint-report.ts';
import { selectItems, selectProblems } from './selection.ts';
import { readProjectFiles } from './sync.ts';

interface Analyzed {
  prompt: LocalPrompt;
  analysis: Analysis;
}

/** Checks files with the rules of the service: everything that lint accepts can be saved and rendered. */
export async function lint(input: Input): Promise<ExitCode> {
  const label = labelOf(input);
  const format = formatOf(input);
  const project = findProject();
  const local = await readProjectFiles(project);
  const ph = hasOption(input, 'offline') ? undefined : await connect(input, project);
  const findings: Finding[] = [...local.problems];
  const analyzed = new Map<string, Analyzed>();
  for (const prompt of local.prompts.values()) {
    const result = analyzePrompt(prompt);
    if ('findings' in result) findings.push(...result.findings);
    else analyzed.set(prompt.name, { prompt, analysis: result });
  }
  const graph = await createGraph(analyzed, ph);
  const deployed = ph ? await readDeployed(ph, [...analyzed.keys()], label) : new Map<string, Version>();
  if (ph && analyzed.size > 0 && deployed.size === 0)
    note(`No prompt in these files has the label "${toLine(label)}", so the files were not compared with deployed versions.`);
  const mergeVariables = createVariableMerger(graph);
  for (const { prompt, analysis } of analyzed.values()) {
    const variables = mergeVariables(analysis);
    const inTemplates = analysis.variables.filter(({ name }) => !analysis.unused.includes(name));
    const used = mergeVariables({ ...analysis, variables: inTemplates });
    findings.push(
      ...checkIncludes({ prompt, analysis }, graph, ph !== undefined),
      ...checkDeclared(prompt, used),
      ...(hasOption(input, 'allow-new-variables') ? [] : checkDeployed(prompt, variables, deployed.get(prompt.name), label)),
    );
  }
  const unread = selectProblems(local.problems, input.args, project).map(({ path }) => path);
  const selected = new Set([
    ...selectItems([...local.prompts.values()], input.args, { project, local }).map(({ path }) => path),
    ...unread,
  ]);
  return reportFindings(format, {
    folder: project.folder,
    findings: findings.filter(({ path }) => selected.has(path)),
    checked: selected.size,
  });
}

/**
 * Analyzes a prompt with the functions of the service. The schemas of tools and of the output were already checked when the file was read.
 */
function analyzePrompt(prompt: LocalPrompt): Analysis | { findings: Finding[] } {
  const { syntax = 'liquid', template, messages, variables, tools, output } = prompt.content;
  try {
    const content = parseContent({ syntax, template, messages, variables, tools, output });
    const result = runJob({ kind: 'analyze', sources: sourcesOf(content), syntax });
    return result.ok ? completeAnalysis(content, result.analysis) : { findings: result.errors.map((error) => locate(prompt, error)) };
  } catch (err) {
    if (!(err instanceof AppError)) throw err;
    const details = err.details ?? [{ path: '', message: err.message }];
    return {
      findings: details.map(({ path, message }) => ({
        path: prompt.path,
        message: path === '' ? message : `${path.slice(1)}: ${message}`,
        line: prompt.lineOf(path),
      })),
    };
  }
}

/**
 * Finds the line of a template error in the file. The lines of a template correspond to lines of the file only if the template is a YAML
 * block.
 */
function locate(prompt: LocalPrompt, error: { path: string; message: string; line: number; column: number }): Finding {
  const start = prompt.lineOf(error.path);
  const line = start === undefined ? undefined : start + error.line - 1;
  const message = error.message.charAt(0).toUpperCase() + error.message.slice(1);
  const place = error.path.startsWith('/messages') || error.path === '/template' ? 'the template' : error.path.slice(1);
  return { path: prompt.path, message: `${message} (line ${error.line}, column ${error.column} of ${place})`, line };
}

/** Loads all prompts that files include, first from files, then from the service. */
async function createGraph(analyzed: ReadonlyMap<string, Analyzed>, ph: PromptHarbor | undefined): Promise<IncludeGraph> {
  const partials = new Map<string, IncludedPrompt>();
  const remoteNames = new Map<string, Set<string>>();
  for (const { analysis } of analyzed.values()) {
    for (const { name, label } of analysis.partials) {
      const own = analyzed.get(name);
      if (own) partials.set(includeKey({ name, label }), { ...toIncludedPrompt(own.prompt.content), ...own.analysis });
      else remoteNames.set(label, (remoteNames.get(label) ?? new Set()).add(name));
    }
  }
  if (!ph) return { partials };
  for (const [label, names] of remoteNames) {
    for (const [name, version] of await readDeployed(ph, [...names], label)) {
      // The service has already merged the variables of included prompts.
      partials.set(includeKey({ name, label }), { ...toIncludedPrompt(version), variables: version.variables, partials: [] });
    }
  }
  return { partials };
}

/** Returns the data that a template needs about an included prompt, other than its variables. */
function toIncludedPrompt({ syntax = 'liquid', template }: Pick<PromptContent, 'template'> & { syntax?: TemplateSyntax }) {
  const own = { promptId: '', version: 0, text: '', syntax };
  if (template === undefined) return { ...own, type: 'chat', isPortable: () => false } as const;
  return { ...own, type: 'text', isPortable: () => isPortable(replaceIncludes(template, syntax, () => '')) } as const;
}

/** Reads the versions at a label, by name. */
async function readDeployed(ph: PromptHarbor, names: string[], label: string): Promise<Map<string, Version>> {
  const prompts = await findPrompts(ph, names, label);
  return new Map(prompts.flatMap(({ name, version }) => (version ? [[name, version]] : [])));
}

/**
 * Reports problems with includes. If the service is not available, a prompt that is not in a file may still exist there, so it is not
 * reported.
 */
function checkIncludes({ prompt, analysis }: Analyzed, graph: IncludeGraph, isOnline: boolean): Finding[] {
  return listIncludeProblems(analysis.partials, graph, { self: prompt.name, syntax: prompt.content.syntax ?? 'liquid' })
    .filter(({ kind }) => isOnline || kind !== 'missing')
    .map((problem) => ({ path: prompt.path, message: describeProblem(problem) }));
}

/** Finds names in "variables" that neither the prompt's templates nor its included prompts use. */
function checkDeclared({ path, variables: named }: LocalPrompt, used: Variable[]): Finding[] {
  const names = new Set(used.map(({ name }) => name));
  return named.filter((name) => !names.has(name)).map((name) => ({ path, message: `The variable "${name}" is not used` }));
}

/**
 * Warns if a version requires variables that the deployed version does not require. Programs do not pass them yet, so their calls would
 * fail.
 */
function checkDeployed({ path }: LocalPrompt, used: Variable[], deployed: Version | undefined, label: string): Finding[] {
  if (!deployed) return [];
  const known = new Set(deployed.variables.map(({ name }) => name));
  return used
    .filter(({ name, required }) => required && !known.has(name))
    .map(({ name }) => ({
      path,
      message: `Requires the variable "${name}", which version ${deployed.version} at "${label}" does not have`,
    }));
}
