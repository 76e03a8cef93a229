import { hash } from 'node:crypto';
import type { VersionRecord } from '../../../store/prompts/version-rows.ts';

/** Returns a digest of the content that a check run depends on. A version that is made from a candidate has the digest of the candidate. */
export function digestContent({ syntax, content, config }: Pick<VersionRecord, 'syntax' | 'content' | 'config'>): string {
  return hash('sha256', JSON.stringify([syntax, content, config]), 'base64url');
}
