import { createHash } from 'node:crypto';
import { maxCategoryLength, maxReportedSpans, maxResultIdLength, maxScoreNameLength } from '../../../contract/limits.ts';
import { emptyReport, type ReportedScore } from '../report.ts';
import { type Attributes, measurementAttributes, scoreAttributes } from './attributes.ts';
import type { Reading } from './intake-messages.ts';
import { findPrompt, InvalidValue } from './measurements.ts';
import type { LogRecord } from './telemetry.ts';

const eventName = 'gen_ai.evaluation.result';
const noScore = 'Some evaluations have no valid name, value, or reference to a span, response or prompt';
const tooMany = `A request can have at most ${maxReportedSpans.toLocaleString('en')} evaluations`;

/** Turns the log records that are evaluations into scores. All other log records are skipped. */
export function toScores(records: Iterable<LogRecord>): Reading {
  const report = emptyReport();
  let excess = 0;
  for (const record of records) {
    const attributes: Attributes = record.attributes ?? new Map();
    if ((record.eventName ?? attributes.get(scoreAttributes.event)) !== eventName) continue;
    const score = readScore(record, attributes);
    if (!score) report.invalid += 1;
    else if (report.scores.length < maxReportedSpans) report.scores.push(score);
    else excess += 1;
  }
  const rejected = report.invalid + excess;
  const reason = report.invalid > 0 ? noScore : tooMany;
  report.invalid = rejected;
  return { report, rejected, reason: rejected > 0 ? reason : undefined, events: [] };
}

function readScore({ traceId, spanId, timeNs }: LogRecord, attributes: Attributes): ReportedScore | undefined {
  const prompt = tryToFindPrompt(attributes);
  const name = attributes.get(scoreAttributes.name);
  const value = readScoreValue(attributes.get(scoreAttributes.value) ?? attributes.get(scoreAttributes.label));
  const responseId = attributes.get(measurementAttributes.responseId[0]);
  const isResponse = typeof responseId === 'string' && responseId !== '' && responseId.length <= maxResultIdLength;
  const rated = { traceId, spanId: traceId && spanId, responseId: isResponse ? responseId : undefined };
  if (prompt === 'invalid' || !isScoreName(name) || value === undefined || (!prompt && !traceId && !isResponse)) return undefined;
  const score: ReportedScore = { ...prompt, rated: traceId || isResponse ? rated : undefined, name, value };
  return { ...score, id: hashOf([score, String(timeNs)]) };
}

/** Finds the prompt that a score names. A score refers to a version only by number. */
function tryToFindPrompt(attributes: Attributes): Pick<ReportedScore, 'prompt' | 'version' | 'label'> | undefined | 'invalid' {
  try {
    const found = findPrompt(attributes);
    if (!found) return undefined;
    const version = typeof found.version === 'string' && /^\d{1,9}$/.test(found.version) ? Number(found.version) : found.version;
    return { prompt: found.prompt, version: typeof version === 'number' ? version : undefined, label: found.label };
  } catch (err) {
    if (err instanceof InvalidValue) return 'invalid';
    throw err;
  }
}

export function isScoreName(name: unknown): name is string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: These characters are refused.
  return typeof name === 'string' && name !== '' && name.length <= maxScoreNameLength && !/[\u0000-\u001f\u007f]/.test(name);
}

/** Returns undefined if the value is neither a finite number, a boolean nor a short text. */
export function readScoreValue(value: unknown): number | boolean | string | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (typeof value === 'string') return value !== '' && value.length <= maxCategoryLength ? value : undefined;
  return typeof value === 'boolean' ? value : undefined;
}

/** Returns an id that is the same whenever the same score is sent, so that a score that is sent again counts once. */
export function hashOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64url');
}
