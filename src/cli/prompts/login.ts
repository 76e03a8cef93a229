import { PromptHarbor } from '../../../client/src/client.ts';
import { ApiError } from '../../../client/src/errors.ts';
import type { TokenInfo } from '../../contract/keys.ts';
import { hasOption, type Input, textOf } from '../command.ts';
import { findSignInUrl, findUrl } from '../connection.ts';
import { credentialsFile, readCredentials, writeCredentials } from '../credentials.ts';
import { createQuestions } from '../questions.ts';
import { note, print } from '../terminal.ts';

export async function login(input: Input): Promise<void> {
  const { url, token, email } = await obtainToken(input);
  if (hasOption(input, 'print')) return print(token);
  const { keys, ...rest } = await readCredentials();
  await writeCredentials({ ...rest, url, keys: { ...keys, [url]: token } });
  note(`Signed in to ${url} as ${email}. The key is stored in ${credentialsFile()}.`);
  if (process.env.PROMPTHARBOR_API_KEY)
    note('PROMPTHARBOR_API_KEY is set. Commands use it instead of the stored key if the address is set with --url or PROMPTHARBOR_URL.');
}

export async function logout(input: Input): Promise<void> {
  const url = await findUrl(input);
  const { keys, ...rest } = await readCredentials();
  if (!Object.hasOwn(keys, url)) return note(`No key is stored for ${url}.`);
  delete keys[url];
  await writeCredentials({ ...rest, keys });
  note(`The key for ${url} was deleted from this machine. It stays valid until it is reset.`);
}

async function obtainToken(input: Input): Promise<TokenInfo & { url: string }> {
  const questions = createQuestions();
  try {
    const url = await findSignInUrl(input, questions.ask);
    // The key from the environment is not used, because signing in needs no key.
    const ph = new PromptHarbor({ baseUrl: url, apiKey: 'none' });
    const isInBrowser = process.stdin.isTTY === true || hasOption(input, 'browser') || hasOption(input, 'no-browser');
    const isByPassword = textOf(input, 'email') !== undefined || !isInBrowser;
    return { ...(isByPassword ? await signInByPassword(ph, input, questions) : await signInByBrowser(ph, url, input)), url };
  } finally {
    questions.close();
  }
}

async function signInByPassword(ph: PromptHarbor, input: Input, questions: ReturnType<typeof createQuestions>): Promise<TokenInfo> {
  const email = textOf(input, 'email') ?? (await questions.ask('Email: '));
  const password = await questions.askHidden('Password: ');
  try {
    return await ph.auth.login({ email, password });
  } catch (err) {
    if (!(err instanceof ApiError) || err.code !== 'code_required') throw err;
    const code = await questions.ask('Code from your authenticator app, or a recovery code: ');
    return ph.auth.login({ email, password, code: code.trim() });
  }
}

/** Loads the code of the browser sign-in only when it is used, so that the other commands start faster. */
async function signInByBrowser(ph: PromptHarbor, url: string, input: Input): Promise<TokenInfo> {
  const { signInInBrowser } = await import('../browser-sign-in.ts');
  return signInInBrowser(ph, { url, opensBrowser: !hasOption(input, 'no-browser') });
}
