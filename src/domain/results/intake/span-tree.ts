import type { ReportedCall } from '../report.ts';
import { type Attributes, kindAttributes } from './attributes.ts';
import { InvalidValue, maxCost, maxTokens, measure } from './measurements.ts';

export interface NamedSpan {
  /** The trace id followed by the span id. */
  key: string;
  call: ReportedCall;
}

interface SpanLink {
  /** The key of the parent, which may be in another request. */
  parent: string;
  named: NamedSpan | undefined;
  /** The attributes of a span that does not name a prompt. */
  unnamed: Attributes | undefined;
  startNs: bigint;
}

/** All spans of a request by their keys. */
export type SpanLinks = Map<string, SpanLink>;

/** The maximum number of ancestors that are followed, so that a long chain of spans takes little time. */
const maxAncestors = 32;

/**
 * Removes calls that contain another call with the same prompt and version. Some programs add the prompt to every span of a call, from
 * their own function to the request to the model. Only the innermost span counts.
 */
export function removeRepeats(named: NamedSpan[], links: SpanLinks): NamedSpan[] {
  const repeats = new Set<NamedSpan>();
  for (const span of named) {
    const { key, call } = span;
    for (const { named: outer } of ancestors(key, links)) {
      if (outer && outer !== span && outer.call.prompt === call.prompt && outer.call.version === call.version) repeats.add(outer);
    }
  }
  return repeats.size === 0 ? named : named.filter((span) => !repeats.has(span));
}

/**
 * Takes the missing measurements of a call from the model calls below it that do not name a prompt. A program can therefore name the prompt
 * on its own span, while an instrumentation library measures the call.
 */
export function completeCalls(named: NamedSpan[], links: SpanLinks): void {
  if (named.length === 0) return;
  const calls = new Set(named.map(({ call }) => call));
  const below = new Map<ReportedCall, SpanLink[]>();
  for (const [key, link] of links) {
    if (!link.unnamed || !isModelCall(link.unnamed)) continue;
    const owner = ancestors(key, links).find(({ named: found }) => found && calls.has(found.call))?.named?.call;
    if (!owner) continue;
    const found = below.get(owner);
    if (found) found.push(link);
    else below.set(owner, [link]);
  }
  for (const [call, spans] of below)
    complete(
      call,
      spans.sort((a, b) => (a.startNs < b.startNs ? -1 : 1)),
    );
}

const modelOperations = new Set(['chat', 'text_completion', 'generate_content', 'embeddings']);

function isModelCall(attributes: Attributes): boolean {
  const operation = attributes.get(kindAttributes.operation);
  if (typeof operation === 'string') return modelOperations.has(operation);
  const operationId = attributes.get(kindAttributes.aiSdk);
  if (typeof operationId === 'string') return /\.do[A-Z]\w*$/.test(operationId);
  const kind = attributes.get(kindAttributes.openInference) ?? attributes.get(kindAttributes.langfuse);
  return typeof kind === 'string' ? /^(llm|generation|embedding)$/i.test(kind) : true;
}

function complete(call: ReportedCall, spans: SpanLink[]): void {
  const measured = spans.flatMap(({ unnamed, startNs }) => (unnamed ? tryToMeasure(unnamed, Number(startNs) / 1e6) : []));
  const [first] = measured;
  if (!first) return;
  // Tokens and costs are sums, because a program may call the model several times for one prompt.
  if (call.inputTokens === undefined && call.outputTokens === undefined) {
    call.inputTokens = sum(
      measured.map(({ inputTokens }) => inputTokens),
      maxTokens,
    );
    call.outputTokens = sum(
      measured.map(({ outputTokens }) => outputTokens),
      maxTokens,
    );
  }
  call.cost ??= sum(
    measured.map(({ cost }) => cost),
    maxCost,
  );
  call.model ??= first.model;
  call.provider ??= first.provider;
  call.identity.responseId ??= measured.at(-1)?.responseId;
  const startedAfterMs = first.startedAtMs - (call.startedAtMs ?? first.startedAtMs);
  if (first.firstChunkMs !== undefined && startedAfterMs >= 0) call.firstChunkMs ??= startedAfterMs + first.firstChunkMs;
}

function tryToMeasure(attributes: Attributes, startedAtMs: number) {
  try {
    return [{ ...measure(attributes, startedAtMs), startedAtMs }];
  } catch (err) {
    if (err instanceof InvalidValue) return [];
    throw err;
  }
}

function sum(values: (number | undefined)[], max: number): number | undefined {
  const known = values.filter((value) => value !== undefined);
  if (known.length === 0) return undefined;
  return Math.min(
    max,
    known.reduce((total, value) => total + value, 0),
  );
}

/** Returns the ancestors of a span that are in the same request, nearest first. */
function ancestors(key: string, links: SpanLinks): SpanLink[] {
  const found: SpanLink[] = [];
  let link = links.get(key);
  while (link && found.length < maxAncestors) {
    link = links.get(link.parent);
    if (link) found.push(link);
  }
  return found;
}
