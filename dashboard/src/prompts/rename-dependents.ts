import { mapDescriptions } from '../../../src/contract/descriptions.ts';
import { latestLabel } from '../../../src/contract/label-names.ts';
import { mapContent } from '../../../src/contract/message-content.ts';
import { isGateRefusal } from '../checks/refusal.ts';
import { call, messageOf, switchedText } from '../lib/api.ts';
import { currentWorkspaceId } from '../lib/current-workspace.ts';
import { queryClient } from '../lib/query-client.ts';
import type { Dependent, Version } from '../lib/types.ts';
import { renameInclude } from './includes.ts';
import { planCopies } from './plan-copies.ts';
import { promptQuery, versionQuery } from './queries.ts';

const gateText = 'one of its labels requires passing checks. Save a version with the new name, run the checks and deploy it';

interface Rename {
  from: string;
  to: string;
  /** The labels of the dependents that move to the new versions. */
  labels: ReadonlySet<string>;
}

/** Saves new versions of the dependents, in which they include the prompt by its new name. Returns the errors by prompt. */
export async function renameDependents(dependents: Dependent[], rename: Rename): Promise<{ saved: number; problems: string[] }> {
  const problems: string[] = [];
  let saved = 0;
  const workspaceId = currentWorkspaceId();
  for (const dependent of dependents) {
    if (currentWorkspaceId() !== workspaceId) return { saved, problems: [switchedText] };
    try {
      if (await saveCopies(dependent, rename)) saved += 1;
    } catch (err) {
      problems.push(`${dependent.name}: ${isGateRefusal(err) ? gateText : messageOf(err)}`);
    }
  }
  return { saved, problems };
}

/** Returns the labels, other than `latest`, that point at versions that include the prompt. */
export function labelsOf(dependents: Dependent[]): string[] {
  const labels = dependents.flatMap(({ includes }) => includes.flatMap((include) => include.labels));
  return [...new Set(labels)].filter((label) => label !== latestLabel).sort();
}

async function saveCopies(dependent: Dependent, { from, to, labels }: Rename): Promise<boolean> {
  const { name } = dependent;
  const { latestVersion } = await queryClient.fetchQuery({ ...promptQuery(name), staleTime: 0 });
  const copies = planCopies(dependent, latestVersion, labels);
  let newest = latestVersion;
  for (const copy of copies) {
    const version = await queryClient.fetchQuery(versionQuery(name, copy.version));
    const renamed = renameIn(version, { from, to });
    const isChanged = JSON.stringify(renamed) !== JSON.stringify(contentOf(version));
    const body = {
      ...renamed,
      syntax: version.syntax,
      variables: version.variables,
      config: version.config,
      message: isChanged ? `v${copy.version}, including ${to} instead of ${from}`.slice(0, 500) : `v${copy.version} again`,
      baseVersion: newest,
      labels: copy.labels,
    };
    newest = (await call('createVersion', { path: { name }, body })).version;
  }
  return copies.length > 0;
}

/** The fields of a version that contain templates. */
type Templates = Pick<Version, 'template' | 'messages' | 'tools' | 'output'>;

function contentOf({ template, messages, tools, output }: Version): Templates {
  const texts = template === undefined ? { messages: messages ?? [] } : { template };
  return { ...texts, ...(tools && { tools }), ...(output && { output }) };
}

function renameIn(version: Version, names: { from: string; to: string }): Templates {
  const { template, messages, tools, output } = contentOf(version);
  const rename = (text: string) => renameInclude(text, names, version.syntax);
  return {
    ...(template !== undefined && { template: rename(template) }),
    ...(messages && {
      messages: messages.map((message) => ('content' in message ? { ...message, content: mapContent(message.content, rename) } : message)),
    }),
    ...(tools && { tools: mapDescriptions(tools, '/tools', rename) }),
    ...(output && { output: mapDescriptions(output, '/output', rename) }),
  };
}
