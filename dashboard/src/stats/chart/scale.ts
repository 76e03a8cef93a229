import type { Interval } from '../search.ts';
import { formatTickDay, formatTickHour } from '../times.ts';

/** Returns about `count` round numbers from 0 up to at least `max`. Calls are whole numbers, so by default, the step is at least 1. */
export function valueTicks(max: number, count: number, minStep = 1): number[] {
  const rough = Math.max(minStep, max / count);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((each) => each >= rough) ?? rough;
  const steps = Math.max(1, Math.ceil(max / step));
  return Array.from({ length: steps + 1 }, (_, index) => index * step);
}

interface TimeTick {
  index: number;
  text: string;
}

const minTickWidth = 64;
const hourSteps = [1, 2, 3, 4, 6, 12];
const daySteps = [1, 2, 3, 7, 14, 28];

/** Returns as many ticks as fit: hours within a day, and days for longer ranges. */
export function timeTicks(
  times: string[],
  interval: Interval,
  { zone, widthPerInterval }: { zone: string; widthPerInterval: number },
): TimeTick[] {
  if (interval === 'hour' && times.length <= 25) {
    const step = hourSteps.find((each) => each * widthPerInterval >= minTickWidth) ?? 24;
    return times.flatMap((time, index) => {
      const text = formatTickHour(time, zone);
      return Number.parseInt(text, 10) % step === 0 ? [{ index, text }] : [];
    });
  }
  const texts = times.map((time) => formatTickDay(time, zone));
  // Ranges in the dashboard begin at the start of a day.
  const days = texts.flatMap((text, index) => (text === texts[index - 1] ? [] : [{ index, text }]));
  const dayWidth = widthPerInterval * (interval === 'hour' ? 24 : 1);
  const step = daySteps.find((each) => each * dayWidth >= minTickWidth) ?? days.length;
  // The labels are counted from the end, because people look for the newest day.
  return days.filter((_, index) => (days.length - 1 - index) % step === 0);
}
