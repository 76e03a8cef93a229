import { readCredentials, writeCredentials } from './credentials.ts';
import { askOnce } from './questions.ts';

/**
 * Returns whether the user has named a URL before: for `init`, for `login`, or in response to the question that `askForTrust` asks. The URL
 * in `promptharbor.json` comes with a repository, so someone else may have written it.
 */
export async function isTrustedUrl(url: string): Promise<boolean> {
  const { keys, trusted = [], url: lastUrl } = await readCredentials();
  return Object.hasOwn(keys, url) || trusted.includes(url) || url === lastUrl;
}

export async function trustUrl(url: string): Promise<void> {
  if (await isTrustedUrl(url)) return;
  const credentials = await readCredentials();
  await writeCredentials({ ...credentials, trusted: [...(credentials.trusted ?? []), url] });
}

/** Asks a question about the project's URL. If the answer is yes, the URL is trusted from then on. */
export async function askForTrust(url: string, question: string, ask: (question: string) => Promise<string> = askOnce): Promise<boolean> {
  const answer = await ask(`promptharbor.json names ${url}, which you have not used before. ${question} (y/N): `);
  const isTrusted = /^y(es)?$/i.test(answer.trim());
  if (isTrusted) await trustUrl(url);
  return isTrusted;
}
