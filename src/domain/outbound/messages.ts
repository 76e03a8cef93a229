import type { ChatPart } from '../models/chat-parts.ts';
import type { JobResponse, OutboundJob } from './jobs.ts';
import type { OutboundErrorKind } from './outbound-error.ts';

export type ToThread = { kind: 'start'; id: number; job: OutboundJob } | { kind: 'cancel'; id: number } | { kind: 'taken'; id: number };

export type FromThread =
  | { kind: 'parts'; id: number; parts: ChatPart[] }
  | { kind: 'done'; id: number; response: JobResponse | undefined }
  | { kind: 'failed'; id: number; error: ThreadError };

export interface ThreadError {
  /** Undefined if the error is ours. */
  kind: OutboundErrorKind | undefined;
  message: string;
  sample?: string | undefined;
  /** What only the operator may know. */
  detail?: string | undefined;
}
