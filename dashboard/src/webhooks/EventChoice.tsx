import { useId } from 'react';
import type { Webhook } from '../lib/types.ts';
import { ErrorText } from '../ui/Field.tsx';
import { eventChoices, eventTexts, type SubscribableEvent } from './events.ts';

interface EventChoiceProps {
  value: Webhook['events'];
  error: string | undefined;
  onChange: (events: Webhook['events']) => void;
}

/** Selects all events, including future ones, or some types. */
export function EventChoice({ value, error, onChange }: EventChoiceProps) {
  const id = useId();
  const isAll = value === 'all';
  const toggle = (type: SubscribableEvent, isChosen: boolean) => {
    const others = isAll ? [] : value.filter((each) => each !== type);
    onChange(eventChoices.filter((each) => others.includes(each) || (isChosen && each === type)));
  };
  return (
    <fieldset aria-describedby={error ? `${id}-error` : undefined}>
      <legend className="mb-1.5 font-medium">Events</legend>
      <div className="space-y-2">
        <label className="flex cursor-pointer items-center gap-2">
          <input type="radio" name={id} className="accent-accent" checked={isAll} onChange={() => onChange('all')} />
          All events, including future ones
        </label>
        <label className="flex cursor-pointer items-center gap-2">
          <input type="radio" name={id} className="accent-accent" checked={!isAll} onChange={() => isAll && onChange([])} />
          Only these
        </label>
      </div>
      {!isAll && (
        <ul className="mt-2 max-h-64 overflow-y-auto rounded-md border border-line bg-sunken py-1">
          {eventChoices.map((type) => (
            <li key={type}>
              <label className="flex cursor-pointer items-start gap-2 px-3 py-1 hover:bg-hover">
                <input
                  type="checkbox"
                  className="mt-1 accent-accent"
                  checked={value.includes(type)}
                  onChange={(event) => toggle(type, event.target.checked)}
                />
                <span className="min-w-0">
                  <span className="font-mono text-xs">{type}</span>
                  <span className="block text-ink-3 text-xs">{eventTexts[type]}</span>
                </span>
              </label>
            </li>
          ))}
        </ul>
      )}
      <ErrorText id={`${id}-error`}>{error}</ErrorText>
    </fieldset>
  );
}
