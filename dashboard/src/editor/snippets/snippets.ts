import { latestLabel, productionLabel } from '../../../../src/contract/label-names.ts';
import { workspaceHeader } from '../../../../src/contract/permissions.ts';

import { promptPath } from '../../lib/prompt-path.ts';
import type { Variable } from '../../lib/types.ts';
import { exampleOf } from '../preview/preview-values.ts';

export const languages = [
  { value: 'curl', label: 'curl' },
  { value: 'typescript', label: 'TypeScript' },
  { value: 'python', label: 'Python' },
] as const;

export type SnippetLanguage = (typeof languages)[number]['value'];

export const keyPlaceholder = '$PROMPTHARBOR_API_KEY';

/**
 * Returns the labels that a snippet can ask for, and the label to use: the selected label if it still exists, and otherwise another
 * existing label.
 */
export function chooseLabel(existing: Record<string, number>, chosen?: string): { label: string; labels: string[]; note?: string } {
  const { [productionLabel]: production, ...others } = existing;
  const labels = [...(production === undefined ? [] : [productionLabel]), ...Object.keys(others), latestLabel];
  const label = labels.find((name) => name === chosen) ?? labels[0] ?? latestLabel;
  if (production !== undefined) return { label, labels };
  const asksFor = label === latestLabel ? 'the newest version' : `the label ${label}`;
  return {
    label,
    labels,
    note: `No version has the label ${productionLabel}, so requests without a label get 404. These snippets request ${asksFor}.`,
  };
}

interface SnippetOptions {
  origin: string;
  name: string;
  label: string;
  variables: Variable[];
  /** The workspace that every request must name. Undefined for the user's own workspace. */
  workspaceId: string | undefined;
}

/** Returns a snippet that fetches the template. */
export function fetchSnippet(language: SnippetLanguage, { origin, name, label, workspaceId }: SnippetOptions): string {
  const url = `${origin}${promptPath(name)}${label === productionLabel ? '' : `?label=${label}`}`;
  if (language === 'curl') return `curl ${quoteIfNeeded(url)} \\\n  -H "Authorization: Bearer ${keyPlaceholder}"${curlHeader(workspaceId)}`;
  if (language === 'typescript') {
    return `const response = await fetch('${url}', {
  headers: { Authorization: \`Bearer \${process.env.PROMPTHARBOR_API_KEY}\`${headerEntry(workspaceId, "'")} },
});
if (!response.ok) throw new Error(\`PromptHarbor returned \${response.status}\`);
const prompt = await response.json();`;
  }
  return `import os, requests

response = requests.get(
    "${url}",
    headers={"Authorization": f"Bearer {os.environ['PROMPTHARBOR_API_KEY']}"${headerEntry(workspaceId, '"')}},
    timeout=10,
)
response.raise_for_status()
prompt = response.json()`;
}

/** Returns a snippet that renders the prompt. */
export function renderSnippet(language: SnippetLanguage, options: SnippetOptions): string {
  const url = `${options.origin}${promptPath(options.name, '/render')}`;
  const required = options.variables.filter((variable) => variable.required);
  const variables = Object.fromEntries(required.map((variable) => [variable.name, exampleOf(variable)]));
  const body = { variables, ...(options.label !== productionLabel && { label: options.label }) };
  if (language === 'curl') {
    return `curl ${quoteIfNeeded(url)} \\
  -H "Authorization: Bearer ${keyPlaceholder}"${curlHeader(options.workspaceId)} \\
  -H "Content-Type: application/json" \\
  -d ${shellQuote(JSON.stringify(body))}`;
  }
  const indented = JSON.stringify(body, null, language === 'python' ? 4 : 2);
  if (language === 'typescript') {
    return `const response = await fetch('${url}', {
  method: 'POST',
  headers: {
    Authorization: \`Bearer \${process.env.PROMPTHARBOR_API_KEY}\`,
    'Content-Type': 'application/json'${headerEntry(options.workspaceId, "'", '\n    ')},
  },
  body: JSON.stringify(${indented.replaceAll('\n', '\n  ')}),
});
if (!response.ok) throw new Error(\`PromptHarbor returned \${response.status}\`);
const rendered = await response.json();`;
  }
  return `import os, requests

response = requests.post(
    "${url}",
    headers={"Authorization": f"Bearer {os.environ['PROMPTHARBOR_API_KEY']}"${headerEntry(options.workspaceId, '"')}},
    json=${indented.replaceAll('\n', '\n    ')},
    timeout=10,
)
response.raise_for_status()
rendered = response.json()`;
}

function curlHeader(workspaceId: string | undefined): string {
  return workspaceId === undefined ? '' : ` \\\n  -H "${workspaceHeader}: ${workspaceId}"`;
}

/** Returns the workspace header as an additional entry of an object literal, or an empty string if no header is needed. */
function headerEntry(workspaceId: string | undefined, quote: string, space = ' '): string {
  return workspaceId === undefined ? '' : `,${space}${quote}${workspaceHeader}${quote}: ${quote}${workspaceId}${quote}`;
}

function quoteIfNeeded(url: string): string {
  return /[?&]/.test(url) ? shellQuote(url) : url;
}

function shellQuote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
