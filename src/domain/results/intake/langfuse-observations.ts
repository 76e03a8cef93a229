import { maxModelNameLength, maxPromptNameLength, maxResultIdLength } from '../../../contract/limits.ts';
import type { ReportedCall, ReportedEnd } from '../report.ts';
import { durationBetween, errorOfLevel, InvalidValue, inRange, maxCost, maxDurationMs, tokens, toTime, toVersion } from './measurements.ts';
import { usageOf } from './usage.ts';

type Body = Record<string, unknown>;

interface ObservationEvent {
  body: Body;
  /** When the event was created. */
  timestamp: unknown;
  isUpdate: boolean;
}

/** The known fields of a generation. Fields of updates replace fields of the creation. */
interface Observation {
  created: Body | undefined;
  updated: Body;
  timestamp: unknown;
  hasOutput: boolean;
}

/** The fields that are read. All other fields, which include the contents, are not kept. */
const keptFields = [
  'traceId',
  'promptName',
  'promptVersion',
  'model',
  'startTime',
  'endTime',
  'completionStartTime',
  'usage',
  'usageDetails',
  'costDetails',
  'level',
];

/**
 * Collects the events of generations, and merges the events of each generation. An SDK may send the update of a generation before the
 * creation, because it adds an event to the batch only after it has processed the media in the event.
 */
export function createObservations() {
  const found = new Map<string, Observation>();

  return {
    /** Throws an InvalidValue if a field has a wrong type. */
    add({ body, timestamp, isUpdate }: ObservationEvent): void {
      const id = toId(body.id);
      if (id === undefined) throw new InvalidValue();
      const given = Object.fromEntries(
        keptFields.filter((name) => body[name] !== undefined && body[name] !== null).map((name) => [name, body[name]]),
      );
      measure(given);
      readReference(given);
      const { created, updated = {}, hasOutput = false } = found.get(id) ?? {};
      found.set(id, {
        created: isUpdate ? created : { ...created, ...given },
        updated: isUpdate ? { ...updated, ...given } : updated,
        timestamp,
        hasOutput: hasOutput || (body.output !== undefined && body.output !== null),
      });
    },

    finish(): { calls: ReportedCall[]; ends: ReportedEnd[]; unnamed: number; invalid: number } {
      const result = { calls: [] as ReportedCall[], ends: [] as ReportedEnd[], unnamed: 0, invalid: 0 };
      for (const [id, observation] of found) {
        try {
          const fields = { ...observation.created, ...observation.updated };
          const call = observation.created || fields.startTime !== undefined ? toCall(id, fields, observation) : undefined;
          const end = observation.created || call ? undefined : toEnd(id, fields, observation);
          if (call) result.calls.push(call);
          else if (end) result.ends.push(end);
          else result.unnamed += 1;
        } catch (err) {
          if (!(err instanceof InvalidValue)) throw err;
          result.invalid += 1;
        }
      }
      return result;
    },
  };
}

function toCall(id: string, fields: Body, { timestamp, hasOutput }: Observation): ReportedCall | undefined {
  const { traceId, prompt, version, startedAtMs = optionalTime(timestamp) } = readReference(fields);
  if (prompt === undefined) return undefined;
  const { firstChunkAtMs, ...measured } = measure(fields);
  const reference = { prompt, version, identity: { traceId, spanId: id }, startedAtMs };
  if (!hasOutput && !isEnd(measured)) return { ...reference, model: measured.model, isOpen: true };
  return {
    ...reference,
    ...measured,
    endedAtMs: measured.endedAtMs ?? optionalTime(timestamp),
    durationMs: durationOf(fields, measured.endedAtMs, startedAtMs),
    firstChunkMs: firstChunkAtMs === undefined || startedAtMs === undefined ? undefined : durationBetween(startedAtMs, firstChunkAtMs),
  };
}

/** Returns undefined if the update does not report the end of the call. */
function toEnd(id: string, fields: Body, { hasOutput }: Observation): ReportedEnd | undefined {
  const measured = measure(fields);
  if (!hasOutput && !isEnd(measured)) return undefined;
  return { identity: { traceId: toId(fields.traceId), spanId: id }, ...measured };
}

function isEnd({ endedAtMs, inputTokens, outputTokens }: Pick<ReportedEnd, 'endedAtMs' | 'inputTokens' | 'outputTokens'>): boolean {
  return endedAtMs !== undefined || inputTokens !== undefined || outputTokens !== undefined;
}

function readReference(fields: Body) {
  const { promptName: prompt, promptVersion: version } = fields;
  const isName = typeof prompt === 'string' && prompt !== '' && prompt.length <= 2 * maxPromptNameLength;
  if (prompt !== undefined && !isName) throw new InvalidValue();
  if (version !== undefined && typeof version !== 'number') throw new InvalidValue();
  return { prompt, version: toVersion(version), traceId: toId(fields.traceId), startedAtMs: timeIn(fields, 'startTime') };
}

function measure(fields: Body) {
  const { inputTokens, outputTokens, cost } = usageOf(fields);
  const { model } = fields;
  return {
    model: typeof model === 'string' && model !== '' && model.length <= maxModelNameLength ? model : undefined,
    endedAtMs: timeIn(fields, 'endTime'),
    firstChunkAtMs: timeIn(fields, 'completionStartTime'),
    inputTokens: tokens(inputTokens),
    outputTokens: tokens(outputTokens),
    cost: inRange(cost, maxCost),
    error: errorOfLevel(fields.level),
  };
}

function toId(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  if (typeof value !== 'string' || value === '' || value.length > maxResultIdLength) throw new InvalidValue();
  return value;
}

function timeIn(fields: Body, name: string): number | undefined {
  const value = fields[name];
  if (value === undefined) return undefined;
  if (typeof value !== 'string' || value.length > 40) throw new InvalidValue();
  return toTime(value);
}

function optionalTime(value: unknown): number | undefined {
  const time = typeof value === 'string' && value.length <= 40 ? Date.parse(value) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}

/**
 * Throws an InvalidValue if the call ended before it started. If the start is missing, the time of the event replaces it. This time may be
 * after the end, so it causes no error.
 */
function durationOf(fields: Body, end: number | undefined, start: number | undefined): number | undefined {
  if (end === undefined || start === undefined) return undefined;
  return fields.startTime === undefined ? durationBetween(start, end) : inRange(end - start, maxDurationMs);
}
