import { emptyReport } from '../report.ts';
import { type EventOutcome, type Reading, UnreadableError } from './intake-messages.ts';
import { createObservations } from './langfuse-observations.ts';
import { readLangfuseScore } from './langfuse-scores.ts';
import { InvalidValue, isRecord } from './measurements.ts';

const maxEvents = 10_000;
const maxEventIdLength = 200;

/**
 * Reads a batch of events. Langfuse's older SDKs report traces in batches, and all its SDKs report scores in batches. Scores count, and so
 * do generations that name a prompt. All other events are accepted and dropped, because an SDK sends a batch again if one of its events is
 * refused.
 */
export function readLangfuseBatch(request: unknown): Reading {
  const batch = isRecord(request) ? request.batch : undefined;
  if (!Array.isArray(batch)) throw new UnreadableError('malformed', '"batch" is not a list');
  if (batch.length > maxEvents) throw new UnreadableError('malformed', `A batch can have at most ${maxEvents.toLocaleString('en')} events`);
  const report = emptyReport();
  const observations = createObservations();
  const events = batch.map((event: unknown): EventOutcome => {
    const id = isRecord(event) && isId(event.id) ? event.id : '';
    if (!isRecord(event) || id === '') return { id, error: 'The event has no valid id' };
    const { type, timestamp, body } = event;
    try {
      if (!isRecord(body)) throw new InvalidValue();
      if (type === 'score-create') {
        const score = readLangfuseScore(body);
        if (score) report.scores.push(score);
      } else if (isGeneration(type, body))
        observations.add({ body, timestamp, isUpdate: type === 'generation-update' || type === 'observation-update' });
    } catch (err) {
      if (!(err instanceof InvalidValue)) throw err;
      report.invalid += 1;
      return { id, error: 'The event has an invalid id, time or value' };
    }
    return { id, error: undefined };
  });
  const { invalid, ...merged } = observations.finish();
  return { report: { ...report, ...merged, invalid: report.invalid + invalid }, rejected: 0, reason: undefined, events };
}

function isId(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= maxEventIdLength;
}

function isGeneration(type: unknown, body: Record<string, unknown>): boolean {
  if (type === 'generation-create' || type === 'generation-update') return true;
  return (
    (type === 'observation-create' || type === 'observation-update') &&
    typeof body.type === 'string' &&
    /^(generation|embedding)$/i.test(body.type)
  );
}
