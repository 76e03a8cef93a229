import { maxReportedSpans } from '../../../contract/limits.ts';
import { emptyReport, type ReportedCall } from '../report.ts';
import { type Attributes, kindAttributes } from './attributes.ts';
import type { Reading } from './intake-messages.ts';
import { findPrompt, findRelease, InvalidValue, maxDurationMs, measure } from './measurements.ts';
import { completeCalls, type NamedSpan, removeRepeats, type SpanLinks } from './span-tree.ts';
import type { Span } from './telemetry.ts';

/**
 * Turns spans into calls. A span that names a prompt is a call, unless a span of its kind only contains calls. docs/results.md describes
 * the rules.
 */
export function toCalls(spans: Iterable<Span>): Reading {
  const report = emptyReport();
  const links: SpanLinks = new Map();
  const named: NamedSpan[] = [];
  let excess = 0;
  for (const span of spans) {
    const { traceId, spanId, parentId, attributes } = span;
    const found = readPrompt(span);
    if (found === 'none') report.unnamed += 1;
    else if (found === 'invalid') report.invalid += 1;
    else if (found !== 'container') {
      if (named.length < maxReportedSpans) named.push(found);
      else excess += 1;
    }
    if (traceId !== undefined && spanId !== undefined) {
      const unnamed = found === 'none' ? attributes : undefined;
      const isNamed = typeof found === 'object';
      links.set(traceId + spanId, {
        parent: traceId + (parentId ?? ''),
        named: isNamed ? found : undefined,
        unnamed,
        startNs: span.startNs,
      });
    }
  }
  const calls = removeRepeats(named, links);
  completeCalls(calls, links);
  report.calls = calls.map(({ call }) => call);
  const reason = report.invalid > 0 ? 'Some spans name a prompt, but have an invalid id, time or value' : tooMany;
  const rejected = report.invalid + excess;
  report.invalid = rejected;
  return { report, rejected, reason: rejected > 0 ? reason : undefined, events: [] };
}

const tooMany = `A request can have at most ${maxReportedSpans.toLocaleString('en')} spans that name a prompt`;

function readPrompt(span: Span): NamedSpan | 'none' | 'container' | 'invalid' {
  const { attributes } = span;
  if (!attributes) return 'none';
  try {
    const found = findPrompt(attributes);
    if (!found) return 'none';
    if (isContainer(attributes)) return 'container';
    return { call: toCall(span, attributes, found), key: `${span.traceId}${span.spanId}` };
  } catch (err) {
    if (err instanceof InvalidValue) return 'invalid';
    throw err;
  }
}

/** Returns whether a span contains or prepares model calls, but is not a call itself. */
function isContainer(attributes: Attributes): boolean {
  const { operation, aiSdk, langfuse, openInference, langWatch } = kindAttributes;
  const operationName = attributes.get(operation);
  if (typeof operationName === 'string' && containers.has(operationName)) return true;
  const operationId = attributes.get(aiSdk);
  if (typeof operationId === 'string' && !/\.do[A-Z]\w*$/.test(operationId)) return true;
  const kinds = [attributes.get(langfuse), attributes.get(openInference), attributes.get(langWatch)];
  return kinds.some((kind) => typeof kind === 'string' && !callKinds.has(kind.toLowerCase()));
}

const containers = new Set(['agent_step', 'execute_tool', 'create_agent']);
const callKinds = new Set(['generation', 'embedding', 'llm']);

function toCall(span: Span, attributes: Attributes, prompt: ReturnType<typeof findPrompt> & object): ReportedCall {
  const { traceId, spanId, startNs, endNs, hasError } = span;
  if (traceId === undefined || spanId === undefined || startNs === 0n || endNs < startNs) throw new InvalidValue();
  const durationMs = toMilliseconds(endNs - startNs);
  if (durationMs > maxDurationMs) throw new InvalidValue();
  const startedAtMs = toMilliseconds(startNs);
  const { responseId, error, ...measurements } = measure(attributes, startedAtMs);
  return {
    ...prompt,
    ...findRelease(attributes),
    ...measurements,
    error: error ?? (hasError ? 'error' : undefined),
    identity: { traceId, spanId, responseId },
    startedAtMs,
    endedAtMs: toMilliseconds(endNs),
    durationMs,
  };
}

/** Rounds to microseconds, because a number cannot hold today's time in nanoseconds. */
export function toMilliseconds(nanoseconds: bigint): number {
  return Number(nanoseconds / 1000n) / 1000;
}
