const prefix = '/api/public/';

export const langfusePromptsPath = `${prefix}v2/prompts`;

/** Returns whether a request is for Langfuse's API, which has its own way to authenticate and its own shape of errors. */
export function isLangfuseUrl(url: string | undefined): boolean {
  return url?.startsWith(prefix) ?? false;
}
