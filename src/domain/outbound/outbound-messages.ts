import type { ModelKind } from '../../contract/model-kinds.ts';
import type { ChatPart } from '../runs/chat-parts.ts';
import type { OutboundErrorKind } from './outbound-error.ts';

/** A job for the thread that talks to other servers. */
export type OutboundJob =
  | { kind: 'check'; url: string }
  /** Returns only the status, and the text of an error. */
  | (JobRequest & { kind: 'request' })
  | (JobRequest & { kind: 'list-models'; modelKind: ModelKind })
  /** Returns the body, which must be JSON within the limits. */
  | (JobRequest & { kind: 'read-json' })
  /** Emits the completion as parts. An error response has no parts. */
  | (JobRequest & { kind: 'chat'; modelKind: ModelKind; idleTimeoutMs: number });

export interface JobRequest {
  workspaceId: string;
  url: string;
  method: 'GET' | 'POST';
  headers: Record<string, string>;
  body?: string | undefined;
  /** The timeout of the whole request, until its response is read. */
  timeoutMs: number;
}

export interface JobResponse {
  status: number;
  retryAfter: string | undefined;
  /** The time according to the server's clock. */
  date?: string | undefined;
  /** The beginning of the body, if the status is an error. */
  text: string;
  /** The ids of the models. Undefined if the response is not a list of models. */
  modelIds?: string[] | undefined;
  /** The body of `read-json`, if the status is 200. */
  json?: string | undefined;
}

export type ToThread = { kind: 'start'; id: number; job: OutboundJob } | { kind: 'cancel'; id: number } | { kind: 'taken'; id: number };

export type FromThread =
  | { kind: 'parts'; id: number; parts: ChatPart[] }
  | { kind: 'done'; id: number; response: JobResponse | undefined }
  | { kind: 'failed'; id: number; error: ThreadError };

export interface ThreadError {
  /** The kind of the error. Undefined if the error is a bug of the service. */
  kind: OutboundErrorKind | undefined;
  message: string;
  sample?: string | undefined;
  /** A detail for the operator, which is never shown to users. */
  detail?: string | undefined;
}
