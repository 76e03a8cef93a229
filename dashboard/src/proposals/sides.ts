import type { CheckSubject } from '../checks/check-runs.ts';
import type { CommentedContent } from '../comments/threads.ts';
import { type Draft, draftOf } from '../editor/drafts/draft.ts';
import type { Candidate, CheckSummary, Prompt, Version } from '../lib/types.ts';
import type { Column } from '../runs/columns.ts';
import type { RunSource } from '../runs/run-input.ts';

/** A content that a proposal is about: the current version, or the proposed version or candidate. */
export type Side = { title: string; content: Version } | { title: string; content: Candidate };

export function toVersionSide(content: Version): Side {
  return { title: `Version ${content.version}`, content };
}

export function toCandidateSide(content: Candidate): Side {
  return { title: `Candidate: ${content.title}`, content };
}

/** Returns a string that changes with the content. */
export function identify({ title, content }: Side): string {
  return 'version' in content ? title : `${content.id} ${content.revision}`;
}

export function draftOfSide({ content }: Side): Draft {
  return draftOf(content);
}

/** Returns the content to which comments on this side belong. */
export function commentedContentOf({ content }: Side, { name }: Pick<Prompt, 'name'>): CommentedContent {
  return 'version' in content ? { prompt: name, version: content.version } : { prompt: name, candidate: content.id };
}

export function checkSubjectOf({ content }: Side): CheckSubject {
  return 'version' in content ? { version: content.version } : { candidate: content };
}

/** Returns the source with which a run of this side starts. */
export function sourceOf({ content }: Side, { name, type }: Pick<Prompt, 'name' | 'type'>): RunSource {
  return 'version' in content ? { promptName: name, version: content.version } : { promptName: name, type, draft: draftOf(content) };
}

export function columnContentOf({ content }: Side): Column['content'] {
  return 'version' in content ? content.version : 'draft';
}

/** Finds the newest check run of this side with the current test cases. */
export function findCheckRun(checks: CheckSummary[], { content }: Side): CheckSummary | undefined {
  return checks.find(({ current, version, candidate }) => {
    if (!current) return false;
    if ('version' in content) return version === content.version;
    return candidate !== undefined && candidate.id === content.id && candidate.revision === content.revision;
  });
}
