import type { TokenInfo } from '../../contract/keys.ts';
import { addBodyHeaders, type FlatHeaders, formatHeaders, type PreparedResponse, toByteString } from './prepared-response.ts';

export const tokenPath = '/api/auth/token';

/** Prepares the response of `GET /api/auth/token`, for both the fast path and the route. */
export type PrepareTokenResponse = (info: TokenInfo) => PreparedResponse;

export function createTokenResponse(commonHeaders: Record<string, string>): PrepareTokenResponse {
  const headers = formatHeaders({ ...commonHeaders, 'cache-control': 'no-store' });
  /** The headers, indexed by body length. There are at most a few hundred, because names and email addresses are short. */
  const headersByLength: FlatHeaders[] = [];

  return ({ token, userId, email, name }) => {
    const body = toByteString(JSON.stringify({ token, userId, email, name }));
    let complete = headersByLength[body.length];
    if (!complete) {
      complete = addBodyHeaders(headers, body.length);
      headersByLength[body.length] = complete;
    }
    return { route: tokenPath, status: 200, headers: complete, body, servedPrompt: undefined };
  };
}
