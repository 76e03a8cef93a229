import { isLabel, latestLabel } from '../../contract/label-names.ts';
import { normalizeName } from '../../contract/prompt-names.ts';
import type { VersionChoice } from '../../contract/versions.ts';
import { tryTo } from '../../platform/try-to.ts';

export const uriTemplates = { prompt: 'promptharbor://prompts/{name}', version: 'promptharbor://prompts/{name}@{version}' };

const prefix = 'promptharbor://prompts/';
/** Returns the address of a prompt. The name is one segment, so slashes and @ characters in it are encoded. */
export function toUri(name: string): string {
  return prefix + encodeURIComponent(name);
}

/** Returns the name of the prompt in an address, and the version if the address contains one. Slashes in the name may be encoded or not. */
export function parseUri(uri: string): { name: string; choice: VersionChoice | undefined } | undefined {
  if (!uri.startsWith(prefix)) return undefined;
  const [path = '', version, ...rest] = uri.slice(prefix.length).split('@');
  const name = tryTo(() => decodeURIComponent(path));
  if (name === undefined || name === '' || rest.length > 0) return undefined;
  if (version === undefined) return { name: normalizeName(name), choice: undefined };
  const choice = parseChoice(version);
  return choice && { name: normalizeName(name), choice };
}

function parseChoice(text: string): VersionChoice | undefined {
  if (/^[1-9][0-9]{0,8}$/.test(text)) return { version: Number(text) };
  return text === latestLabel || isLabel(text) ? { label: text } : undefined;
}
