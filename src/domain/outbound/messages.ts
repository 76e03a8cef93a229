import type { ChatPart } from '../models/chat-parts.ts';
import type { JobResponse, OutboundJob } from './jobs.ts';
import type { OutboundErrorKind } from './outbound-error.ts';

export type ToThread = { kind: 'start'; id: number; job: OutboundJob } | { kind: 'cancel'; id: number } | { kind: 'taken'; id: number };

export type FromThread =
  | { kind: 'parts'; id: number; parts: ChatPart[] }
  | { kind: 'done'; id: number; response: JobResponse | undefined }
  | { kind: 'failed'; id: number; error: ThreadError };

export interface ThreadError {
  /** Undefined if the error is a bug of the service. */
  kind: OutboundErrorKind | undefined;
  message: string;
  sample?: string | undefined;
  /** Only for the operator, never shown to users. */
  detail?: string | undefined;
}
