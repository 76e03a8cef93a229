import { maxCommentLength, maxResultIdLength } from '../../../contract/limits.ts';
import type { ReportedScore } from '../report.ts';
import { InvalidValue } from './measurements.ts';
import { hashOf, isScoreName, readScoreValue } from './scores.ts';

/** A score as Langfuse's SDKs send it. */
export type LangfuseScore = Record<'id' | 'traceId' | 'observationId' | 'name' | 'value' | 'dataType' | 'comment', unknown>;

/** The types of scores that count, each with the type of its values. */
const valueTypes = new Map<unknown, string>([
  ['NUMERIC', 'number'],
  ['BOOLEAN', 'boolean'],
  ['CATEGORICAL', 'string'],
]);

/**
 * Reads a score in Langfuse's format. Returns undefined for a score that is accepted but dropped, because its type is not known or because
 * the score rates neither a trace nor an observation. The values of other types, such as TEXT and CORRECTION, are texts that a person or a
 * model wrote. Throws an InvalidValue if a field has a wrong type.
 */
export function readLangfuseScore(body: Partial<LangfuseScore>): ReportedScore | undefined {
  const { name, comment } = body;
  const dataType = body.dataType ?? undefined;
  const [traceId, spanId, id] = [toId(body.traceId), toId(body.observationId), toId(body.id)];
  const value = toValue(body.value, dataType);
  if (!isScoreName(name)) throw new InvalidValue();
  if ((dataType !== undefined && !valueTypes.has(dataType)) || (traceId === undefined && spanId === undefined)) return undefined;
  if (value === undefined) throw new InvalidValue();
  const isKept = typeof comment === 'string' && comment !== '' && comment.length <= maxCommentLength;
  const score: ReportedScore = { rated: { traceId, spanId }, name, value };
  return { ...score, comment: isKept ? comment : undefined, id: id ?? hashOf(score) };
}

function toValue(value: unknown, dataType: unknown): ReturnType<typeof readScoreValue> {
  const isBoolean = dataType === 'BOOLEAN' && (value === 0 || value === 1);
  const read = isBoolean ? value === 1 : readScoreValue(value);
  const expected = valueTypes.get(dataType);
  return expected === undefined || typeof read === expected ? read : undefined;
}

function toId(value: unknown): string | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value !== 'string' || value.length > maxResultIdLength) throw new InvalidValue();
  return value;
}
