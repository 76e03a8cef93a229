import type { ListWorkspaceActivityQuery } from '../../../client/src/types.ts';
import { type ActivityKind, activityKinds } from '../../../src/contract/activity-types.ts';

/** The parameters of a URL that filter the activity. */
export interface ActivitySearch {
  /** The `userId` of the person whose actions are listed. */
  by?: string;
  type?: ActivityKind;
  /** The name of a prompt. */
  prompt?: string;
  /** The first and the last day, such as `2026-03-01`, in the viewer's time zone. */
  from?: string;
  to?: string;
}

export function parseActivitySearch({ by, type, prompt, from, to }: Record<string, unknown>): ActivitySearch {
  const kind = activityKinds.find((each) => each === type);
  return {
    ...(typeof by === 'string' && /^[uw]_\w{1,60}$/.test(by) && { by }),
    ...(kind && { type: kind }),
    // A name that consists of digits arrives as a number.
    ...((typeof prompt === 'string' || typeof prompt === 'number') && prompt !== '' && { prompt: String(prompt).slice(0, 200) }),
    ...(isDay(from) && { from }),
    ...(isDay(to) && { to }),
  };
}

/** Returns the filter for the service. Days begin at midnight of the viewer's time zone. */
export function toQuery({ from, to, ...rest }: ActivitySearch): ListWorkspaceActivityQuery {
  return {
    ...rest,
    ...(from !== undefined && { from: startOf(from, 0).toISOString() }),
    ...(to !== undefined && { to: startOf(to, 1).toISOString() }),
  };
}

/** Returns midnight at the start of the day that is `daysLater` days after `day`. */
function startOf(day: string, daysLater: number): Date {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return new Date(year, month - 1, date + daysLater);
}

export function isDay(value: unknown): value is string {
  if (typeof value !== 'string' || !/^(19|20)\d{2}-\d{2}-\d{2}$/.test(value)) return false;
  const time = new Date(value);
  // JavaScript parses 30 February as 2 March.
  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(value);
}
