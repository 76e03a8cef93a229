import type { Report } from '../report.ts';

/** The body of a request, as it was received. */
export interface Upload {
  kind: 'traces' | 'logs' | 'langfuse';
  format: 'protobuf' | 'json';
  isCompressed: boolean;
  body: Uint8Array<ArrayBuffer>;
}

/** The content of an upload that the thread has read. It has no inputs or outputs of a model. */
export interface Reading {
  report: Report;
  /** The number of spans and log records that are not in the report, although they name a prompt or are scores. */
  rejected: number;
  /** Why spans or log records were rejected, as text for the developer of the program. */
  reason: string | undefined;
  /** The outcome of each event of a Langfuse batch. */
  events: EventOutcome[];
}

export interface EventOutcome {
  id: string;
  /** Why the event was refused. Undefined if it was accepted. */
  error: string | undefined;
}

/** Why an upload cannot be read at all. */
export interface Refusal {
  kind: 'too_large' | 'malformed';
  text: string;
}

export interface ToThread {
  id: number;
  upload: Upload;
}

export type FromThread = { id: number; reading: Reading } | { id: number; refusal: Refusal };

export class UnreadableError extends Error {
  override readonly name = 'UnreadableError';
  readonly kind: Refusal['kind'];

  constructor(kind: Refusal['kind'], text: string) {
    super(text);
    this.kind = kind;
  }
}
