import type { FlagErrorCode } from '../../contract/ofrep.ts';
import { type AppError, type ErrorCode, reasonOf } from '../../errors.ts';
import { tryTo } from '../../platform/try-to.ts';
import { readFlagKey } from './paths.ts';

/** Returns the body of an error in the shape that OpenFeature's clients expect. */
export function toOfrepBody(error: AppError, url: string): string {
  const key = readFlagKey(url);
  return JSON.stringify({
    ...(key !== undefined && { key: tryTo(() => decodeURIComponent(key)) ?? key }),
    ...toFlagError(error),
  });
}

/** Describes an error of one flag. */
export function toFlagError(error: AppError): { errorCode: FlagErrorCode; errorDetails: string } {
  return { errorCode: codeOf(error), errorDetails: reasonOf(error) };
}

function codeOf({ code, details }: AppError): FlagErrorCode {
  if (code === 'invalid_input') return details?.[0]?.path.startsWith('/context') ? 'INVALID_CONTEXT' : 'PARSE_ERROR';
  return codes[code] ?? 'GENERAL';
}

const codes: { [code in ErrorCode]?: FlagErrorCode } = {
  invalid_json: 'PARSE_ERROR',
  invalid_url: 'PARSE_ERROR',
  not_found: 'FLAG_NOT_FOUND',
  prompt_not_found: 'FLAG_NOT_FOUND',
  version_not_found: 'FLAG_NOT_FOUND',
  label_not_found: 'FLAG_NOT_FOUND',
};
