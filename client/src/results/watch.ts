import { maxModelNameLength, maxResultIdLength } from '../../../src/contract/limits.ts';
import type { Called, CallReport } from './call-report.ts';
import { errorTypeOf } from './error-type.ts';
import { findText, type ResponseFacts, readResponse } from './read-response.ts';

/** Measures one call. The methods never throw. The call is reported once, when it ends or fails. */
export interface Watch {
  /** A part of a streamed response has arrived. */
  part(value: unknown): void;
  /** The response is complete, or the program does not need the rest. */
  end(response?: unknown): void;
  fail(err: unknown): void;
}

type Measured = Omit<CallReport, keyof Called>;

interface Given {
  model?: string | undefined;
  provider?: string | undefined;
  traceId?: string | undefined;
}

const maxProviderLength = 100;

export function startWatch(report: (measured: Measured) => void, given: Given): Watch {
  const startedAt = performance.now();
  const facts: ResponseFacts = {};
  let firstChunkMs: number | undefined;
  let isReported = false;

  const elapsedMs = () => Math.round((performance.now() - startedAt) * 10) / 10;

  function finish(error?: string): void {
    if (isReported) return;
    isReported = true;
    const { model: usedModel, error: returnedError, ...found } = facts;
    const model = findText([given.model, usedModel], maxModelNameLength);
    const provider = findText([given.provider], maxProviderLength);
    const traceId = findText([given.traceId], maxResultIdLength);
    const errorType = error ?? returnedError;
    report({
      durationMs: elapsedMs(),
      endedAt: new Date().toISOString(),
      ...found,
      ...(firstChunkMs !== undefined && { firstChunkMs }),
      ...(model !== undefined && { model }),
      ...(provider !== undefined && { provider }),
      ...(traceId !== undefined && { traceId }),
      ...(errorType !== undefined && { error: errorType }),
    });
  }

  return {
    part(value) {
      firstChunkMs ??= elapsedMs();
      safely(() => Object.assign(facts, readResponse(value)));
    },
    end(response) {
      safely(() => Object.assign(facts, readResponse(response)));
      safely(finish);
    },
    fail: (err) => safely(() => finish(errorTypeOf(err))),
  };
}

/**
 * Runs a task that reads responses. Responses are objects of other libraries, whose fields may throw. The program must not notice such an
 * error.
 */
function safely(task: () => void): void {
  try {
    task();
  } catch {
    // A response that cannot be read has nothing to report.
  }
}
