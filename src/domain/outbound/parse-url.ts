import { invalidField } from '../../errors.ts';
import type { Actor } from '../actor.ts';
import type { WithOutbound } from './outbound.ts';
import { OutboundError } from './outbound-error.ts';

/** Parses the URL of a server that a user names. Throws if every request to this URL would fail. */
export async function parseUrl(
  ctx: WithOutbound,
  { workspaceId }: Actor,
  text: string,
  { path, example }: { path: string; example: string },
): Promise<URL> {
  const url = URL.parse(text);
  if (!url) throw invalidField(path, `Use a URL such as ${example}`);
  try {
    await ctx.outbound.assertAllowed(workspaceId, url);
  } catch (err) {
    if (err instanceof OutboundError) throw invalidField(path, err.message);
    throw err;
  }
  url.hash = '';
  return url;
}
