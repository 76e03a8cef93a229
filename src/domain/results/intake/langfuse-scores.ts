import { maxCommentLength, maxResultIdLength } from '../../../contract/limits.ts';
import type { ReportedScore } from '../report.ts';
import { InvalidValue } from './measurements.ts';
import { hashOf, isScoreName, readScoreValue } from './scores.ts';

/** A score as Langfuse's SDKs send it. */
export type LangfuseScore = Record<'id' | 'traceId' | 'observationId' | 'name' | 'value' | 'dataType' | 'comment', unknown>;

/** The types of scores whose values are texts by a person or model. These texts are content. */
const textTypes = new Set<unknown>(['TEXT', 'CORRECTION']);

/**
 * Reads a score in Langfuse's format. Returns undefined for a score that is accepted but dropped, because its value is a text, or because the
 * score rates neither a trace nor an observation. Throws an InvalidValue if a field has a wrong type.
 */
export function readLangfuseScore(body: Partial<LangfuseScore>): ReportedScore | undefined {
  const { name, dataType, comment } = body;
  const [traceId, spanId, id] = [toId(body.traceId), toId(body.observationId), toId(body.id)];
  const value = toValue(body.value, dataType ?? undefined);
  if (!isScoreName(name)) throw new InvalidValue();
  if (textTypes.has(dataType) || (traceId === undefined && spanId === undefined)) return undefined;
  if (value === undefined) throw new InvalidValue();
  const isKept = typeof comment === 'string' && comment !== '' && comment.length <= maxCommentLength;
  const score: ReportedScore = { rated: { traceId, spanId }, name, value };
  return { ...score, comment: isKept ? comment : undefined, id: id ?? hashOf(score) };
}

const valueTypes = new Map([
  ['NUMERIC', 'number'],
  ['BOOLEAN', 'boolean'],
  ['CATEGORICAL', 'string'],
]);

function toValue(value: unknown, dataType: unknown): ReturnType<typeof readScoreValue> {
  const isBoolean = dataType === 'BOOLEAN' && (value === 0 || value === 1);
  const read = isBoolean ? value === 1 : readScoreValue(value);
  const expected = typeof dataType === 'string' ? valueTypes.get(dataType) : undefined;
  return expected === undefined || typeof read === expected ? read : undefined;
}

function toId(value: unknown): string | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value !== 'string' || value.length > maxResultIdLength) throw new InvalidValue();
  return value;
}
